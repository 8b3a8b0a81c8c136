/** A look that ends: by the target's deadline at the latest, and with an answer whatever the world does. */
import type { Clock, Milliseconds } from '../kernel/clock.ts'
import { deadlineSignal } from '../kernel/async/deadline.ts'
import { Failure } from '../kernel/failure.ts'
import type { AnyTarget, Observation } from './target.ts'

export interface LookParts {
  readonly clock: Clock
  readonly most_ms?: Milliseconds
  /** False where the timer asks; left out, a caller does. */
  readonly afresh?: boolean
}
/** Nobody waits longer than this to be told how a key is; a pass has the target's own deadline. */
const FOR_CALLERS_MS: Milliseconds = 5000

export const callersTime = ({ deadline_ms }: Pick<AnyTarget, 'deadline_ms'>): Milliseconds =>
  Math.min(deadline_ms, FOR_CALLERS_MS)

/** A look that fails is an answer; only an abort by `signal` throws. */
export async function boundedLook(
  target: AnyTarget,
  { clock, most_ms = target.deadline_ms, afresh = true }: LookParts,
  signal: AbortSignal,
): Promise<Observation<unknown>> {
  const deadline = deadlineSignal(clock, most_ms)
  try {
    const ends = AbortSignal.any([signal, deadline.signal])
    return await untilGivenUp(target.observe(ends, { afresh }), ends)
  } catch (error) {
    if (signal.aborted) throw error
    const unknown = { known: false, reason: 'unreachable', at: clock.now() } as const
    if (error instanceof Failure) return { ...unknown, detail: error.message }
    if (error instanceof DOMException && error.name === 'TimeoutError')
      return { ...unknown, detail: `${target.name} did not answer within ${most_ms} ms.` }
    throw error
  } finally {
    deadline.end()
  }
}

/** A target that heeds its end has its own words for it, so it gets this long to say them; one that does not is left. */
const LAST_WORDS_MS: Milliseconds = 100

async function untilGivenUp<T>(work: Promise<T>, ends: AbortSignal): Promise<T> {
  const overdue = Promise.withResolvers<never>()
  let timer: NodeJS.Timeout | null = null
  const giveUp = () => {
    timer = setTimeout(() => overdue.reject(ends.reason as Error), LAST_WORDS_MS)
  }
  ends.addEventListener('abort', giveUp, { once: true })
  if (ends.aborted) giveUp()
  try {
    return await Promise.race([work, overdue.promise])
  } finally {
    ends.removeEventListener('abort', giveUp)
    if (timer !== null) clearTimeout(timer)
  }
}
