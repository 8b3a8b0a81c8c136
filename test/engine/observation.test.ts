/** A look ends, also where its target heeds no signal, and then it is unknown. */
import { expect, it } from 'vitest'
import { observeWithin, callerTimeout } from '../../src/engine/observation.ts'
import type { AnyTarget } from '../../src/engine/target.ts'
import { systemClock } from '../../src/kernel/clock.ts'
import { handClock } from '../fakes/hand-clock.ts'
import { fakeTarget, fakeWorld } from './fake-target.ts'

const parts = { clock: systemClock, max_ms: 1 }
const forever = new AbortController().signal
const looking = (observe: AnyTarget['observe']): AnyTarget => fakeTarget(fakeWorld(), { observe })

it('a target that heeds nothing is left', async () => {
  const target = looking(() => new Promise(() => undefined))
  expect(await observeWithin(target, parts, forever)).toMatchObject({
    known: false,
    reason: 'unreachable',
    detail: `${target.name} did not answer within 1 ms.`,
  })
})

it('a target that heeds its end says in its own words what it waited for', async () => {
  const target = looking(
    (signal) =>
      new Promise((resolve) =>
        signal.addEventListener('abort', () =>
          resolve({ known: false, reason: 'unreadable', detail: 'half a page', at: 1 }),
        ),
      ),
  )
  expect(await observeWithin(target, parts, forever)).toMatchObject({
    reason: 'unreadable',
    detail: 'half a page',
  })
})

it('the end of the caller is thrown, also where the target heeds nothing', async () => {
  const target = looking(() => new Promise(() => undefined))
  const gone = new Error('gone')
  const told = observeWithin(target, { clock: systemClock, max_ms: 60_000 }, AbortSignal.abort(gone))
  await expect(told).rejects.toBe(gone)
})

it('the time of a look is that of the house’s clock', async () => {
  const clock = handClock()
  const ends: AbortSignal[] = []
  const target = looking((signal) => {
    ends.push(signal)
    return new Promise(() => undefined)
  })
  const looked = observeWithin(target, { clock, max_ms: 1300 }, forever)
  clock.pass(1299)
  expect([ends.map(({ aborted }) => aborted), clock.sleepers()]).toEqual([[false], 1])
  clock.pass(1)
  expect(await looked).toMatchObject({
    known: false,
    detail: `${target.name} did not answer within 1300 ms.`,
  })
  expect(clock.sleepers()).toBe(0)
})

it('whoever asks waits five seconds at most, whatever a pass may take', () => {
  expect(callerTimeout({ deadline_ms: 120_000 })).toBe(5000)
  expect(callerTimeout({ deadline_ms: 2000 })).toBe(2000)
})
