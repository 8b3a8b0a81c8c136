/** Looking at a zone: what is asked when nothing happens, and what a failed look says. */
import { describe, expect, it } from 'vitest'
import { bench, benchWith, mark, owned, ZONE } from './bench.ts'
import { type Fault, MemoryProvider, zoneOf } from './memory-provider.ts'
import { desiredOf } from './rows.ts'

const never = new AbortController().signal
const APP = { domain: 'app.example.com' }

describe('a look', () => {
  it('asks for the stamp and nothing else while nothing changes, and lists in full once an hour', async () => {
    const at = bench()
    await at.pass(desiredOf([APP]))
    const { calls } = at.provider
    const before = { ...calls }
    for (let i = 0; i < 5; i++) await at.look()
    expect(calls).toEqual({ ...before, stamp: before.stamp + 5 })
    at.clock.at += 3_600_000
    await at.look()
    expect(calls.list).toBe(before.list + 1)
    await at.look()
    expect(calls.list).toBe(before.list + 1)
  })

  it('sees a change by the stamp, and lists every time where there is none', async () => {
    const at = bench()
    await at.look()
    at.provider.stranger({ name: APP.domain, type: 'A', values: ['198.51.100.1'] })
    expect((await at.look()).rrsets).toHaveLength(1)
    const cloud = bench('cloudflare_like')
    await cloud.look()
    await cloud.look()
    expect(cloud.provider.calls).toMatchObject({ stamp: 0, list: 2 })
  })

  it.each<[Fault, string, RegExp]>([
    ['unavailable', 'unreachable', /is not there/],
    ['busy', 'unreachable', /asks to wait/],
    ['credentials', 'refused', /token is refused/],
    ['refused', 'refused', /is refused/],
  ])(
    'that fails as %s is unknown because it is %s, and is never an empty zone',
    async (fault, reason, detail) => {
      const at = bench()
      await at.pass(desiredOf([APP]))
      at.provider.fault = () => fault
      expect(await at.target.observe(never)).toEqual({
        known: false,
        reason,
        ...(fault === 'busy' && { retry_after_ms: 7000 }),
        detail: expect.stringMatching(detail),
        at: at.clock.at,
      })
      at.provider.fault = () => null
      const before = at.provider.calls.list
      await at.look()
      expect(at.provider.calls.list).toBe(before + 1)
    },
  )

  it('ends by its signal', async () => {
    const ended = AbortSignal.abort(new Error('stop'))
    await expect(bench().target.observe(ended)).rejects.toThrow('stop')
  })

  it('says when no account has the zone any more', async () => {
    const at = benchWith(new MemoryProvider('powerdns_like'), [zoneOf('example.com', { account: 'gone' })])
    expect(await at.target.observe(never)).toMatchObject({
      known: false,
      detail: expect.stringContaining('no account'),
    })
  })
})

describe('a zone that cannot be written', () => {
  it('is read, and every wish is an obstacle with the reason', async () => {
    const zone = zoneOf(ZONE, { writable: false, detail: 'it is paused' })
    const at = benchWith(new MemoryProvider('powerdns_like'), [zone])
    const report = await at.pass(desiredOf([APP]))
    expect(report).toMatchObject({ known: true, deeds: [], left: 0 })
    expect(report.obstacles).toMatchObject([
      {
        item: 'A app.example.com',
        failure: { code: 'provider_refused', message: expect.stringContaining('it is paused') },
      },
    ])
    expect(at.provider.calls.change).toBe(0)
  })
})

describe('the fingerprint', () => {
  const digest = async (at: ReturnType<typeof bench>): Promise<string> => {
    const observation = await at.target.observe(never)
    return observation.known ? observation.digest : 'unknown'
  }

  it("stays through our own work and strangers' own records, and moves when somebody changes what is ours", async () => {
    const at = bench()
    const empty = await digest(at)
    await at.pass(desiredOf([APP]))
    expect(await digest(at)).toBe(empty)
    at.provider.stranger({ name: 'mail.example.com', type: 'A', values: ['198.51.100.1'] })
    at.ledger.reported = [{ host: 'h', ipv4: '192.0.2.9', ipv6: null, changed_at: 1, reported_at: 1 }]
    at.ledger.put(owned({ name: 'half.example.com', state: 'sending' }))
    expect(await digest(at)).toBe(empty)
    const seen = new Set([empty])
    const set = { name: APP.domain, type: 'A', ttl: 300, comment: mark(1) }
    for (const change of [
      { ...set, values: ['198.51.100.1'] },
      { ...set, values: ['192.0.2.1'], ttl: 60 },
      { ...set, values: ['192.0.2.1'], comment: null },
      { ...set, values: [] },
    ]) {
      at.provider.stranger(change)
      seen.add(await digest(at))
    }
    expect(seen.size).toBe(5)
    at.provider.stranger({ ...set, values: ['192.0.2.1'] })
    expect(await digest(at)).toBe(empty)
  })
})
