/** Long work over many items, in pieces between which others have their turn at the event loop. */
import { othersTurn } from './others-turn.ts'

const PIECE = 500

/** @param work what is done with each, in their order */
export async function inPieces<T>(items: readonly T[], work: (item: T) => void): Promise<void> {
  for (let at = 0; at < items.length; at += PIECE) {
    if (at > 0) await othersTurn()
    for (const item of items.slice(at, at + PIECE)) work(item)
  }
}
