/**
 * A server that answers a change by saying that it failed itself. One set that it cannot digest is enough for that, so it
 * says nothing of the others; a server that fails at several in a row fails at everything.
 */
import { Failure } from '../../../kernel/failure.ts'
import { type ChangeOutcome, isServerFailure, MAX_FAILED_IN_A_ROW } from './port.ts'

/** What a set comes to that was alone in its request. */
export const outcomeAlone = (failure: Failure): ChangeOutcome => ({
  ok: false,
  code: failure.code,
  message: failure.message,
  ...(isServerFailure(failure) && { server_failed: 'at_this_set' as const }),
})

/** What each of the sets comes to that were in the request, or were to follow it. */
export const outcomeTogether = (failure: Failure): ChangeOutcome => ({
  ok: false,
  code: failure.code,
  message: failure.message,
  ...(isServerFailure(failure) && { server_failed: 'at_its_request' as const }),
})

/** For those who send set by set: which failure ends the work. */
export class FailuresInARow {
  #count = 0

  /** The failure by which everything that follows fails; null while it is the set's own. */
  endedBy(failure: Failure): Failure | null {
    if (failure.code === 'provider_refused') {
      this.#count = 0
      return null
    }
    if (!isServerFailure(failure)) return failure
    const { code, message } = failure
    return ++this.#count < MAX_FAILED_IN_A_ROW ? null : new Failure(code, message)
  }

  succeeded(): void {
    this.#count = 0
  }
}
