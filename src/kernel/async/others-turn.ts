/** Whoever waits for the event loop has a turn between two pieces of work that were too long in one. */
import { setImmediate } from 'node:timers/promises'
import type { Milliseconds } from '../clock.ts'

/** A piece of work over fewer items holds nobody up. */
const MANY = 500

/** So long a piece of work holds nobody up. */
const PIECE_MS: Milliseconds = 10

/** To be waited for between the pieces of a long work: others have their turn whenever it has taken so long. */
export function turnsByTime(): () => Promise<void> {
  let since = performance.now()
  return async () => {
    if (performance.now() - since <= PIECE_MS) return
    await othersTurn()
    since = performance.now()
  }
}

/** @param items how many the pieces of work are about; left out where they are known to be long */
export async function othersTurn(items = Infinity): Promise<void> {
  if (items <= MANY) return
  // A new connection is accepted in the first turn, and its request is read and answered in the second.
  await setImmediate()
  await setImmediate()
}
