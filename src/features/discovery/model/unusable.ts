/** What a source answered and nobody can work with: it ends a look early, and is caught where that began. */
import { Failure } from '../../../kernel/failure.ts'
import type { SourceFailure } from './lab-port.ts'

export class Unusable extends Error {
  readonly reason: SourceFailure
  /** Of the answer; 0 where there was none. */
  readonly status: number

  constructor(reason: SourceFailure, message: string, status = 0) {
    super(message)
    this.reason = reason
    this.status = status
  }
}

/** What is told of a look that failed. @param see where the operator finds the cause. Throws what is none of the source's. */
export function failureOf(
  name: string,
  error: unknown,
  see: string,
): { readonly reason: SourceFailure; readonly detail: string } {
  if (error instanceof Unusable) return { reason: error.reason, detail: `${name}: ${error.message}. ${see}` }
  if (error instanceof Failure) return { reason: 'unreachable', detail: `${name}: ${error.message} ${see}` }
  throw error
}
