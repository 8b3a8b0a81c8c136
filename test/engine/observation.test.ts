/** A look ends, also where its target heeds no signal, and then it is unknown. */
import { getEventListeners } from 'node:events'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { callerTimeout, ObservationOrder, observeWithin, passWithin } from '../../src/engine/observation.ts'
import type { AnyTarget } from '../../src/engine/target.ts'
import { systemClock } from '../../src/kernel/clock.ts'
import { Failure } from '../../src/kernel/failure.ts'
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

it.each([new Error('gone'), new Failure('shutting_down', 'bye'), new DOMException('', 'TimeoutError')])(
  'and says nothing of the target, whatever it is: %s',
  async (reason) => {
    const caller = new AbortController()
    const target = looking(
      (signal) =>
        new Promise((_resolve, reject) =>
          signal.addEventListener('abort', () => reject(signal.reason as Error)),
        ),
    )
    const looked = observeWithin(target, { clock: systemClock, max_ms: 60_000 }, caller.signal)
    caller.abort(reason)
    await expect(looked).rejects.toBe(reason)
  },
)

it('a look that was answered leaves no deadline behind', async () => {
  const clock = handClock()
  await observeWithin(fakeTarget(fakeWorld()), { clock }, forever)
  expect(clock.sleepers()).toBe(0)
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

it('whoever asks is told of the world itself, the timer may be told of a stamp of it', async () => {
  const asked: unknown[] = []
  const target = looking(async (_signal, ask) => {
    asked.push(ask)
    return { known: true, state: null, digest: '', at: 1 }
  })
  await observeWithin(target, { clock: systemClock }, forever)
  await observeWithin(target, { clock: systemClock, afresh: false }, forever)
  expect(asked).toEqual([{ afresh: true }, { afresh: false }])
})

describe('a look that throws', () => {
  const clock = { ...systemClock, now: () => 7 }
  const thrown = (error: unknown) =>
    observeWithin(
      looking(async () => {
        throw error
      }),
      { clock },
      forever,
    )
  const unknown = { known: false, reason: 'unreachable', at: 7 }

  it('what was foreseen is unknown, with why', async () => {
    expect(await thrown(new Failure('internal', 'no answer'))).toEqual({ ...unknown, detail: 'no answer' })
  })

  it('for the end of its own time is unknown, too', async () => {
    expect(await thrown(new DOMException('', 'TimeoutError'))).toEqual({
      ...unknown,
      detail: 'fake did not answer within 2000 ms.',
    })
  })

  it.each([new TypeError('a bug'), new DOMException('', 'AbortError')])('else throws: %s', async (error) => {
    await expect(thrown(error)).rejects.toBe(error)
  })
})

describe('a pass that ignores its end', () => {
  const target = fakeTarget(fakeWorld())
  const never = new Promise<never>(() => undefined)

  it('holds nobody, and is told as one that did not answer', async () => {
    const late = passWithin(never, target, AbortSignal.abort(new Error('late')))
    await expect(late).rejects.toMatchObject({
      code: 'component_unavailable',
      message: 'fake did not answer within 2000 ms.',
    })
  })

  it('is told by why it was ended where that was foreseen', async () => {
    const bye = new Failure('shutting_down', 'bye')
    await expect(passWithin(never, target, AbortSignal.abort(bye))).rejects.toBe(bye)
  })

  it('and one that ends is answered', async () => {
    expect(await passWithin(Promise.resolve('done'), target, AbortSignal.abort(new Error('late')))).toBe(
      'done',
    )
  })
})

describe('a wait for a pass', () => {
  const target = fakeTarget(fakeWorld())
  const waiting = () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const work = Promise.withResolvers<string>()
    const ends = new AbortController()
    return { work, ends, waited: passWithin(work.promise, target, ends.signal) }
  }

  it('has no end as long as nobody ends it', async () => {
    const { work, waited } = waiting()
    await vi.advanceTimersByTimeAsync(60_000)
    work.resolve('done')
    expect(await waited).toBe('done')
  })

  it('gives it half a second to end in its own way', async () => {
    const ended = waiting()
    ended.ends.abort(new Error('late'))
    await vi.advanceTimersByTimeAsync(499)
    ended.work.resolve('done')
    expect(await ended.waited).toBe('done')
    const left = waiting()
    left.ends.abort(new Error('late'))
    const refused = expect(left.waited).rejects.toThrow('fake did not answer within 2000 ms.')
    await vi.advanceTimersByTimeAsync(500)
    await refused
  })

  it('leaves nothing behind, whether it was ended or not', async () => {
    const undisturbed = waiting()
    undisturbed.work.resolve('done')
    await undisturbed.waited
    expect(getEventListeners(undisturbed.ends.signal, 'abort')).toEqual([])
    const ended = waiting()
    ended.ends.abort(new Error('late'))
    expect(vi.getTimerCount()).toBe(1)
    ended.work.resolve('done')
    expect([await ended.waited, vi.getTimerCount()]).toEqual(['done', 0])
  })
})

describe('the order of observations', () => {
  it('is that in which they begin, and each key knows the last of a pass', async () => {
    const order = new ObservationOrder()
    const world = fakeWorld('as it is')
    const asked: unknown[] = []
    const target = fakeTarget(world, {
      observe: async (_signal, ask) => {
        asked.push(ask)
        return { known: true, state: null, digest: '', at: 1 }
      },
    })
    expect([order.ofPass('fake'), order.glanceOf('fake')]).toEqual([0, null])
    const first = order.begin()
    await order.observe(target, forever, { afresh: true })
    world.content = 'other'
    const then = order.begin()
    expect(order.ofPass('fake')).toBeGreaterThan(first)
    expect(then).toBeGreaterThan(order.ofPass('fake'))
    expect([order.ofPass('another'), order.glanceOf('another')]).toEqual([0, null])
    // What came after it began may not have been seen.
    expect(order.glanceOf('fake')).toBe('as it is')
    expect(asked).toEqual([{ afresh: true, is_pass: true }])
  })
})
