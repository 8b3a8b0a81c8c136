/** Somebody who keeps putting the same thing back: named and left alone after three times within an hour. */
import { rmSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { openStore } from '../../src/store/open.ts'
import { Engine } from '../../src/engine/engine.ts'
import type { AnyTarget } from '../../src/engine/target.ts'
import { type Clock, systemClock } from '../../src/kernel/clock.ts'
import { silentLog } from '../../src/kernel/log.ts'
import { silentMetrics } from '../fakes/silent-metrics.ts'
import type { Report } from '../../src/model/report.ts'
import type { Store } from '../../src/ports/store.ts'
import { fakeTarget, type FakeWorld, fakeWorld } from './fake-target.ts'
import { wholeWorld } from './whole-world.ts'
import { itInDepth } from '../kit/in-depth.ts'
import { newFolder } from '../kit/new-folder.ts'

const AN_HOUR_MS = 3_600_000
/** Longer than the engine waits for a burst of hints to end. */
const A_MOMENT_MS = 60

interface Ring {
  readonly store: Store
  readonly world: FakeWorld
  later(ms: number): void
  now(): number
  /** The stranger writes, and the engine looks at it of its own. */
  meddle(content: string | null): Promise<Report>
  /** A pass that somebody asks for. */
  ask(): Promise<Report>
  /** A new process over the same store. */
  restart(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

/** An engine whose clock stands still: it looks only when it is told to. */
async function openRing(options: Partial<AnyTarget> = {}): Promise<Ring> {
  const directory = newFolder('contested')
  let now = Date.parse('2026-01-01T00:00:00Z')
  const clock: Clock = { ...systemClock, now: () => now }
  const world = fakeWorld()
  let heard = Promise.withResolvers<Report>()
  const begin = async () => {
    const store = await openStore({ directory, log: silentLog, clock })
    const engine = new Engine({
      store,
      targets: [fakeTarget(world, { every_ms: AN_HOUR_MS * 24, ...options })],
      clock,
      log: silentLog,
      metrics: silentMetrics,
      random: () => 0.5,
      world: wholeWorld(store),
      mode: 'repair',
      protection: () => null,
      carryOver: async () => undefined,
    })
    await engine.prepare()
    engine.onReport((report) => heard.resolve(report))
    heard = Promise.withResolvers()
    engine.start()
    await look()
    return { store, engine }
  }
  /** One hint is answered a moment later; the second one only wakes the timer after the clock was put forward. */
  const look = (): Promise<Report> => {
    heard = Promise.withResolvers()
    world.hint()
    now += A_MOMENT_MS
    world.hint()
    return heard.promise
  }
  let life = await begin()
  const end = async () => {
    await life.engine.stop(1000)
    await life.store.close()
  }
  return {
    get store() {
      return life.store
    },
    world,
    later: (ms) => void (now += ms),
    now: () => now,
    meddle: (content) => {
      world.content = content
      return look()
    },
    ask: async () => (await life.engine.converge('open'))[0]!,
    restart: async () => {
      await end()
      life = await begin()
    },
    [Symbol.asyncDispose]: async () => {
      await end()
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

const TRUE = ''
const FOREIGN = 'the same foreign bytes'

/** The stranger comes three times, and is undone three times. */
async function threeRounds(ring: Ring): Promise<void> {
  for (let round = 0; round < 3; round++) expect((await ring.meddle(FOREIGN)).outcome).toBe('repaired')
}

describe('somebody who puts the same thing back', () => {
  it('three times is undone; the fourth time both values are named and nothing is written', async () => {
    await using ring = await openRing()
    await threeRounds(ring)
    const writes = ring.world.writes.length
    const report = await ring.meddle(FOREIGN)
    expect(report).toMatchObject({ outcome: 'refused', failure: { code: 'refused_by_guard' } })
    expect(report.failure!.message).toMatch(/3 times within an hour: [0-9a-f]{12} instead of [0-9a-f]{12}/)
    expect(report.failure!.message).toMatch(/an hour after the last such change, and at once by a deploy/)
    expect(ring.world.content).toBe(FOREIGN)
    expect(ring.world.writes).toHaveLength(writes)
    expect(await ring.store.openSteps()).toEqual([])
  })

  it('is refused again at every later look, also by the next process', async () => {
    await using ring = await openRing()
    await threeRounds(ring)
    for (let looks = 0; looks < 3; looks++) expect((await ring.meddle(FOREIGN)).outcome).toBe('refused')
    await ring.restart()
    expect(ring.world.content).toBe(FOREIGN)
    expect((await ring.meddle(FOREIGN)).outcome).toBe('refused')
  })

  itInDepth('by taking it away is no exception', async () => {
    await using ring = await openRing()
    for (let round = 0; round < 3; round++) expect((await ring.meddle(null)).outcome).toBe('repaired')
    expect((await ring.meddle(null)).outcome).toBe('refused')
  })
})

describe('it is no fight', () => {
  itInDepth('when every value is another one', async () => {
    await using ring = await openRing()
    for (let round = 0; round < 8; round++) {
      expect((await ring.meddle(`edit ${round}`)).outcome).toBe('repaired')
      expect(ring.world.content).toBe(TRUE)
    }
  })

  itInDepth('with one value after another one was fought over', async () => {
    await using ring = await openRing()
    await threeRounds(ring)
    expect((await ring.meddle(FOREIGN)).outcome).toBe('refused')
    expect((await ring.meddle('another value')).outcome).toBe('repaired')
    expect((await ring.meddle(FOREIGN)).outcome).toBe('refused')
  })

  it('when a caller asks: that ends it, and the count begins anew', async () => {
    await using ring = await openRing()
    await threeRounds(ring)
    await ring.meddle(FOREIGN)
    expect((await ring.ask()).outcome).toBe('repaired')
    expect(ring.world.content).toBe(TRUE)
    expect(await ring.store.revertsSince('fake', 0)).toEqual([])
    await threeRounds(ring)
    expect((await ring.meddle(FOREIGN)).outcome).toBe('refused')
  })

  itInDepth('when what a caller asks for undoes it: that is not counted', async () => {
    await using ring = await openRing()
    for (let round = 0; round < 5; round++) {
      ring.world.content = FOREIGN
      expect((await ring.ask()).outcome).toBe('repaired')
    }
    await threeRounds(ring)
  })

  it('any more an hour after the last change of theirs, which is the one that was left', async () => {
    await using ring = await openRing()
    await threeRounds(ring)
    ring.later(AN_HOUR_MS / 2)
    expect((await ring.meddle(FOREIGN)).outcome).toBe('refused')
    ring.later(AN_HOUR_MS - 10 * A_MOMENT_MS)
    expect((await ring.meddle(FOREIGN)).outcome).toBe('refused')
    await ring.restart()
    ring.later(10 * A_MOMENT_MS)
    expect((await ring.meddle(FOREIGN)).outcome).toBe('repaired')
    expect(ring.world.content).toBe(TRUE)
    expect((await ring.meddle(FOREIGN)).outcome).toBe('repaired')
  })

  it('any more an hour after it, of itself: nobody has to hint', async () => {
    await using ring = await openRing({ backoff: { first_ms: 50, max_ms: 30 * AN_HOUR_MS } })
    await threeRounds(ring)
    for (let looks = 0; looks < 20; looks++) expect((await ring.meddle(FOREIGN)).outcome).toBe('refused')
    ring.later(AN_HOUR_MS + A_MOMENT_MS)
    await expect.poll(() => ring.world.content).toBe(TRUE)
  })

  itInDepth.each(['refuses', 'throws'] as const)(
    'while the world %s to be written: nobody put it back',
    async (write) => {
      await using ring = await openRing()
      ring.world.write = write
      for (let round = 0; round < 5; round++) {
        expect((await ring.meddle(FOREIGN)).outcome).toBe('failed')
        // Failures in a row space out the tries.
        ring.later(5 * 60_000)
      }
      ring.world.write = 'works'
      expect((await ring.meddle(FOREIGN)).outcome).toBe('repaired')
    },
  )

  itInDepth('when they are spread over more than an hour', async () => {
    await using ring = await openRing()
    for (let round = 0; round < 6; round++) {
      expect((await ring.meddle(FOREIGN)).outcome).toBe('repaired')
      ring.later(AN_HOUR_MS / 2)
    }
  })
})

describe('where giving way would leave a door open', () => {
  const opens = (_desired: unknown, observed: unknown): boolean => observed === FOREIGN
  const condition = async (ring: Ring) => {
    const rows = await ring.store.conditions()
    return rows.map(({ status, reason }) => `${status} ${reason}`)
  }

  itInDepth('the stricter side goes on for ever, and a person is told at the third time', async () => {
    await using ring = await openRing({ opens })
    await threeRounds(ring)
    await expect.poll(() => condition(ring)).toEqual(['false contested'])
    for (let round = 0; round < 120; round++) {
      expect((await ring.meddle(FOREIGN)).outcome).toBe('repaired')
      expect(ring.world.content).toBe(TRUE)
    }
    expect((await ring.store.revertsSince('fake', 0)).length).toBeLessThan(101)
    await expect.poll(() => condition(ring)).toEqual(['false contested'])
  })

  it('it is over an hour after the last of them, and not before', async () => {
    await using ring = await openRing({ opens })
    await threeRounds(ring)
    ring.later(AN_HOUR_MS / 2)
    expect((await ring.meddle(FOREIGN)).outcome).toBe('repaired')
    ring.later(AN_HOUR_MS - 3 * A_MOMENT_MS)
    expect((await ring.meddle(TRUE)).outcome).toBe('clean')
    await expect.poll(() => condition(ring)).toEqual(['false contested'])
    ring.later(3 * A_MOMENT_MS)
    expect((await ring.meddle(TRUE)).outcome).toBe('clean')
    await expect.poll(() => condition(ring)).toEqual(['true in_sync'])
  })

  it('it is over then of itself: no look of anybody else is needed, and the message says so', async () => {
    await using ring = await openRing({ opens, every_ms: A_MOMENT_MS, full_look_every_ms: AN_HOUR_MS * 24 })
    await threeRounds(ring)
    await expect.poll(() => condition(ring)).toEqual(['false contested'])
    const [row] = await ring.store.conditions()
    expect(row!.message).toMatch(/until an hour has passed without another such change, or until a deploy/)
    const { looks } = ring.world
    ring.later(AN_HOUR_MS / 2)
    ring.later(AN_HOUR_MS / 2)
    await expect.poll(() => condition(ring)).toEqual(['true in_sync'])
    expect(ring.world.looks - looks).toBeLessThan(3)
  })

  it('a person is told whichever laxer state it is each time, and of no other edits', async () => {
    const laxer = (_desired: unknown, observed: unknown) => String(observed).startsWith('laxer')
    await using ring = await openRing({ opens: laxer })
    for (let round = 0; round < 6; round++)
      expect((await ring.meddle(`edit ${round}`)).outcome).toBe('repaired')
    await expect.poll(() => condition(ring)).toEqual(['true in_sync'])
    for (let round = 0; round < 3; round++)
      expect((await ring.meddle(`laxer ${round}`)).outcome).toBe('repaired')
    await expect.poll(() => condition(ring)).toEqual(['false contested'])
    ring.world.content = 'laxer 9'
    expect((await ring.ask()).outcome).toBe('repaired')
    expect((await ring.meddle(TRUE)).outcome).toBe('clean')
    await expect.poll(() => condition(ring)).toEqual(['true in_sync'])
  })

  itInDepth('who is faster than the repair gains no more time with every try', async () => {
    await using ring = await openRing({ opens: (_desired, observed) => observed === 'a stranger was faster' })
    ring.world.write = 'is_undone'
    let waited = 0
    for (let round = 0; round < 8; round++) {
      const report = await ring.meddle('a stranger was faster')
      expect(report).toMatchObject({ outcome: 'failed', failure: { code: 'conflict' } })
      waited = report.next_attempt_at - ring.now()
      ring.later(waited)
    }
    expect(waited).toBeLessThanOrEqual(1000)
  })

  itInDepth('a stricter state is given way to as ever', async () => {
    await using ring = await openRing({ opens })
    for (let round = 0; round < 3; round++) expect((await ring.meddle(null)).outcome).toBe('repaired')
    expect((await ring.meddle(null)).outcome).toBe('refused')
  })
})
