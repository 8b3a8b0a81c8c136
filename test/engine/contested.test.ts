/** Somebody who keeps putting the same thing back: named and left alone after three times within an hour. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openStore } from '../../src/adapters/sqlite/open.ts'
import { Engine } from '../../src/engine/engine.ts'
import { type Clock, systemClock } from '../../src/kernel/clock.ts'
import { silentLog } from '../../src/kernel/log.ts'
import { silentMetrics } from '../../src/kernel/metrics.ts'
import type { Report } from '../../src/model/report.ts'
import type { Store } from '../../src/ports/store.ts'
import { fakeTarget, type FakeWorld, fakeWorld } from './fake-target.ts'

const AN_HOUR_MS = 3_600_000
/** Longer than the engine waits for a burst of hints to end. */
const A_MOMENT_MS = 60

interface Ring {
  readonly store: Store
  readonly world: FakeWorld
  later(ms: number): void
  /** The stranger writes, and the engine looks at it of its own. */
  meddle(content: string | null): Promise<Report>
  /** A pass that somebody asks for. */
  ask(): Promise<Report>
  /** A new process over the same store. */
  restart(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

/** An engine whose clock stands still: it looks only when it is told to. */
async function openRing(): Promise<Ring> {
  const directory = mkdtempSync(join(tmpdir(), 'plumbline-contested-'))
  let now = Date.parse('2026-01-01T00:00:00Z')
  const clock: Clock = { ...systemClock, now: () => now }
  const world = fakeWorld()
  let heard = Promise.withResolvers<Report>()
  const begin = async () => {
    const store = await openStore({ directory, log: silentLog, clock })
    const engine = new Engine({
      store,
      targets: [fakeTarget(world, { every_ms: AN_HOUR_MS * 24 })],
      clock,
      log: silentLog,
      metrics: silentMetrics,
      random: () => 0.5,
      mode: 'repair',
      protection: () => null,
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

  it('by taking it away is no exception', async () => {
    await using ring = await openRing()
    for (let round = 0; round < 3; round++) expect((await ring.meddle(null)).outcome).toBe('repaired')
    expect((await ring.meddle(null)).outcome).toBe('refused')
  })
})

describe('it is no fight', () => {
  it('when every value is another one', async () => {
    await using ring = await openRing()
    for (let round = 0; round < 8; round++) {
      expect((await ring.meddle(`edit ${round}`)).outcome).toBe('repaired')
      expect(ring.world.content).toBe(TRUE)
    }
  })

  it('with one value after another one was fought over', async () => {
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

  it('when what a caller asks for undoes it: that is not counted', async () => {
    await using ring = await openRing()
    for (let round = 0; round < 5; round++) {
      ring.world.content = FOREIGN
      expect((await ring.ask()).outcome).toBe('repaired')
    }
    await threeRounds(ring)
  })

  it('any more an hour after the first of the three', async () => {
    await using ring = await openRing()
    await threeRounds(ring)
    expect((await ring.meddle(FOREIGN)).outcome).toBe('refused')
    ring.later(AN_HOUR_MS - 10 * A_MOMENT_MS)
    expect((await ring.meddle(FOREIGN)).outcome).toBe('refused')
    ring.later(10 * A_MOMENT_MS)
    expect((await ring.meddle(FOREIGN)).outcome).toBe('repaired')
    expect(ring.world.content).toBe(TRUE)
  })

  it.each(['refuses', 'throws'] as const)(
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

  it('when they are spread over more than an hour', async () => {
    await using ring = await openRing()
    for (let round = 0; round < 6; round++) {
      expect((await ring.meddle(FOREIGN)).outcome).toBe('repaired')
      ring.later(AN_HOUR_MS / 2)
    }
  })
})
