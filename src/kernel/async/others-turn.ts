/** Whoever waits for the event loop has a turn between two pieces of work that were too long in one. */
import { setImmediate } from 'node:timers/promises'

/** A piece of work over fewer items holds nobody up. */
const MANY = 500

/** @param items how many the pieces of work are about; left out where they are known to be long */
export async function othersTurn(items = Infinity): Promise<void> {
  if (items <= MANY) return
  // A new connection is accepted in the first turn, and its request is read and answered in the second.
  await setImmediate()
  await setImmediate()
}
