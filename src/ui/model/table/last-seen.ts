/** What was seen and could not be seen again: it stays, with when it was seen last. Pure. */

/** By the id of each row. */
export type SeenRows<R> = ReadonlyMap<string, { readonly row: R; readonly seen_at: number }>

export interface LastSeen<R> {
  /** What is seen now, and after it what was seen before and may be there still. */
  readonly rows: readonly R[]
  /** Of those that are not seen now: when each was. In milliseconds, by id. */
  readonly before: ReadonlyMap<string, number>
}

interface Facts<R> {
  readonly idOf: (row: R) => string
  /** Whether a row that is not among them may be there all the same. */
  readonly mayMiss: (row: R) => boolean
  /** When they were seen. */
  readonly at: number
}

/** @param seen what this was told with before; it is what is handed in next */
export function lastSeen<R>(
  seen: SeenRows<R>,
  rows: readonly R[],
  { idOf, mayMiss, at }: Facts<R>,
): LastSeen<R> & { readonly seen: SeenRows<R> } {
  const now = new Map(rows.map((row) => [idOf(row), { row, seen_at: at }]))
  const missing = [...seen].filter(([id, { row }]) => !now.has(id) && mayMiss(row))
  return {
    rows: [...rows, ...missing.map(([, { row }]) => row)],
    before: new Map(missing.map(([id, { seen_at }]) => [id, seen_at])),
    seen: new Map([...now, ...missing]),
  }
}
