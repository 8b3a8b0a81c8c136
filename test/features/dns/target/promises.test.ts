/** What a provider accepted is done when a listing made after it shows it, and not before. */
import { describe, expect, it } from 'vitest'
import { recordViews } from '../../../../src/features/dns/target/records.ts'
import type { DnsDesired } from '../../../../src/features/dns/target/desire.ts'
import { type Bench, bench, lines } from './bench.ts'
import { PROFILE_NAMES } from './profiles.ts'
import { desiredOf } from './rows.ts'

const APP = { domain: 'app.example.com' }
const WANTED = desiredOf([APP])
const MOVED = desiredOf([{ ...APP, static_ip: '198.51.100.7' }])
const GONE = desiredOf([{ ...APP, retired: true }])

const rows = ({ ledger }: Bench) =>
  [...ledger.rows.values()].map(({ type, state, values }) => [type, state, ...values])
const shown = async (at: Bench, desired: DnsDesired) =>
  recordViews(desired, await at.look()).map(({ state }) => state)

describe.each(PROFILE_NAMES)('%s: a provider that accepts a change and does not do it', (profile) => {
  const promising = (at: Bench) =>
    void (at.provider.fault = (verb) => (verb === 'change' ? 'promised' : null))
  const honest = (at: Bench) => void (at.provider.fault = () => null)

  it('a removal stays on record until a listing shows it gone, is tried again, and is never clean before', async () => {
    const at = bench(profile)
    await at.pass(WANTED)
    promising(at)
    for (let tries = 0; tries < 3; tries++) {
      const report = await at.pass(GONE)
      expect(report).toMatchObject({ deeds: ['delete A app.example.com'], left: 1 })
      expect(report.repairs).toMatchObject([
        { ok: false, failure: { message: expect.stringContaining('still shows it') as unknown } },
      ])
      expect(rows(at)).toMatchObject([['A', 'removing', '192.0.2.1']])
      expect(await shown(at, GONE)).toEqual(['removing'])
    }
    honest(at)
    expect(await at.pass(GONE)).toMatchObject({ repairs: [{ ok: true }], left: 0 })
    expect(rows(at)).toEqual([])
    expect(lines(at)).toEqual([])
  })

  it('a new set stays `applying` until a listing shows it', async () => {
    const at = bench(profile)
    promising(at)
    expect(await at.pass(WANTED)).toMatchObject({ repairs: [{ ok: false }], left: 1 })
    expect(await shown(at, WANTED)).toEqual(['applying'])
    honest(at)
    expect(await at.pass(WANTED)).toMatchObject({ repairs: [{ ok: true }], left: 0 })
    expect(await shown(at, WANTED)).toEqual(['owned'])
  })

  it('a change of a set of ours keeps what was last seen, and what comes late is ours as well', async () => {
    const at = bench(profile)
    await at.pass(WANTED)
    const before = lines(at)
    promising(at)
    expect(await at.pass(MOVED)).toMatchObject({ repairs: [{ ok: false }], left: 1 })
    expect(rows(at)).toMatchObject([['A', 'applying', '192.0.2.1']])
    expect(await shown(at, MOVED)).toEqual(['applying'])
    expect(lines(at)).toEqual(before)
    honest(at)
    expect(await at.pass(MOVED)).toMatchObject({ repairs: [{ ok: true }], left: 0 })
    expect(rows(at)).toMatchObject([['A', 'owned', '198.51.100.7']])
  })

  it('what nobody asks for any more is noted as it stands', async () => {
    const at = bench(profile)
    await at.pass(WANTED)
    promising(at)
    await at.pass(GONE)
    const kept = desiredOf([{ ...APP, live: false }])
    expect(await at.pass(kept)).toMatchObject({ left: 0 })
    expect(rows(at)).toMatchObject([['A', 'owned', '192.0.2.1']])
  })

  it('also where its mark is gone by then', async () => {
    const at = bench(profile)
    await at.pass(WANTED)
    promising(at)
    await at.pass(GONE)
    for (const set of at.provider.now().values())
      at.provider.stranger(set.type === 'TXT' ? { ...set, values: [] } : { ...set, comment: null })
    honest(at)
    const kept = desiredOf([{ ...APP, live: false }])
    expect(await at.pass(kept)).toMatchObject({ left: 0 })
    expect(rows(at)).toMatchObject([['A', 'owned', '192.0.2.1']])
  })
})
