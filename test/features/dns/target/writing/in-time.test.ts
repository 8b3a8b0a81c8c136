/** A server that takes long for each failure, or for each change: the work ends before the pass does, and says how far it came. */
import { describe, expect, it } from 'vitest'
import type { Repair } from '../../../../../src/engine/target.ts'
import { type Bench, bench } from '../bench.ts'
import { PROFILE_NAMES, PROFILES, type ProfileName } from '../profiles.ts'
import { desiredOf } from '../rows.ts'

const PASS_MS = 60_000
const namesOf = (count: number) =>
  Array.from({ length: count }, (_, i) => `n${String(i).padStart(2, '0')}.example.com`)
const wanting = (names: readonly string[]) => desiredOf(names.map((domain) => ({ domain })))
const standing = ({ provider }: Bench) =>
  [...provider.now().values()].flatMap(({ name, type }) => (type === 'A' ? [name] : [])).sort()

interface Slow {
  readonly at: Bench
  /** A pass as the engine makes it: whatever is not done by its end is broken off. */
  readonly pass: (names: readonly string[]) => ReturnType<Bench['pass']>
  readonly clock: { left_ms: number; requests: number }
}

/** @param takes milliseconds that a request takes, by whether the server fails at it */
function slow(profile: ProfileName, takes: { readonly ok: number; readonly failed: number }): Slow {
  const at = bench(profile)
  const clock = { left_ms: 0, requests: 0 }
  const change = at.provider.change.bind(at.provider)
  let ends = new AbortController()
  let ends_at = 0
  const spend = (ms: number) => {
    at.clock.at += ms
    clock.left_ms = ends_at - at.clock.at
    if (clock.left_ms <= 0) ends.abort(new DOMException('The pass is over.', 'TimeoutError'))
    ends.signal.throwIfAborted()
  }
  at.provider.change = async (...asked) => {
    clock.requests++
    try {
      const outcomes = await change(...asked)
      spend(outcomes.some(({ ok }) => !ok) ? takes.failed : takes.ok)
      return outcomes
    } catch (error) {
      spend(takes.failed)
      throw error
    }
  }
  return {
    at,
    clock,
    pass(names) {
      ends = new AbortController()
      ends_at = at.clock.at + PASS_MS
      return at.pass(wanting(names), ends.signal, ends_at)
    },
  }
}

const untried = (repairs: readonly Repair[]) =>
  repairs.flatMap((repair) => (!repair.ok && repair.unfinished === true ? [repair.key] : []))
const failures = (repairs: readonly Repair[]) =>
  repairs.flatMap((repair) => (!repair.ok && repair.unfinished !== true ? [repair] : []))
const keys = (names: readonly string[]) => names.map((name) => `${name} A`)

/** Those that send several sets in one request. */
const BATCHING = PROFILE_NAMES.filter((name) => PROFILES[name].atomic)

describe.each(BATCHING)('%s: a server that takes twelve seconds for each failure', (profile) => {
  const names = namesOf(8)
  const BAD = [names[0]!, names[4]!]

  it('is not divided into the end of the pass: what was not tried is told so, and is no refusal', async () => {
    const { at, pass, clock } = slow(profile, { ok: 0, failed: 12_000 })
    for (const name of BAD) at.provider.fails_at.add(name)
    const { known, repairs } = await pass(names)
    expect(known).toBe(true)
    expect(clock.left_ms).toBeGreaterThan(10_000)
    expect(untried(repairs).length).toBeGreaterThan(0)
    const told = [...untried(repairs), ...failures(repairs).map(({ key }) => key)]
    // Every one that does not stand says why, and nothing is called done that does not stand.
    expect(told.sort()).toEqual(keys(names.filter((name) => !standing(at).includes(name))))
    for (const { failure } of failures(repairs)) expect(failure.code).toBe('component_unavailable')
    for (const row of at.ledger.rows.values()) expect(row.state).toMatch(/^(?:owned|sending)$/)
    const noted = new Set([...at.ledger.rows.values()].map(({ name }) => name))
    for (const name of standing(at)) expect(noted).toContain(name)
  })

  it('the few that could not be told apart wait, so that the others get through in the next pass', async () => {
    const { at, pass } = slow(profile, { ok: 0, failed: 25_000 })
    at.provider.fails_at.add(names[0]!)
    const first = await pass(names)
    const waiting = failures(first.repairs)
    expect(waiting.map(({ key }) => key)).toContain(`${names[0]} A`)
    expect(waiting.every(({ failure }) => failure.retry_after_ms >= 60_000)).toBe(true)
    const others = names.filter((name) => !waiting.some(({ key }) => key === `${name} A`))
    expect(others.length).toBeGreaterThan(0)
    const second = await pass(others)
    expect(second.left).toBe(0)
    expect(standing(at)).toEqual(others)
  })
})

describe.each(PROFILE_NAMES)('%s: a server that takes nine seconds for each change', (profile) => {
  const names = namesOf(40)

  it('is written to pass by pass, each of which ends in time and knows what it did', async () => {
    const { at, pass, clock } = slow(profile, { ok: 9_000, failed: 9_000 })
    const counts: number[] = []
    for (let passes = 0; passes < 40 && standing(at).length < names.length; passes++) {
      const { repairs } = await pass(names)
      expect(clock.left_ms).toBeGreaterThan(0)
      expect(failures(repairs)).toEqual([])
      expect(untried(repairs).length + standing(at).length).toBe(names.length)
      counts.push(standing(at).length)
    }
    expect(counts.at(-1)).toBe(names.length)
    expect(counts.length).toBeGreaterThan(1)
    expect(new Set(counts).size).toBe(counts.length)
  })
})

describe('a pass that is late when it begins to write', () => {
  it('sends one request all the same, so that every pass comes further', async () => {
    const { at, pass, clock } = slow('powerdns_like', { ok: 0, failed: 0 })
    const list = at.provider.list.bind(at.provider)
    at.provider.list = async (...asked) => {
      at.clock.at += 25_000
      return list(...asked)
    }
    const names = namesOf(8)
    await at.look()
    at.clock.at += 86_400_000
    const { repairs } = await pass(names)
    expect(clock.requests).toBeGreaterThan(0)
    expect(repairs.some(({ ok }) => ok)).toBe(true)
  })
})
