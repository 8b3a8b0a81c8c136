/** Being told no: what is an answer and what is a lie or a fall. */
import { Failure, systemErrorCode } from '../../src/kernel/failure.ts'

/** The daemon said that it cannot, and why: no lie. */
export class Refused extends Error {}

/** What the daemon says when it cannot start is its answer. */
export async function orRefused<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof Failure || systemErrorCode(error) !== null) throw new Refused(String(error))
    throw error
  }
}
