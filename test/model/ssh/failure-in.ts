/** What a deed ends with, for tests. */
import { Failure } from '../../../src/kernel/failure.ts'

/** Throws when it ends well, or otherwise than with a Failure. */
export function failureIn(deed: () => unknown): Failure {
  try {
    deed()
  } catch (error) {
    if (error instanceof Failure) return error
    throw error
  }
  throw new Error('no failure')
}
