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

  it('is not ours where other values stand there, or the mark of another record', async () => {
    for (const other of [{ values: ['192.0.2.99'] }, { domain_id: 7 }]) {
      const at = bench(profile)
      await renamedAccount(at)
      at.ledger.put(owned({ account: 'two', ...other }))
      await at.look()
      expect(accounts(at)).toEqual(['two'])
    }
  })

  it('is not ours without a mark', async () => {
    const at = bench(profile)
    at.provider.stranger({ name: APP.domain, type: 'A', values: ['192.0.2.1'] })
    at.ledger.put(owned({ account: 'two' }))
    expect(await at.pass(DESIRED)).toMatchObject({
      deeds: [],
      obstacles: [{ item: 'A app.example.com' }, { item: 'A app.example.com at two', beside: true }],
    })
    expect(accounts(at)).toEqual(['two'])
  })
})
