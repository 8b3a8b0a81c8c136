/** Calendar work comes at once and with the calendar, once at a time, and a failure ends nothing but itself. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { cronSchedule } from '../../../src/io/cron/schedule.ts'
import { silentLog } from '../../../src/kernel/log.ts'

const HOUR_MS = 3_600_000

beforeEach(() => void vi.useFakeTimers({ now: Date.parse('2026-03-29T00:30:00Z') }))
afterEach(() => void vi.useRealTimers())

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)

function hourly(work: () => Promise<void>) {
  const failures: unknown[] = []
  const schedule = cronSchedule(silentLog)
  const failed = (error: unknown) => void failures.push(error)
  return { failures, ...schedule({ name: 'test', pattern: '0 * * * *', work, failed }) }
}

it('works at once and at every full hour of UTC, also where clocks are put forward', async () => {
  const at: string[] = []
  const task = hourly(async () => void at.push(new Date().toISOString().slice(11, 16)))
  task.start()
  task.start()
  await pass(3 * HOUR_MS)
  expect(at).toEqual(['00:30', '01:00', '02:00', '03:00'])
  await task.stop()
  await pass(2 * HOUR_MS)
  expect(at).toHaveLength(4)
  expect(vi.getTimerCount()).toBe(0)
})

it('goes on after a failure, which is told', async () => {
  let tries = 0
  const task = hourly(() => Promise.reject(new Error(`try ${++tries}`)))
  task.start()
  await pass(HOUR_MS)
  expect(task.failures.map(String)).toEqual(['Error: try 1', 'Error: try 2'])
  await task.stop()
})

it('does not work twice at a time, and its end waits for the work', async () => {
  const ends: (() => void)[] = []
  const task = hourly(() => new Promise((resolve) => ends.push(resolve)))
  task.start()
  await pass(3 * HOUR_MS)
  expect(ends).toHaveLength(1)
  let is_over = false
  const stopped = task.stop().then(() => (is_over = true))
  await pass(0)
  expect(is_over).toBe(false)
  ends[0]!()
  await stopped
})
