/** A wait ends by the work, by the time or by its signal, and leaves no timer. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { systemClock as clock } from '../../../src/kernel/clock.ts'
import { mapLimit } from '../../../src/kernel/async/map-limit.ts'
import { withTimeout } from '../../../src/kernel/async/with-timeout.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const never = () => new Promise<never>(() => undefined)
const bound = { clock, ms: 1000 }

it('ends with the work, whichever way that ends', async () => {
  expect(
    await withTimeout(
      bound,
      async () => 1,
      () => null,
    ),
  ).toBe(1)
  const failing = withTimeout(
    bound,
    () => Promise.reject(new Error('broken')),
    () => null,
  )
  await expect(failing).rejects.toThrow('broken')
  expect(vi.getTimerCount()).toBe(0)
})

it('ends with what stands in for the answer once the time is over, and tells the work', async () => {
  let told: AbortSignal | null = null
  const waiting = withTimeout(
    bound,
    (signal) => {
      told = signal
      return never()
    },
    () => 'late',
  )
  await vi.advanceTimersByTimeAsync(999)
  expect(told).toMatchObject({ aborted: false })
  await vi.advanceTimersByTimeAsync(1)
  expect(await waiting).toBe('late')
  expect(told).toMatchObject({ aborted: true })
  expect(vi.getTimerCount()).toBe(0)
})

it('throws what is thrown in its place', async () => {
  const waiting = withTimeout(bound, never, () => {
    throw new Error('too late')
  })
  const refused = expect(waiting).rejects.toThrow('too late')
  await vi.advanceTimersByTimeAsync(1000)
  await refused
})

it('rejects with the reason of its signal at once, also where the time is over at the same moment', async () => {
  const end = new AbortController()
  const waiting = withTimeout({ ...bound, signal: end.signal }, never, () => 'late')
  const refused = expect(waiting).rejects.toThrow('left')
  end.abort(new Error('left'))
  await refused
  let begun = false
  const gone = withTimeout(
    { ...bound, signal: end.signal },
    async () => (begun = true),
    () => 'late',
  )
  await expect(gone).rejects.toThrow('left')
  expect(begun).toBe(false)
  expect(vi.getTimerCount()).toBe(0)
})

it('hears no more of work that fails after nobody waits', async () => {
  const work = Promise.withResolvers<never>()
  const waiting = withTimeout(
    bound,
    () => work.promise,
    () => 'late',
  )
  await vi.advanceTimersByTimeAsync(1000)
  expect(await waiting).toBe('late')
  work.reject(new Error('unheard'))
  await vi.advanceTimersByTimeAsync(0)
})

it('a few at a time, in the order of the items; after a failure nothing more is begun, and what began ends', async () => {
  let running = 0
  let most = 0
  const work = async (n: number) => {
    most = Math.max(most, ++running)
    await clock.sleep(10)
    running--
    if (n === 4) throw new Error('four')
    return n * 2
  }
  const done = mapLimit([1, 2, 3], { at_once: 2 }, work)
  await vi.advanceTimersByTimeAsync(20)
  expect(await done).toEqual([2, 4, 6])
  expect(most).toBe(2)
  const begun: number[] = []
  const failing = expect(
    mapLimit([3, 4, 5, 6, 7], { at_once: 2 }, (n) => {
      begun.push(n)
      return work(n)
    }),
  ).rejects.toThrow('four')
  await vi.advanceTimersByTimeAsync(100)
  await failing
  expect(running).toBe(0)
  expect(begun).toEqual([3, 4, 5])
})
