/** A wait with an end: by the work, by its failure, or by the time, and no timer is left. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { waitAtMost } from '../../../src/kernel/async/wait-at-most.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

it('ends with the work', async () => {
  await waitAtMost(Promise.resolve(1), 1000)
  expect(vi.getTimerCount()).toBe(0)
})

it('fails with the work', async () => {
  await expect(waitAtMost(Promise.reject(new Error('broken')), 1000)).rejects.toThrow('broken')
  expect(vi.getTimerCount()).toBe(0)
})

it('ends with the time, and no sooner', async () => {
  let is_over = false
  const waiting = waitAtMost(new Promise(() => undefined), 1000).then(() => (is_over = true))
  await vi.advanceTimersByTimeAsync(999)
  expect(is_over).toBe(false)
  await vi.advanceTimersByTimeAsync(1)
  await waiting
  expect(is_over).toBe(true)
  expect(vi.getTimerCount()).toBe(0)
})
