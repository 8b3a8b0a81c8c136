/** Looking at a zone: what is asked when nothing happens, and what a failed look says. */
import { describe, expect, it, vi } from 'vitest'
import { paceOf } from '../../../../src/features/dns/target/zones/pace.ts'
import { bench, benchWith, mark, owned, ZONE } from './bench.ts'
import { type Fault, MemoryProvider, zoneOf } from './memory-provider.ts'
import { desiredOf } from './rows.ts'

const never = new AbortController().signal
const APP = { domain: 'app.example.com' }

describe('a look', () => {
  it('by the timer asks for the stamp alone while nothing changes, and lists in full every ten minutes', async () => {
    const at = bench()
    await at.pass(desiredOf([APP]))
    const { calls } = at.provider
    const before = { ...calls }
    for (let i = 0; i < 5; i++) await at.look()
    expect(calls).toEqual({ ...before, stamp: before.stamp + 5 })
    at.clock.at += 600_000
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

describe('a look that a caller asks for', () => {
  const at = bench()
  const afresh = async (signal = never) => {
    const observation = await at.target.observe(signal, { afresh: true })
    if (!observation.known) throw new Error(observation.detail)
    return observation.state.rrsets
  }
  /** Listings that end when they are let go, or by their signal. */
  const heldListings = () => {
    const list = at.provider.list.bind(at.provider)
    const listings: { readonly signal: AbortSignal; readonly release: () => void }[] = []
    at.provider.list = async (zone, signal) => {
      const released = Promise.withResolvers<void>()
      listings.push({ signal, release: released.resolve })
      signal.addEventListener('abort', () => released.reject(signal.reason as Error), { once: true })
      await released.promise
      return list(zone, signal)
    }
    return { list, listings }
  }
  const values = async () => (await afresh()).map(({ values }) => values.join())
  /** Past the serial: the stamp says that nothing changed. */
  const slipIn = (address: string) =>
    at.provider.stranger({ name: APP.domain, type: 'A', values: [address] }, { past_the_serial: true })

  it('sees a change that moved no stamp, and one listing serves all callers of two seconds', async () => {
    await at.look()
    at.clock.at += 2000
    slipIn('198.51.100.1')
    expect((await at.look()).rrsets).toEqual([])
    const before = at.provider.calls.list
    expect(await Promise.all([values(), values(), values()])).toEqual([
      ['198.51.100.1'],
      ['198.51.100.1'],
      ['198.51.100.1'],
    ])
    expect(at.provider.calls.list).toBe(before + 1)
    slipIn('198.51.100.2')
    at.clock.at += 1999
    expect(await values()).toEqual(['198.51.100.1'])
    at.clock.at += 1
    expect(await values()).toEqual(['198.51.100.2'])
  })

  it('shares no listing from before a change that moved the stamp', async () => {
    at.clock.at += 2000
    await afresh()
    at.provider.stranger({ name: APP.domain, type: 'A', values: ['198.51.100.3'] })
    expect(await values()).toEqual(['198.51.100.3'])
  })

  it('where reads are counted asks for no stamp, and leaves the timer the one that it has', async () => {
    const counted = benchWith(new MemoryProvider('counted_reads'))
    const caller = () => counted.target.observe(never, { afresh: true })
    await counted.look()
    const { calls } = counted.provider
    const before = { ...calls }
    counted.clock.at += 2000
    await caller()
    await caller()
    expect(calls).toEqual({ ...before, list: before.list + 1 })
    await counted.look()
    expect(calls).toEqual({ ...before, list: before.list + 1, stamp: before.stamp + 1 })
    counted.clock.at += 2000
    const set = { name: APP.domain, type: 'A', values: ['198.51.100.3'] }
    counted.provider.stranger(set, { past_the_serial: true })
    await caller()
    await counted.look()
    expect(calls.list).toBe(before.list + 3)
  })

  it('goes on when all who waited have left: the next caller finds it further on, and so does the one after its end', async () => {
    at.clock.at += 2000
    const { list, listings } = heldListings()
    const before = at.provider.calls.list
    const [one, two] = [new AbortController(), new AbortController()]
    const first = afresh(one.signal)
    const second = afresh(two.signal)
    one.abort(new Error('gone'))
    await expect(first).rejects.toThrow('gone')
    two.abort(new Error('gone too'))
    await expect(second).rejects.toThrow('gone too')
    at.clock.at += 20_000
    const third = afresh()
    await vi.waitFor(() => expect(listings).toHaveLength(1), { timeout: 30_000 })
    expect(listings.map(({ signal }) => signal.aborted)).toEqual([false])
    listings[0]!.release()
    expect(await third).toHaveLength(1)
    at.clock.at += 1999
    expect(await afresh()).toHaveLength(1)
    at.provider.list = list
    expect(at.provider.calls.list).toBe(before + 1)
    at.clock.at += 1
    expect(await afresh()).toHaveLength(1)
    expect(at.provider.calls.list).toBe(before + 2)
  })

  it('joins none that began before something was forgotten, and that one is not kept', async () => {
    at.clock.at += 2000
    const { list, listings } = heldListings()
    const first = afresh()
    await vi.waitFor(() => expect(listings).toHaveLength(1), { timeout: 30_000 })
    at.family.invalidate(ZONE)
    const second = afresh()
    await vi.waitFor(() => expect(listings).toHaveLength(2), { timeout: 30_000 })
    for (const { release } of listings) release()
    await Promise.all([first, second])
    at.provider.list = list
  })

  it('ends by the deadline of the zone, or with the house; the next one begins anew', async () => {
    at.clock.at += 2000
    const { list, listings } = heldListings()
    const first = afresh()
    await vi.waitFor(() => expect(listings).toHaveLength(1), { timeout: 30_000 })
    at.clock.at += 60_000
    at.wake()
    await expect(first).rejects.toThrow('60000 ms')
    const second = afresh()
    await vi.waitFor(() => expect(listings).toHaveLength(2), { timeout: 30_000 })
    at.family.close()
    await expect(second).rejects.toThrow('shutting down')
    expect(listings.map(({ signal }) => signal.aborted)).toEqual([true, true])
    at.provider.list = list
  })

  it('after somebody doubted what is kept, the timer too lists in full and is woken', async () => {
    await at.look()
    slipIn('198.51.100.4')
    let hints = 0
    const watch = at.target.watch(() => hints++)
    at.family.invalidate(ZONE)
    expect(hints).toBe(1)
    expect((await at.look()).rrsets[0]?.values).toEqual(['198.51.100.4'])
    watch.close()
    at.family.invalidate(ZONE)
    expect(hints).toBe(1)
  })
})

it('a listing that was given up leaves what the timer has; one that failed takes it away', async () => {
  const at = bench()
  await at.look()
  const { calls } = at.provider
  const list = at.provider.list.bind(at.provider)
  const gone = new AbortController()
  at.provider.list = (_zone, signal) =>
    new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)))
  at.clock.at += 2000
  const caller = at.target.observe(gone.signal, { afresh: true })
  await Promise.resolve()
  gone.abort(new Error('gone'))
  await expect(caller).rejects.toThrow('gone')
  at.clock.at += 60_000
  at.wake()
  at.provider.list = list
  const before = calls.list
  await at.look()
  expect(calls.list).toBe(before)
  at.clock.at += 2000
  at.provider.fault = (verb) => (verb === 'list' ? 'unavailable' : null)
  expect(await at.target.observe(never, { afresh: true })).toMatchObject({ known: false })
  at.provider.fault = () => null
  await at.look()
  expect(calls.list).toBe(before + 2)
})

describe('the pace of the timer', () => {
  it('is half a minute where a stamp tells of changes, and less often than an account allows reads', () => {
    const at = bench()
    expect(at.target.every_ms).toBe(30_000)
    expect(bench('cloudflare_like').target.every_ms).toBe(300_000)
    const { zone_index } = bench()
    const limited = new MemoryProvider('counted_reads')
    const rows = (zones: number) =>
      Array.from({ length: zones }, (_, i) => owned({ zone: `zone${i}.test`, name: `a.zone${i}.test` }))
    const paceWith = (zones: number) => {
      zone_index.setOwned(rows(zones))
      return paceOf('zone0.test', { zone_index, providers: [limited] })
    }
    expect([1, 12, 25, 1000].map(paceWith)).toEqual([30_000, 30_000, 60_000, 300_000])
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
