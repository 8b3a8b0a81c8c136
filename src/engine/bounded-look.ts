/** A look that ends: by the target's deadline at the latest, and with an answer whatever the world does. */
import type { Clock, Milliseconds } from '../kernel/clock.ts'
import { Failure } from '../kernel/failure.ts'
import type { AnyTarget, Observation } from './target.ts'

/** A look that fails is an answer; only an abort by `signal` throws. */
export async function boundedLook(
  target: AnyTarget,
  { clock, most_ms = target.deadline_ms }: { readonly clock: Clock; readonly most_ms?: Milliseconds },
  signal: AbortSignal,
): Promise<Observation<unknown>> {
  try {
    return await target.observe(AbortSignal.any([signal, AbortSignal.timeout(most_ms)]))
  } catch (error) {
    if (signal.aborted) throw error
    const unknown = { known: false, reason: 'unreachable', at: clock.now() } as const
    if (error instanceof Failure) return { ...unknown, detail: error.message }
    if (error instanceof DOMException && error.name === 'TimeoutError')
      return { ...unknown, detail: `${target.name} did not answer within ${most_ms} ms.` }
    throw error
  }
}
