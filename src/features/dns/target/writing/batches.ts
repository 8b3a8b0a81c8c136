/** Which planned changes go out in one request. Pure. */
import type { RrsetChange } from '../../providers/port.ts'

/** Two planned changes may carry the same mark: it is the same change. */
export const changeKey = ({ name, type, wanted }: RrsetChange): string => JSON.stringify([name, type, wanted])

export function distinct(changes: readonly RrsetChange[]): RrsetChange[] {
  return [...new Map(changes.map((change) => [changeKey(change), change])).values()]
}

/**
 * Runs of items, in order, whose distinct changes fit into one request. What belongs together stays together; an item
 * that alone does not fit is a run of its own.
 */
export function batchesOf<Item>(
  items: readonly Item[],
  changesOf: (item: Item) => readonly RrsetChange[],
  most: number,
): Item[][] {
  const batches: Item[][] = []
  const keys = new Set<string>()
  for (const item of items) {
    const fresh = changesOf(item)
      .map(changeKey)
      .filter((key) => !keys.has(key))
    if (batches.length > 0 && keys.size + fresh.length <= most) batches.at(-1)!.push(item)
    else {
      batches.push([item])
      keys.clear()
    }
    for (const key of changesOf(item).map(changeKey)) keys.add(key)
  }
  return batches
}
