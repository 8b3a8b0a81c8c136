/** Rounds are bounded in number and time, whatever the proxy does, and nobody is forgotten. */
import { expect, it } from 'vitest'
import { systemClock } from '../../../../src/kernel/clock.ts'
import { Failure } from '../../../../src/kernel/failure.ts'
import type { ProbeAnswer, ProbeQuestion, SsoProbe } from '../../../../src/features/sso/probe-port.ts'
import type { ProvenRoute } from '../../../../src/features/sso/proof/provable.ts'
import { Rounds } from '../../../../src/features/sso/proof/rounds.ts'
import type { Proof } from '../../../../src/features/sso/service.ts'

const REFUSED: ProbeAnswer = { status: 401, location: null, words: null }
/** Refuses as well, so that each refusal is its own. */
const PROVIDER: SsoProbe = { ask: () => Promise.resolve(REFUSED) }
const routes: readonly ProvenRoute[] = Array.from({ length: 1000 }, (_, i) => ({
  domain: `d${i}.example.com`,
  domain_id: i,
  host: `d${i}.example.com`,
  asks: [
    { door: 'tls', path: '/' },
    { door: 'plain', path: '/' },
  ],
  by_address: false,
  by_own_check: false,
}))

/** A world in which every question takes so long. */
function worldOf(takes_ms: number, answer: (question: ProbeQuestion) => ProbeAnswer | null) {
  const world = { now: 1_000_000, asked: [] as ProbeQuestion[], at_once: 0, max_at_once: 0 }
  const probe: SsoProbe = {
    async ask(question) {
      world.asked.push(question)
      world.max_at_once = Math.max(world.max_at_once, ++world.at_once)
      await Promise.resolve()
      world.at_once--
      // Eight go on side by side.
      world.now += takes_ms / 8
      const found = answer(question)
      if (found === null) throw new Failure('component_unavailable', 'nobody answers')
      return found
    },
  }
  const clock = { now: () => world.now, elapsed: () => world.now, sleep: () => Promise.resolve() }
  return { world, rounds: new Rounds({ probe, provider: PROVIDER, clock }) }
}

const { signal } = new AbortController()

it('a proxy that answers is asked each question once, eight at a time', async () => {
  const { world, rounds } = worldOf(10, () => REFUSED)
  const known = await rounds.ask(routes, signal)
  expect(known.size).toBe(1000)
  expect(world.asked.length).toBe(2000)
  expect(world.max_at_once).toBeLessThanOrEqual(8)
  await rounds.ask(routes, signal)
  expect(world.asked.length).toBe(2000)
})

it('a proxy that is not there is not asked for a thousand names', async () => {
  const { world, rounds } = worldOf(2_000, () => null)
  await rounds.ask(routes, signal)
  expect(world.asked.length).toBeLessThan(32)
  expect(rounds.isUnreachable()).toBe(true)
  // It is looked for again with the next tick.
  expect(rounds.glance()).toBeNull()
})

it('a slow proxy ends the round in time; who was left is first in the next, until all are known', async () => {
  const { world, rounds } = worldOf(1_000, () => REFUSED)
  let passes = 0
  for (; rounds.last().size < routes.length; passes++) {
    const began = world.now
    await rounds.ask(routes, signal)
    expect(world.now - began).toBeLessThan(20_000)
    expect(passes).toBeLessThan(100)
  }
  expect(passes).toBeGreaterThan(1)
})

it('a name whose backend hangs keeps nobody else from being asked', async () => {
  const { rounds } = worldOf(10, ({ host }) => (/^d\d[05]\./.test(host) ? null : REFUSED))
  const known = await rounds.ask(routes, signal)
  expect(known.size).toBe(1000)
  expect(known.get('d10.example.com')).toMatchObject({ result: 'unknown' })
  expect(known.get('d11.example.com')).toMatchObject({ result: 'closed' })
})

it('content at one of its doors makes the whole route suspect, and open when it is seen again', async () => {
  const { world, rounds } = worldOf(10, ({ door }) =>
    door === 'plain' ? { ...REFUSED, status: 200 } : REFUSED,
  )
  const [route] = routes
  const seen = async () => (await rounds.ask([route!], signal)).get('d0.example.com')?.result
  expect(await seen()).toBe('suspect')
  world.now += 10_000
  expect(await seen()).toBe('open')
})

/** Looks as often as the daemon asks whether somebody is due, so long; says when something is first so. */
async function until(
  { world, rounds }: ReturnType<typeof worldOf>,
  asked: readonly ProvenRoute[],
  isSo: () => boolean,
): Promise<number> {
  const began = world.now
  while (!isSo()) {
    if (rounds.glance() === null) await rounds.ask(asked, signal)
    world.now += 1_000
    expect(world.now - began).toBeLessThan(200_000)
  }
  return world.now - began
}

it.each([0, 500, 20_000, 59_000, 59_900])(
  'at rest a route that opens %d ms after it was asked is told within 65 s',
  async (after_ms) => {
    let open = false
    const at = worldOf(100, ({ host }) => ({
      ...REFUSED,
      status: open && host.startsWith('d7.') ? 200 : 401,
    }))
    const few = routes.slice(0, 50)
    await at.rounds.ask(few, signal)
    // Each has a due time of its own, so that it does not matter when the minute begins.
    for (let i = 0; i < 90; i++) {
      at.world.now += 1_000
      if (at.rounds.glance() === null) await at.rounds.ask(few, signal)
    }
    const asked_at = at.rounds.last().get('d7.example.com')!.at
    at.world.now = Math.max(at.world.now, asked_at + after_ms)
    open = true
    const isTold = () => at.rounds.last().get('d7.example.com')?.result === 'open'
    expect(await until(at, few, isTold)).toBeLessThanOrEqual(65_000)
  },
)

it('nobody is asked more often than it takes', async () => {
  const at = worldOf(100, () => REFUSED)
  const few = routes.slice(0, 50)
  await until(at, few, () => at.world.now >= 1_000_000 + 130_000)
  // At the start and after each minute.
  expect(at.world.asked.length).toBeLessThanOrEqual(3 * 100)
})

it('a proxy that has not loaded a fresh deploy is asked again within seconds, and less often the longer that takes', async () => {
  let loaded = false
  const at = worldOf(100, () => ({ ...REFUSED, status: loaded ? 401 : 404 }))
  const [route] = routes
  at.rounds.written()
  await at.rounds.ask([route!], signal)
  const began = at.world.now
  await until(at, [route!], () => at.world.now - began >= 3_000)
  loaded = true
  const isClosed = () => at.rounds.last().get('d0.example.com')?.result === 'closed'
  expect(await until(at, [route!], isClosed)).toBeLessThanOrEqual(5_000)
  loaded = false
  at.rounds.invalidate()
  const asked = at.world.asked.length
  await until(at, [route!], () => at.world.now - began >= 150_000)
  expect(at.world.asked.length - asked).toBeLessThanOrEqual(2 * 10)
})

it('content that the earlier file serves is no open route; it is one as soon as the proxy shows the new one', async () => {
  const at = worldOf(100, () => ({ ...REFUSED, status: 200 }))
  const [route] = routes
  const result = () => at.rounds.last().get('d0.example.com')?.result
  at.rounds.written()
  await at.rounds.ask([route!], signal)
  const began = at.world.now
  await until(at, [route!], () => {
    if (at.world.now - began < 7_000) expect(result()).not.toBe('open')
    return at.world.now - began >= 7_000
  })
  at.rounds.loaded()
  at.world.now += 1
  expect(await until(at, [route!], () => result() === 'open')).toBeLessThanOrEqual(5_000)
})

it('content is told after a while, too, where the routes are written again and again', async () => {
  const at = worldOf(100, () => ({ ...REFUSED, status: 200 }))
  const [route] = routes
  await at.rounds.ask([route!], signal)
  const isTold = () => {
    at.rounds.written()
    return at.rounds.last().get('d0.example.com')?.result === 'open'
  }
  expect(await until(at, [route!], isTold)).toBeLessThanOrEqual(40_000)
})

/** A clock whose wall time somebody sets while time goes on. */
function steppedWorld(answer: () => ProbeAnswer) {
  const world = { elapsed_ms: 0, wall: 1_000_000_000, asked: 0 }
  const probe: SsoProbe = {
    ask() {
      world.asked++
      return Promise.resolve(answer())
    },
  }
  const clock = {
    now: () => world.wall + world.elapsed_ms,
    elapsed: () => world.elapsed_ms,
    sleep: () => Promise.resolve(),
  }
  return { world, rounds: new Rounds({ probe, provider: PROVIDER, clock }) }
}
const HOUR_MS = 3_600_000
const few = routes.slice(0, 2)

it('a clock that is set back keeps no open route from being told', async () => {
  const { world, rounds } = steppedWorld(() => ({ ...REFUSED, status: 200 }))
  await rounds.ask(few, signal)
  world.wall -= HOUR_MS
  world.elapsed_ms += 3_000
  const known = await rounds.ask(few, signal)
  expect([...known.values()].map(({ result }) => result)).toEqual(['open', 'open'])
})

it('a clock that is set back has nobody asked without a rest', async () => {
  const { world, rounds } = steppedWorld(() => REFUSED)
  await rounds.ask(few, signal)
  rounds.invalidate()
  world.wall -= HOUR_MS
  for (let second = 0; second < 30; second++) {
    world.elapsed_ms += 1_000
    if (rounds.glance() === null) await rounds.ask(few, signal)
  }
  expect(world.asked).toBe(8)
})

// Whoever wants to know how it is now.

/** A world on the real clock, in which a question takes so long. */
function slowWorld(
  takes_ms: number,
  answer: (question: ProbeQuestion) => ProbeAnswer | null = () => REFUSED,
) {
  const world = { asked: [] as string[], at_once: 0, max_at_once: 0 }
  const probe: SsoProbe = {
    async ask(question) {
      world.asked.push(question.host)
      world.max_at_once = Math.max(world.max_at_once, ++world.at_once)
      await systemClock.sleep(takes_ms)
      world.at_once--
      const found = answer(question)
      if (found === null) throw new Failure('component_unavailable', 'nobody answers')
      return found
    },
  }
  const provider: SsoProbe = { ask: () => Promise.resolve(REFUSED) }
  return { world, rounds: new Rounds({ probe, provider, clock: systemClock }) }
}
const one_door = routes.map((route) => ({ ...route, asks: route.asks.slice(0, 1) }))
const resultsOf = (found: ReadonlyMap<string, Proof>): Record<string, number> =>
  Object.fromEntries(
    [...Map.groupBy(found.values(), ({ result }) => result)].map(([result, all]) => [result, all.length]),
  )

it('a caller is told of what was asked after the call; what was not asked in time is unknown, though it was closed', async () => {
  const { world, rounds } = slowWorld(1)
  await rounds.ask(one_door, signal)
  expect(resultsOf(rounds.last())).toEqual({ closed: 1000 })
  world.asked.length = 0
  const found = await rounds.now(one_door, { within_ms: 30 }, signal)
  const { closed = 0, unknown = 0 } = resultsOf(found)
  expect(closed + unknown).toBe(1000)
  expect(unknown).toBeGreaterThan(0)
  expect(closed).toBeLessThanOrEqual(world.asked.length)
  expect(world.max_at_once).toBeLessThanOrEqual(8)
  // What is remembered is older, and still there for who asks no more than that.
  expect(resultsOf(rounds.last())).toEqual({ closed: 1000 })
})

it('callers at the same moment share their questions, and one that comes later is not told of earlier ones', async () => {
  const { world, rounds } = slowWorld(50)
  const three = one_door.slice(0, 3)
  await Promise.all(Array.from({ length: 10 }, () => rounds.now(three, { within_ms: 5_000 }, signal)))
  expect(world.asked.length).toBe(3)
  const first = rounds.now(three, { within_ms: 5_000 }, signal)
  await systemClock.sleep(40)
  const later = rounds.now(three, { within_ms: 5_000 }, signal)
  await Promise.all([first, later])
  expect(world.asked.length).toBe(9)
})

it('a caller who asks about one route does not wait for the round of the timer', async () => {
  const { world, rounds } = slowWorld(5)
  const round = rounds.ask(one_door, signal)
  await systemClock.sleep(30)
  const found = await rounds.now(one_door.slice(900, 901), { within_ms: 5_000 }, signal)
  expect(resultsOf(found)).toEqual({ closed: 1 })
  expect(world.asked.length).toBeLessThan(500)
  await round
  // Who was left is next.
  expect(rounds.glance()).toBeNull()
})

it('a proxy that is not there is given up, and nobody is called closed for it', async () => {
  const { world, rounds } = slowWorld(0, () => null)
  const found = await rounds.now(one_door, { within_ms: 5_000 }, signal)
  expect(resultsOf(found)).toEqual({ unknown: 1000 })
  expect(world.asked.length).toBeLessThan(32)
  expect(found.get('d999.example.com')?.evidence).toContain('does not answer')
})

it('content is looked at once more within the call, where there is time for it', async () => {
  const { rounds } = slowWorld(0, () => ({ ...REFUSED, status: 200 }))
  const one = one_door.slice(0, 1)
  const in_haste = await rounds.now(one, { within_ms: 500 }, signal)
  expect(resultsOf(in_haste)).toEqual({ suspect: 1 })
  const found = await rounds.now(one, { within_ms: 5_000 }, signal)
  expect(resultsOf(found)).toEqual({ open: 1 })
})

it('who insists asks again what the proxy has not loaded yet', async () => {
  let loaded = false
  const { world, rounds } = slowWorld(0, () => ({ ...REFUSED, status: loaded ? 401 : 404 }))
  const one = one_door.slice(0, 1)
  expect(resultsOf(await rounds.now(one, { within_ms: 5_000 }, signal))).toEqual({ unknown: 1 })
  expect(world.asked.length).toBe(1)
  const asking = rounds.now(one, { within_ms: 5_000, insists: true }, signal)
  await systemClock.sleep(300)
  loaded = true
  expect(resultsOf(await asking)).toEqual({ closed: 1 })
})
