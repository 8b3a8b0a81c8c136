/** A question over one connection: it ends with one answer, in its time or by the signal, and the connection is gone then. */
import type { Milliseconds } from '../../../../kernel/clock.ts'

export interface Bounds {
  readonly within_ms: Milliseconds
  readonly signal: AbortSignal
}

interface ProbeQuestion<Answer> {
  readonly connection: { destroy(): unknown }
  /** What is answered when the time is over. */
  readonly late: () => Answer
}

/** Calls `ask` once; the first answer counts. Rejects with the signal's reason alone. */
export function answered<Answer>(
  { within_ms, signal }: Bounds,
  ask: (answer: (value: Answer) => void) => ProbeQuestion<Answer>,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted()
    const end = (settle: () => void) => {
      clearTimeout(timer)
      signal.removeEventListener('abort', abort)
      connection.destroy()
      settle()
    }
    const answer = (value: Answer) => end(() => resolve(value))
    const { connection, late } = ask(answer)
    const abort = () => end(() => reject(signal.reason as Error))
    const timer = setTimeout(() => answer(late()), within_ms)
    signal.addEventListener('abort', abort, { once: true })
  })
}
