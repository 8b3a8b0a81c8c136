/**
 * Work that several callers wait for. Nobody ends it by leaving: whoever comes next finds it further on. It ends by its
 * deadline, or with whatever it belongs to.
 */
import type { Clock, Milliseconds } from '../../../../kernel/clock.ts'
import { deadlineSignal } from '../../../../kernel/async/deadline.ts'
import { untilAborted } from '../../../../kernel/async/until-aborted.ts'

export interface JoinedWorkParts {
  readonly clock: Clock
  readonly deadline_ms: Milliseconds
  /** Ends it before. */
  readonly ends: AbortSignal
}

export class JoinedWork<T> {
  readonly #done: Promise<T>
  /** True once it has ended or was given up: whoever comes now begins anew. */
  is_over = false

  constructor({ clock, deadline_ms, ends }: JoinedWorkParts, work: (signal: AbortSignal) => Promise<T>) {
    const deadline = deadlineSignal(clock, deadline_ms)
    const end = AbortSignal.any([ends, deadline.signal])
    const over = () => {
      this.is_over = true
      deadline.end()
    }
    // Work that does not heed its signal is left.
    end.addEventListener('abort', over, { once: true })
    this.#done = work(end)
    this.#done.then(over, over)
  }

  /** Throws what the work throws, or the reason of `signal` as soon as it aborts. */
  join(signal: AbortSignal): Promise<T> {
    return untilAborted(this.#done, signal)
  }
}
