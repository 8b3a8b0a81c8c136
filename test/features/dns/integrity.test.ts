/** The check of everything: when it looks, what it keeps when it cannot, and that it ends. */
import { afterEach, describe, expect, it } from 'vitest'
import { silentLog } from '../../../src/kernel/log.ts'
import { integrityReport } from '../../../src/features/dns/integrity/integrity-result.ts'
import { IntegrityCheck } from '../../../src/features/dns/integrity/integrity.ts'
import type { ManagedSet } from '../../../src/features/dns/records/managed-set.ts'
import type { DnsQuery } from '../../../src/features/dns/lookup/port.ts'
import { handClock } from '../../fakes/hand-clock.ts'
import { at, failure, memoryDns, own, record, reply } from './memory-dns.ts'

const SERVER = '192.0.2.53'
const RESOLVER = '10.0.0.1'
const MAX_ROUND_MS = 60_000
const open: IntegrityCheck[] = []
afterEach(async () => {
  for (const check of open.splice(0)) await check.stop()
})

const set = (name: string, more: Partial<ManagedSet> = {}): ManagedSet => ({
  zone: 'example.com',
  name: `${name}.example.com`,
  type: 'A',
  values: ['192.0.2.1'],
  proxied: null,
  domain_id: 1,
  ...more,
})

const shows = (name: string, ...values: string[]) => ({
  [`${name}.example.com A`]: own(values.map((value) => record(`${name}.example.com`, 'A', value))),
})

/** A house with these sets, of which one authoritative server and one resolver are asked. */
function house(...sets: ManagedSet[]) {
  const lookup = memoryDns({ [SERVER]: {}, [RESOLVER]: {} })
  const clock = handClock()
  const asleep: number[] = []
  const sleep = async (ms: number, end?: AbortSignal) => {
    asleep.push(ms)
    await clock.sleep(ms, end).finally(() => asleep.splice(asleep.indexOf(ms), 1))
  }
  const state = { sets, failure: null as Error | null, listed: 0, disputed: [] as string[] }
  const check = new IntegrityCheck({
    lookup,
    clock: { ...clock, sleep },
    log: silentLog,
    authoritative: [{ host: SERVER, port: 53 }],
    resolvers: async () => [at(RESOLVER)],
    managed: async () => {
      state.listed++
      if (state.failure !== null) throw state.failure
      return state.sets
    },
    disagrees: (zone) => void state.disputed.push(zone),
  })
  open.push(check)
  const put = (...entries: readonly object[]) => void Object.assign(lookup.world[SERVER]!, ...entries)
  const states = () =>
    Object.fromEntries(check.last?.names.map(({ set: { name }, state: how }) => [name, how]) ?? [])
  const report = () => integrityReport(check.last, { leftovers: [], unserved: [], now: clock.now() })
  /** For how long the timer sleeps; the bound of a check that runs is none. */
  const pauses = () => asleep.filter((ms) => ms !== MAX_ROUND_MS)
  return { lookup, clock, state, check, put, states, report, pauses }
}

const signal = new AbortController().signal

/** A question that is never answered. */
const held = ({ signal: end }: DnsQuery) =>
  new Promise<void>((_resolve, reject) =>
    end.addEventListener('abort', () => reject(end.reason as Error), { once: true }),
  )

describe('a check', () => {
  it('before the first there is nothing to tell', () => {
    expect(house(set('a')).report()).toMatchObject({
      ok: null,
      reason: expect.stringContaining('never ran') as unknown,
      checked_at: null,
      age_seconds: null,
      names: [],
    })
  })

  it('asks resolvers only about what the authoritative servers agree on', async () => {
    const { lookup, check, put, states } = house(set('a'), set('b'))
    put(shows('a', '192.0.2.1'), shows('b', '192.0.2.2'))
    await check.checkAll(signal)
    expect(states()).toEqual({ 'a.example.com': 'synced', 'b.example.com': 'propagating' })
    expect(lookup.asked.filter((line) => line.startsWith(RESOLVER))).toEqual([`${RESOLVER} a.example.com A+`])
  })

  it('tells all three vantages of a name, and its age', async () => {
    const { lookup, clock, check, put, report } = house(set('a'))
    put(shows('a', '192.0.2.1'))
    lookup.world[RESOLVER] = {
      'a.example.com A': reply({ answers: [record('a.example.com', 'A', '10.9.9.9')] }),
    }
    await check.checkAll(signal)
    clock.pass(90_000)
    expect(report()).toMatchObject({
      ok: true,
      reason: null,
      age_seconds: 90,
      counts: { synced: 1, propagating: 0, slow: 0, unknown: 0 },
      names: [
        {
          name: 'a.example.com',
          provider: ['192.0.2.1'],
          state: 'synced',
          authoritative: [{ address: '192.0.2.53:53', values: ['192.0.2.1'], agrees: true }],
          resolvers: [{ address: '10.0.0.1:53', values: ['10.9.9.9'], agrees: false, note: 'split_horizon' }],
        },
      ],
    })
  })

  it('disputes a zone when a name first differs, once more when its time is over, and never in between', async () => {
    const { check, put, clock, state } = house(set('a'), set('b'))
    put(shows('a', '192.0.2.1'), shows('b', '192.0.2.1'))
    await check.checkAll(signal)
    expect(state.disputed).toEqual([])
    put(shows('b', '192.0.2.2'))
    await check.checkAll(signal)
    await check.checkAll(signal)
    expect(state.disputed).toEqual(['example.com'])
    clock.pass(600_001)
    await check.checkAll(signal)
    await check.checkAll(signal)
    expect(state.disputed).toEqual(['example.com', 'example.com'])
  })

  it('behind the provider’s proxy only asks that the name answers', async () => {
    const { check, put, states } = house(set('a', { proxied: true }), set('b', { proxied: true }))
    put(shows('a', '198.51.100.9'), shows('b'))
    await check.checkAll(signal)
    expect(states()).toEqual({ 'a.example.com': 'synced', 'b.example.com': 'propagating' })
  })

  it('that does not know what stands at the provider keeps what it found, and is never fine', async () => {
    const { check, put, state, states, report } = house(set('a'))
    put(shows('a', '192.0.2.1'))
    await check.checkAll(signal)
    state.failure = new Error('the database is locked')
    await check.checkAll(signal)
    expect(states()).toEqual({ 'a.example.com': 'synced' })
    expect(report()).toMatchObject({
      ok: null,
      reason: expect.stringContaining('database is locked') as unknown,
    })
  })

  it('forgets names that are kept no more, and what was found of other values', async () => {
    const { check, put, state, states } = house(set('a'), set('b'))
    put(shows('a', '192.0.2.1'), shows('b'))
    await check.checkAll(signal)
    state.sets = [set('b', { values: ['192.0.2.8'] })]
    put(shows('b', '192.0.2.8'))
    await check.checkAll(signal)
    expect(states()).toEqual({ 'b.example.com': 'synced' })
  })

  it('has at most sixteen names in the works', async () => {
    const sets = Array.from({ length: 50 }, (_, i) => set(`n${i}`))
    const { lookup, check, put } = house(...sets)
    put(...sets.map((_, i) => shows(`n${i}`, '192.0.2.1')))
    let now = 0
    let most = 0
    lookup.gate = async () => {
      most = Math.max(most, ++now)
      await new Promise((resolve) => setImmediate(resolve))
      now--
    }
    await check.checkAll(signal)
    expect(most).toBe(16)
    expect(check.last?.names.every(({ state }) => state === 'synced')).toBe(true)
  })

  it('asks a dead server once and not for each of a thousand names', async () => {
    const { lookup, check, report } = house(...Array.from({ length: 1000 }, (_, i) => set(`n${i}`)))
    await check.checkAll(signal)
    // Those that were asked before the first of them came back.
    expect(lookup.asked.length).toBeLessThanOrEqual(16)
    expect(report()).toMatchObject({ ok: null, counts: { unknown: 1000 } })
  })

  it('a dead resolver takes nothing from the verdict, however many names there are', async () => {
    const sets = Array.from({ length: 1000 }, (_, i) => set(`n${i}`))
    const { lookup, check, put, report } = house(...sets)
    put(...sets.map((_, i) => shows(`n${i}`, '192.0.2.1')))
    await check.checkAll(signal)
    expect(report()).toMatchObject({ ok: true, counts: { synced: 1000 } })
    expect(lookup.asked.filter((line) => line.startsWith(RESOLVER)).length).toBeLessThanOrEqual(16)
  })

  it('ends after a minute: what it did not reach keeps its state, and comes first in the next', async () => {
    const { lookup, clock, check, put, states, state } = house(set('a'), set('b'))
    put(shows('a', '192.0.2.1'), shows('b', '192.0.2.1'))
    await check.checkAll(signal)
    state.sets = [set('a'), set('b'), set('c')]
    put(shows('c', '192.0.2.1'))
    lookup.gate = held
    lookup.asked.length = 0
    const round = check.checkAll(signal)
    await expect.poll(() => lookup.asked.length).toBe(3)
    clock.pass(60_000)
    await round
    expect(states()).toEqual({
      'a.example.com': 'synced',
      'b.example.com': 'synced',
      'c.example.com': 'unknown',
    })
    lookup.gate = async () => undefined
    lookup.asked.length = 0
    await check.checkAll(signal)
    expect(lookup.asked[0]).toBe(`${SERVER} c.example.com A`)
    expect(states()).toMatchObject({ 'c.example.com': 'synced' })
  })
})

describe('the timer', () => {
  type House = ReturnType<typeof house>

  /** So many checks have ended, and the timer sleeps for so long. */
  const pausing = (parts: House, checks: number, ms: number) =>
    expect.poll(() => [parts.state.listed, ...parts.pauses()], { interval: 1 }).toEqual([checks, ms])

  it('looks at once, and then every ten minutes while all is in place', async () => {
    const parts = house(set('a'))
    parts.put(shows('a', '192.0.2.1'))
    parts.check.start()
    for (const checks of [1, 2, 3]) {
      await pausing(parts, checks, 2000)
      parts.clock.pass(2000)
      await pausing(parts, checks, 598_000)
      parts.clock.pass(598_000)
    }
    await pausing(parts, 4, 2000)
    expect(parts.report()).toMatchObject({ ok: true })
  })

  it('looks every two seconds at what is on its way, and only at that, until it is there', async () => {
    const parts = house(set('a'), set('b'))
    parts.put(shows('a', '192.0.2.1'), shows('b'))
    parts.check.start()
    await pausing(parts, 1, 2000)
    parts.lookup.asked.length = 0
    for (const checks of [2, 3]) {
      parts.clock.pass(2000)
      await pausing(parts, checks, 2000)
    }
    expect(parts.lookup.asked).toEqual([`${SERVER} b.example.com A`, `${SERVER} b.example.com A`])
    parts.put(shows('b', '192.0.2.1'))
    parts.clock.pass(2000)
    await pausing(parts, 4, 2000)
    expect(parts.states()).toEqual({ 'a.example.com': 'synced', 'b.example.com': 'synced' })
    parts.clock.pass(2000)
    await pausing(parts, 4, 592_000)
  })

  it('goes on looking when a server failed for a moment, because the name may still arrive', async () => {
    const parts = house(set('a'))
    parts.put(shows('a'))
    parts.check.start()
    await pausing(parts, 1, 2000)
    parts.put({ 'a.example.com A': failure('malformed') })
    parts.clock.pass(2000)
    await pausing(parts, 2, 2000)
    expect(parts.states()).toEqual({ 'a.example.com': 'unknown' })
    parts.put(shows('a', '192.0.2.1'))
    parts.clock.pass(2000)
    await pausing(parts, 3, 2000)
    expect(parts.states()).toEqual({ 'a.example.com': 'synced' })
  })

  it('after a minute on its way a name is looked at every ten seconds, and after ten minutes it is slow', async () => {
    const parts = house(set('a'))
    parts.put(shows('a'))
    parts.check.start()
    const since = parts.clock.now()
    const age = () => parts.clock.now() - since
    let checks = 1
    for (; age() < 58_000; checks++) {
      await pausing(parts, checks, 2000)
      parts.clock.pass(2000)
    }
    for (; age() < 598_000; checks++) {
      await pausing(parts, checks, 2000)
      parts.clock.pass(2000)
      await pausing(parts, checks, 8000)
      parts.clock.pass(8000)
    }
    expect(checks).toBe(1 + 29 + 54)
    // The check of everything is due.
    await pausing(parts, checks, 2000)
    parts.clock.pass(2000)
    await pausing(parts, checks + 1, 2000)
    expect(parts.states()).toEqual({ 'a.example.com': 'propagating' })
    parts.clock.pass(2000)
    await pausing(parts, checks + 1, 8000)
    parts.clock.pass(8000)
    await pausing(parts, checks + 2, 2000)
    expect(parts.states()).toEqual({ 'a.example.com': 'slow' })
    expect(parts.report()).toMatchObject({
      ok: false,
      reason: '1 not in place ten minutes after the change.',
    })
  })

  it('looks soon after something was written, and not more often than every two seconds', async () => {
    const parts = house(set('a'))
    parts.put(shows('a', '192.0.2.1'))
    parts.check.start()
    await pausing(parts, 1, 2000)
    parts.clock.pass(2000)
    await pausing(parts, 1, 598_000)
    parts.check.changed()
    await pausing(parts, 2, 2000)
    parts.check.changed()
    parts.check.changed()
    parts.clock.pass(1999)
    await pausing(parts, 2, 2000)
    parts.clock.pass(1)
    await pausing(parts, 3, 2000)
    parts.clock.pass(2000)
    await pausing(parts, 3, 598_000)
  })

  it('goes on after trouble', async () => {
    const parts = house(set('a'))
    parts.put(shows('a', '192.0.2.1'))
    parts.state.failure = new Error('not now')
    parts.check.start()
    await pausing(parts, 1, 2000)
    parts.state.failure = null
    parts.clock.pass(2000)
    await pausing(parts, 1, 598_000)
    parts.clock.pass(598_000)
    await pausing(parts, 2, 2000)
    expect(parts.report()).toMatchObject({ ok: true })
  })

  it('stops in the middle of a question, and can be started again', async () => {
    const parts = house(set('a'))
    parts.put(shows('a', '192.0.2.1'))
    parts.lookup.gate = held
    parts.check.start()
    await expect.poll(() => parts.lookup.asked.length).toBe(1)
    await parts.check.stop()
    expect(parts.clock.sleepers()).toBe(0)
    expect(parts.check.last).toBeNull()
    parts.lookup.gate = async () => undefined
    parts.check.start()
    await pausing(parts, 2, 2000)
    expect(parts.report()).toMatchObject({ ok: true })
  })
})
