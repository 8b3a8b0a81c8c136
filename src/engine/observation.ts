/**
 * Observing a key: with an end, whatever the world does, and in an order. An observation that began before another one says
 * nothing against it, however long it took: what it brings may be older.
 */
import type { Clock, Milliseconds } from '../kernel/clock.ts'
import { deadlineSignal } from '../kernel/async/deadline.ts'
import { Failure } from '../kernel/failure.ts'
import type { AnyTarget, Observation } from './target.ts'

/** Rises with every observation that begins. */
export type ObservationTurn = number

export class ObservationOrder {
  #last: ObservationTurn = 0
  /** By key, of the last observation that a pass began, and the glance before it. */
  readonly #passes = new Map<string, { readonly turn: ObservationTurn; readonly glance: string | null }>()

  begin(): ObservationTurn {
    return ++this.#last
  }

  /** A pass's own observation. */
  observe(
    target: AnyTarget,
    signal: AbortSignal,
    ask: { readonly afresh: boolean },
  ): Promise<Observation<unknown>> {
    this.#passes.set(target.key, { turn: this.begin(), glance: target.glance() })
    return target.observe(signal, { ...ask, is_pass: true })
  }

  /** Of the last observation that a pass began at the key; 0 before the first. */
  ofPass(key: string): ObservationTurn {
    return this.#passes.get(key)?.turn ?? 0
  }

  /** What the target's glance was when a pass last began to observe: what came later may not have been seen. */
  glanceOf(key: string): string | null {
    return this.#passes.get(key)?.glance ?? null
  }
}

export interface ObservationBound {
  readonly clock: Clock
  readonly max_ms?: Milliseconds
  /** False where the timer asks; left out, a caller does. */
  readonly afresh?: boolean
}

/** Nobody waits longer than this to be told how a key is; a pass has the target's own deadline. */
const FOR_CALLERS_MS: Milliseconds = 5000

export const callerTimeout = ({ deadline_ms }: Pick<AnyTarget, 'deadline_ms'>): Milliseconds =>
  Math.min(deadline_ms, FOR_CALLERS_MS)

/** Nobody is served before the first looks are over; what does not answer by then is looked at again by its passes. */
export const START_LOOK_TIMEOUT_MS: Milliseconds = 5_000

/** A target that heeds its end has its own words for it, so it gets this long to say them; one that does not is left. */
const GRACE_MS: Milliseconds = 100

/** An observation that fails is an answer; only an abort by `signal` throws. */
export async function observeWithin(
  target: AnyTarget,
  { clock, max_ms = target.deadline_ms, afresh = true }: ObservationBound,
  signal: AbortSignal,
): Promise<Observation<unknown>> {
  const deadline = deadlineSignal(clock, max_ms)
  try {
    const ends = AbortSignal.any([signal, deadline.signal])
    return await untilGivenUp(target.observe(ends, { afresh }), ends, GRACE_MS)
  } catch (error) {
    if (signal.aborted) throw error
    const unknown = { known: false, reason: 'unreachable', at: clock.now() } as const
    if (error instanceof Failure) return { ...unknown, detail: error.message }
    if (error instanceof DOMException && error.name === 'TimeoutError')
      return { ...unknown, detail: `${target.name} did not answer within ${max_ms} ms.` }
    throw error
  } finally {
    deadline.end()
  }
}

/** A pass that ignores its signal must not hold a caller, either. The daemon's end says nothing about the target. */
export const passWithin = <T>(work: Promise<T>, target: AnyTarget, signal: AbortSignal): Promise<T> =>
  untilGivenUp(work, signal, PASS_GRACE_MS, (reason) =>
    reason instanceof Failure
      ? reason
      : new Failure(
          'component_unavailable',
          `${target.name} did not answer within ${target.deadline_ms} ms.`,
        ),
  )

const PASS_GRACE_MS: Milliseconds = 500

/** @param late what the wait ends with, from the signal's reason */
async function untilGivenUp<T>(
  work: Promise<T>,
  ends: AbortSignal,
  grace_ms: Milliseconds,
  late = (reason: unknown): unknown => reason,
): Promise<T> {
  const overdue = Promise.withResolvers<never>()
  let timer: NodeJS.Timeout | undefined
  const giveUp = () => {
    timer = setTimeout(() => overdue.reject(late(ends.reason)), grace_ms)
  }
  ends.addEventListener('abort', giveUp)
  if (ends.aborted) giveUp()
  try {
    return await Promise.race([work, overdue.promise])
  } finally {
    ends.removeEventListener('abort', giveUp)
    clearTimeout(timer)
  }
}
