/** Rounds: looks that hang, heed nothing, throw or lie leave their part unknown, hold up nobody, and recover. */
import { afterEach, describe, expect, it } from 'vitest'
import { Failure } from '../../../../src/kernel/failure.ts'
import { silentLog } from '../../../../src/kernel/log.ts'
import { type HealthCheck, healthy, impaired, type LookAsk } from '../../../../src/core/check.ts'
import { InvariantWatch } from '../../../../src/features/health/rounds/invariant-watch.ts'
import { HealthRounds } from '../../../../src/features/health/rounds/rounds.ts'
import { watchedComponent } from '../../../../src/features/health/rounds/watched-component.ts'
import type { CheckInvariants } from '../../../../src/ports/invariants.ts'
import { handClock } from '../../../fakes/hand-clock.ts'

const open: HealthRounds[] = []
afterEach(async () => {
  for (const rounds of open.splice(0)) await rounds.stop()
})

type Look = (ask: LookAsk) => Promise<unknown>

const HOLDS: CheckInvariants = () =>
  Promise.resolve([{ name: 'names_unique', promise: 'p', holds: true, detail: null, checked_at: 0 }])

function house(looks: Readonly<Record<string, Look>>, over: Partial<HealthCheck> = {}, check = HOLDS) {
  const clock = handClock()
  const checks = Object.entries(looks).map(([name, look]): HealthCheck => ({
    name,
    kind: 'watch',
    configured: true,
    every_ms: 30_000,
    look: look as HealthCheck['look'],
    ...over,
  }))
  const invariants = new InvariantWatch({ clock, log: silentLog, check })
  const rounds = new HealthRounds({ clock, log: silentLog, checks: () => checks, invariants })
  open.push(rounds)
  const row = (name: string) =>
    watchedComponent(
      rounds.watched().find((one) => one.check.name === name)!,
      clock.now(),
    )
  /** A round in which every look that hangs is given up. */
  const probe = async () => {
    const probing = rounds.probe()
    await settled()
    clock.pass(1500)
    await probing
  }
  return { clock, rounds, invariants, row, probe }
}

/** Lets whatever needs no time go on. */
const settled = () => new Promise((resolve) => setImmediate(resolve))

const hung = () => new Promise<never>(() => undefined)
const heeding = ({ signal }: LookAsk) =>
  new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)))

describe('a look', () => {
  it.each<[string, Look, object]>([
    ['that is good', () => Promise.resolve(healthy('fine')), { ok: true, drift: false, reason: 'healthy' }],
    [
      'that finds something wrong',
      () => Promise.resolve(impaired('offline', 'silent')),
      { ok: false, drift: false, cause: 'offline' },
    ],
    ['that hangs and heeds its end', heeding, { ok: false, drift: null, reason: 'timed_out' }],
    ['that hangs and heeds nothing', hung, { ok: false, drift: null, reason: 'timed_out' }],
    [
      'that fails with a reason',
      () => Promise.reject(new Failure('component_unavailable', 'It is away.')),
      { ok: false, drift: null, reason: 'unreachable', message: 'It is away.' },
    ],
    [
      'that breaks',
      () => Promise.reject(new Error('secret inside')),
      { ok: false, drift: null, reason: 'broken' },
    ],
    [
      'that throws before it begins',
      () => {
        throw new TypeError('undefined is no function')
      },
      { ok: false, drift: null, reason: 'broken' },
    ],
    ['that gives nothing', () => Promise.resolve(undefined), { ok: false, drift: null, reason: 'malformed' }],
    [
      'that gives a page for people',
      () => Promise.resolve('<html>'),
      { ok: false, drift: null, reason: 'malformed' },
    ],
    [
      'that says ok and unknown at once',
      () => Promise.resolve({ ...healthy('fine'), drift: null }),
      { ok: false, drift: null, reason: 'malformed' },
    ],
    [
      'that tells a time that is none',
      () => Promise.resolve(healthy('fine', { observed_at: Number.NaN })),
      { ok: false, drift: null, reason: 'malformed' },
    ],
  ])('%s', async (_, look, finding) => {
    const at = house({ it: look, beside: () => Promise.resolve(healthy('fine')) })
    await at.probe()
    expect(at.row('it')).toMatchObject(finding)
    expect(at.row('it').message).not.toContain('secret')
    expect(at.row('beside')).toMatchObject({ ok: true })
  })

  it('that overstays is not begun a second time, and the part recovers when it has ended', async () => {
    let looks = 0
    let end = (): void => undefined
    const at = house({
      it: async () => {
        if (++looks === 1) await new Promise<void>((resolve) => (end = resolve))
        return healthy('fine')
      },
    })
    await at.probe()
    await at.probe()
    expect(looks).toBe(1)
    expect(at.row('it')).toMatchObject({ drift: null, message: 'An earlier look at it has not ended yet.' })
    end()
    await settled()
    await at.probe()
    expect(looks).toBe(2)
    expect(at.row('it')).toMatchObject({ ok: true })
  })
})

describe('a probe', () => {
  it('is shared by all who ask while a look is under way, and begins after they asked', async () => {
    let looks = 0
    const at = house({ it: () => Promise.resolve((looks++, healthy('fine'))) })
    await Promise.all(Array.from({ length: 100 }, () => at.rounds.probe()))
    expect(looks).toBe(2)
    await at.rounds.probe()
    expect(looks).toBe(3)
  })

  it('sees what happened while an earlier look was under way', async () => {
    let is_well = true
    const first = Promise.withResolvers<void>()
    let looks = 0
    const at = house({
      it: async () => {
        const seen = is_well
        if (looks++ === 0) await first.promise
        return seen ? healthy('fine') : impaired('offline', 'silent')
      },
    })
    const earlier = at.rounds.probe()
    is_well = false
    const later = at.rounds.probe()
    first.resolve()
    await Promise.all([earlier, later])
    expect(at.row('it')).toMatchObject({ ok: false })
  })

  it('does not look at what is not set up', async () => {
    const at = house({ it: () => Promise.reject(new Error('never')) }, { configured: false })
    await at.rounds.probe()
    expect(at.row('it')).toMatchObject({ configured: false, ok: true, drift: false })
  })
})

describe('rounds', () => {
  it('look again by themselves, at the pace of each, and sooner at what is not well', async () => {
    let looks = 0
    let well = true
    const at = house(
      { it: () => Promise.resolve((looks++, well ? healthy('fine') : impaired('offline', 'silent'))) },
      { every_ms: 300_000 },
    )
    at.rounds.start()
    await settled()
    expect(looks).toBe(1)
    const pass = async (ms: number) => {
      for (let gone = 0; gone < ms; gone += 30_000) {
        at.clock.pass(30_000)
        await settled()
      }
    }
    await pass(240_000)
    expect(looks).toBe(1)
    well = false
    await pass(60_000)
    expect(looks).toBe(2)
    await pass(60_000)
    expect(looks).toBe(3)
  })

  it('of what stands in files comes at the next tick after its stamp has changed, or cannot be told', async () => {
    let looks = 0
    let stamp: string | null = 'one'
    const at = house(
      { it: () => Promise.resolve((looks++, healthy('fine'))) },
      { every_ms: 300_000, glance: () => stamp },
    )
    at.rounds.start()
    const tick = async () => {
      await settled()
      at.clock.pass(3000)
      await settled()
    }
    await tick()
    await tick()
    expect(looks).toBe(1)
    stamp = 'two'
    await tick()
    await tick()
    expect(looks).toBe(2)
    stamp = null
    await tick()
    await tick()
    expect(looks).toBe(4)
  })

  it('since tells the last transition and not the last look', async () => {
    let well = true
    const at = house({ it: () => Promise.resolve(well ? healthy('fine') : impaired('offline', 'silent')) })
    await at.rounds.probe()
    const began = at.clock.now()
    at.clock.pass(1000)
    await at.rounds.probe()
    expect(at.row('it').since).toBe(began)
    well = false
    await at.rounds.probe()
    expect(at.row('it').since).toBe(began + 1000)
  })

  it('what nobody looks at any more becomes unknown, however well it was', async () => {
    const at = house({ it: () => Promise.resolve(healthy('fine')) })
    await at.rounds.probe()
    at.clock.pass(90_000)
    expect(at.row('it')).toMatchObject({ ok: true, stale: false })
    at.clock.pass(1)
    expect(at.row('it')).toMatchObject({ ok: false, drift: null, reason: 'stale', stale: true })
  })

  it('a finding is as old as what it tells', async () => {
    const at = house({
      it: () => Promise.resolve(healthy('fine', { observed_at: at.clock.now() - 100_000 })),
    })
    await at.rounds.probe()
    expect(at.row('it')).toMatchObject({ ok: false, drift: null, reason: 'stale' })
  })

  it('end at once while a look hangs', async () => {
    const at = house({ it: hung })
    at.rounds.start()
    await settled()
    await at.rounds.stop()
    expect(at.clock.sleepers()).toBe(0)
  })
})

describe('the rules of the database', () => {
  it('are looked at soon after somebody else has written, and not more often while they go on', async () => {
    let looks = 0
    let written = 1
    const clock = handClock()
    const check: CheckInvariants = (signal) => (looks++, HOLDS(signal))
    const strangersStamp = () => String(written)
    const watch = new InvariantWatch({ clock, log: silentLog, check, strangersStamp })
    const pass = async (ms: number) => {
      clock.pass(ms)
      await watch.round(false, new AbortController().signal)
    }
    await pass(0)
    await pass(60_000)
    expect(looks).toBe(1)
    written++
    await pass(3000)
    expect(looks).toBe(2)
    written++
    await pass(3000)
    expect(looks).toBe(2)
    await pass(27_000)
    expect(looks).toBe(3)
    await pass(60_000)
    expect(looks).toBe(3)
  })

  it('are unknown before the first look, and each by its name after one that failed', async () => {
    let broken = false
    const at = house({}, {}, (signal) =>
      broken ? Promise.reject(new Failure('store_unavailable', 'The disk is gone.')) : HOLDS(signal),
    )
    expect(at.invariants.present()).toMatchObject([{ holds: null }])
    await at.rounds.probe()
    expect(at.invariants.present()).toMatchObject([{ name: 'names_unique', holds: true }])
    broken = true
    await at.rounds.probe()
    expect(at.invariants.present()).toMatchObject([
      { name: 'names_unique', holds: null, detail: 'The disk is gone.' },
    ])
    broken = false
    await at.rounds.probe()
    expect(at.invariants.present()).toMatchObject([{ holds: true }])
  })

  it('are unknown when the last look is too old', async () => {
    const at = house({})
    await at.rounds.probe()
    at.clock.pass(15 * 60_000 + 1)
    expect(at.invariants.present()).toMatchObject([{ name: 'names_unique', holds: null }])
  })

  it('an empty list is no proof that they hold', async () => {
    const at = house({}, {}, () => Promise.resolve([]))
    await at.rounds.probe()
    expect(at.invariants.present()).toMatchObject([{ holds: null }])
  })
})

describe('a look by somebody else', () => {
  it('is on the page at once, and gives way to the next look of our own', async () => {
    const { rounds, row, probe, clock } = house({ part: () => Promise.resolve(healthy('fine')) })
    await probe()
    clock.pass(1000)
    rounds.note('part', impaired('broken', 'seen elsewhere'), clock.elapsed())
    expect(row('part')).toMatchObject({ ok: false, cause: 'broken', observed_at: clock.now() })
    expect(row('part').since).toBe(clock.now())
    clock.pass(1000)
    await probe()
    expect(row('part')).toMatchObject({ ok: true })
  })

  it('says nothing against a look that began later', async () => {
    const { rounds, row, probe, clock } = house({ part: () => Promise.resolve(healthy('fine')) })
    const began_ms = clock.elapsed()
    clock.pass(1000)
    await probe()
    rounds.note('part', impaired('broken', 'seen elsewhere'), began_ms)
    expect(row('part')).toMatchObject({ ok: true })
  })

  it('stands against a look of our own that began earlier and ends later', async () => {
    const gate = Promise.withResolvers<unknown>()
    const { rounds, row, clock } = house({ part: () => gate.promise })
    const probing = rounds.probe()
    await settled()
    clock.pass(100)
    rounds.note('part', impaired('broken', 'seen elsewhere'), clock.elapsed())
    gate.resolve(healthy('fine'))
    await probing
    expect(row('part')).toMatchObject({ ok: false, cause: 'broken' })
  })

  it('of a part that is not set up, or that nobody knows, changes nothing', () => {
    const { rounds, row } = house({ part: hung }, { configured: false })
    rounds.note('part', healthy('fine'), 0)
    rounds.note('nobody', healthy('fine'), 0)
    expect(row('part')).toMatchObject({ configured: false, observed_at: null })
  })
})
