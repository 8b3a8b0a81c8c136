/** Deadlines run on the clock that is handed in. */
import { expect, it } from 'vitest'
import { deadlineSignal } from '../../../src/kernel/async/deadline.ts'
import { handClock } from '../../fakes/hand-clock.ts'

const settled = () => new Promise((resolve) => setImmediate(resolve))

it('is over when the clock says so, and not before', async () => {
  const clock = handClock()
  const { signal } = deadlineSignal(clock, 1300)
  clock.pass(1299)
  await settled()
  expect(signal.aborted).toBe(false)
  clock.pass(1)
  await settled()
  expect(signal).toMatchObject({ aborted: true, reason: { name: 'TimeoutError' } })
})

it('that nobody waits for any more leaves nothing asleep and never comes', async () => {
  const clock = handClock()
  const deadline = deadlineSignal(clock, 1300)
  deadline.end()
  await settled()
  expect(clock.sleepers()).toBe(0)
  clock.pass(2000)
  await settled()
  expect(deadline.signal.aborted).toBe(false)
})
