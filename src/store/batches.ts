/** Many rows in few statements. */

/** Rows per statement: few texts to prepare, far below the limit of bound values. */
const BATCH = 50

export function* batches<T>(items: readonly T[]): Generator<readonly T[]> {
  for (let from = 0; from < items.length; from += BATCH) yield items.slice(from, from + BATCH)
}
