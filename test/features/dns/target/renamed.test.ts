/** A record with another name: its old set goes when the new one stands, whatever else of its zone does not. */
import { describe, expect, it } from 'vitest'
import { type Bench, bench, lines } from './bench.ts'
import { PROFILE_NAMES } from './profiles.ts'
import { desiredOf } from './rows.ts'

const OLD = 'old.example.com'
const NEW = 'new.example.com'
const BAD = 'bad.example.com'
const STRANGER = '198.51.100.66'
const desired = (domain: string) =>
  desiredOf([
    { domain_id: 1, domain },
    { domain_id: 2, domain: BAD },
  ])

const addresses = ({ provider }: Bench) =>
  [...provider.now().values()].flatMap(({ name, type }) => (type === 'A' ? [name] : [])).sort()
const failed = ({ repairs }: Awaited<ReturnType<Bench['pass']>>) =>
  repairs.flatMap(({ key, ok }) => (ok ? [] : [key]))

describe.each(PROFILE_NAMES)('%s: a renamed record', (profile) => {
  it('moves though the server fails at another name of its zone', async () => {
    const at = bench(profile)
    at.provider.fails_at.add(BAD)
    await at.pass(desired(OLD))
    expect(addresses(at)).toEqual([OLD])
    const report = await at.pass(desired(NEW))
    expect(failed(report)).toEqual([`${BAD} A`])
    expect(addresses(at)).toEqual([NEW])
  })

  it('keeps its old set while the server fails at its new one', async () => {
    const at = bench(profile)
    await at.pass(desired(OLD))
    at.provider.fails_at.add(NEW)
    const report = await at.pass(desired(NEW))
    expect(failed(report).sort()).toEqual([`${NEW} A`, `${OLD} A`])
    expect(addresses(at)).toEqual([BAD, OLD])
    at.provider.fails_at.clear()
    expect(await at.pass(desired(NEW))).toMatchObject({ left: 0 })
    expect(addresses(at)).toEqual([BAD, NEW])
  })

  it('keeps its old set while a change of the new one, which stood before, is not known to be done', async () => {
    const at = bench(profile)
    const moved = (static_ip?: string) =>
      desiredOf([{ domain_id: 1, domain: NEW, ...(static_ip && { static_ip }) }])
    await at.pass(moved())
    const row = [...at.ledger.rows.values()].find(({ name }) => name === NEW)!
    await at.pass(
      desiredOf([
        { domain_id: 1, domain: NEW },
        { domain_id: 3, domain: OLD },
      ]),
    )
    const old = [...at.ledger.rows.values()].find(({ name }) => name === OLD)!
    await at.ledger.write((tx) => tx.saveOwnedRrsets([{ ...old, domain_id: row.domain_id }]))
    at.provider.fails_at.add(NEW)
    await at.pass(moved('198.51.100.7'))
    expect(addresses(at)).toEqual([NEW, OLD])
  })

  it('keeps its old set while no listing shows what was written', async () => {
    const at = bench(profile)
    await at.pass(desired(OLD))
    let is_written = false
    at.provider.fault = (verb) => {
      if (verb === 'change') is_written = true
      return verb === 'list' && is_written ? 'unavailable' : null
    }
    await at.pass(desired(NEW))
    at.provider.fault = () => null
    expect(addresses(at)).toEqual([BAD, NEW, OLD])
    expect(lines(at).filter((line) => line.startsWith(OLD)).length).toBeGreaterThan(0)
  })

  it('keeps what somebody put at its old name while its new one was made', async () => {
    const at = bench(profile)
    await at.pass(desired(OLD))
    const list = at.provider.list.bind(at.provider)
    let changes = 0
    at.provider.list = async (...asked) => {
      const sets = await list(...asked)
      // The listing after the new set was made shows the old one as it was; a moment later it is another.
      if (changes === 0 && at.provider.calls.change > before) {
        changes++
        at.provider.stranger({ name: OLD, type: 'A', values: [STRANGER] })
      }
      return sets
    }
    const before = at.provider.calls.change
    const report = await at.pass(desired(NEW))
    expect(changes).toBe(1)
    expect(at.provider.now().get(`${OLD} A`)?.values).toEqual([STRANGER])
    expect(addresses(at)).toEqual([BAD, NEW, OLD])
    expect(report.repairs.flatMap((one) => (one.ok ? [] : [[one.key, one.failure.code]]))).toEqual([
      [`${OLD} A`, 'conflict'],
    ])
  })
})
