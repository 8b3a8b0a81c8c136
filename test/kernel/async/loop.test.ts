/** Rounds follow one another, a wake is never lost, and a stop leaves nothing behind. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { systemClock } from '../../../src/kernel/clock.ts'
import { movedClock } from '../../kit/moved-clock.ts'
import { Loop, type LoopParts } from '../../../src/kernel/async/loop.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function loopWith(parts: Partial<LoopParts> = {}) {
  const rounds: AbortSignal[] = []
  const failures: unknown[] = []
  const loop = new Loop({
    clock: systemClock,
    round: (signal) => {
      rounds.push(signal)
      return 1000
    },
    failed: (error) => void failures.push(error),
    ...parts,
  })
  return { loop, rounds, failures }
}
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)

it('comes round again after the wait that the round asked for', async () => {
  const { loop, rounds } = loopWith()
  loop.start()
  loop.start()
  await pass(0)
  expect(rounds).toHaveLength(1)
  await pass(999)
  expect(rounds).toHaveLength(1)
  await pass(1)
  expect(rounds).toHaveLength(2)
  await loop.stop()
})

it('is woken at once, but no sooner than the shortest time after the round', async () => {
  const { loop, rounds } = loopWith({ least_ms: 200 })
  loop.start()
  await pass(0)
  loop.wake()
  await pass(199)
  expect(rounds).toHaveLength(1)
  await pass(1)
  expect(rounds).toHaveLength(2)
  await loop.stop()
})

it('counts what the shortest time took too long as a part of the wait, but not what a busy machine is late by', async () => {
  const clock = movedClock()
  const { loop, rounds } = loopWith({ least_ms: 200, clock })
  loop.start()
  await pass(0)
  clock.pass(900)
  await pass(1199)
  expect(rounds).toHaveLength(1)
  await pass(1)
  expect(rounds).toHaveLength(2)
  clock.pass(1600)
  await pass(199)
  expect(rounds).toHaveLength(2)
  await pass(2)
  expect(rounds).toHaveLength(3)
  await loop.stop()
})

it('that is woken in the middle of a round does another', async () => {
  const ends: (() => void)[] = []
  const { loop } = loopWith({ round: () => new Promise((resolve) => ends.push(() => resolve(1000))) })
  loop.start()
  await pass(0)
  loop.wake()
  ends[0]!()
  await pass(0)
  expect(ends).toHaveLength(2)
  const stopped = loop.stop()
  ends[1]!()
  await stopped
})

it('goes on after a failure, by the wait that was said for it, or half a minute', async () => {
  let fails = 0
  const { loop } = loopWith({
    round: () => {
      fails++
      throw new Error('broken')
    },
    failed: () => (fails === 1 ? 100 : undefined),
  })
  loop.start()
  await pass(100)
  expect(fails).toBe(2)
  await pass(29_999)
  expect(fails).toBe(2)
  await pass(1)
  expect(fails).toBe(3)
  await loop.stop()
})

it('that is stopped aborts the round with the reason given, waits for its end, and tells of no failure', async () => {
  const { loop, failures } = loopWith({
    round: (signal) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => setTimeout(() => reject(signal.reason as Error), 50))
      }),
  })
  loop.start()
  await pass(0)
  const { signal } = loop
  let is_over = false
  const reason = new Error('the end')
  const stopped = loop.stop({ reason }).then(() => (is_over = true))
  expect(signal?.reason).toBe(reason)
  await pass(49)
  expect(is_over).toBe(false)
  await pass(1)
  await stopped
  expect(failures).toEqual([])
  expect(vi.getTimerCount()).toBe(0)
})

it('does not wait for a round longer than its patience, and can be started anew', async () => {
  let rounds = 0
  const ends: (() => void)[] = []
  const { loop } = loopWith({
    round: () => {
      expect(loop.signal?.aborted).toBe(false)
      rounds++
      return new Promise((resolve) => ends.push(() => resolve(1000)))
    },
  })
  expect(loop.signal).toBe(null)
  await loop.stop()
  loop.start()
  await pass(0)
  const stopped = loop.stop({ grace_ms: 500 })
  await pass(500)
  await stopped
  loop.start()
  await pass(0)
  // One round at a time, also beside one that nobody waited for any more.
  expect(rounds).toBe(1)
  ends[0]!()
  await pass(0)
  expect(rounds).toBe(2)
  ends[1]!()
})
