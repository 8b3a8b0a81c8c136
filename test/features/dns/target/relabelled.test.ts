/** An account that has another name by now: what is ours there goes on as ours, and nothing else does. */
import { describe, expect, it } from 'vitest'
import { type Bench, bench, lines, owned } from './bench.ts'
import { PROFILE_NAMES } from './profiles.ts'
import { desiredOf } from './rows.ts'

const APP = { domain: 'app.example.com' }
const DESIRED = desiredOf([APP])

/** The account was called otherwise when all that stands there was made. */
async function renamedAccount(at: Bench): Promise<void> {
  await at.pass(DESIRED)
  at.ledger.rows = new Map()
  at.ledger.put(owned({ account: 'two', proxied: at.provider.traits.has_proxy ? false : null }))
}
const accounts = ({ ledger }: Bench) => [...ledger.rows.values()].map(({ account }) => account)

describe.each(PROFILE_NAMES)('at a provider like %s', (profile) => {
  it('goes on as it was: nothing is written, and it is taken away with its record', async () => {
    const at = bench(profile)
    await renamedAccount(at)
    const before = lines(at)
    expect(await at.pass(DESIRED)).toMatchObject({ obstacles: [], left: 0 })
    expect(lines(at)).toEqual(before)
    expect(accounts(at)).toEqual(['default'])
    expect((await at.pass(desiredOf([{ ...APP, retired: true }]))).deeds).toEqual([
      'delete A app.example.com',
    ])
    expect(accounts(at)).toEqual([])
  })

  it('is ours whatever was changed meanwhile: what stands there with our mark is edited, and put right', async () => {
    const at = bench(profile)
    await renamedAccount(at)
    at.ledger.put(owned({ account: 'two', values: ['192.0.2.99'] }))
    const moved = desiredOf([{ ...APP, static_ip: '192.0.2.5' }])
    expect(await at.pass(moved)).toMatchObject({
      deeds: ['update A app.example.com'],
      obstacles: [],
      left: 0,
    })
    expect(accounts(at)).toEqual(['default'])
  })

  it('is not ours where the mark of another record stands there', async () => {
    const at = bench(profile)
    await renamedAccount(at)
    at.ledger.put(owned({ account: 'two', domain_id: 7 }))
    await at.pass(DESIRED)
    expect(accounts(at)).toContain('two')
  })

  it('goes by it in every look, and notes it in a pass alone', async () => {
    const at = bench(profile)
    await renamedAccount(at)
    const { writes } = at.ledger
    const { owned: seen, elsewhere } = await at.look()
    expect([seen.map(({ account }) => account), elsewhere]).toEqual([['default'], undefined])
    expect([accounts(at), at.ledger.writes]).toEqual([['two'], writes])
    await at.pass(DESIRED)
    expect(accounts(at)).toEqual(['default'])
  })

  it('takes along what was decided of it while it was looked at', async () => {
    const at = bench(profile)
    await renamedAccount(at)
    const write = at.ledger.write.bind(at.ledger)
    at.ledger.write = (work) => {
      at.ledger.put(owned({ account: 'two', state: 'removing', domain_id: 1 }))
      at.ledger.write = write
      return write(work)
    }
    const never = new AbortController().signal
    await at.target.observe(never, { afresh: false, is_pass: true })
    expect([...at.ledger.rows.values()]).toMatchObject([{ account: 'default', state: 'removing' }])
  })

  it('is not ours without a mark', async () => {
    const at = bench(profile)
    at.provider.stranger({ name: APP.domain, type: 'A', values: ['192.0.2.1'] })
    at.ledger.put(owned({ account: 'two' }))
    expect(await at.pass(DESIRED)).toMatchObject({
      deeds: [],
      obstacles: [{ item: 'A app.example.com' }, { item: 'A app.example.com at two', beside: true }],
    })
    const [, told] = at.target.obstacles!(DESIRED, await at.look())
    expect(told?.failure.message).toContain('which is not set up any more')
    expect(told?.failure.message).not.toContain('by hand')
    expect(accounts(at)).toEqual(['two'])
  })
})
