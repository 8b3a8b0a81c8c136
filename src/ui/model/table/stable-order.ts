/** Rows keep their place while the stream changes them; those that would stand elsewhere, or fit no more, are marked. */
import type { FilterRow } from '../filter.ts'
import { worstOf } from '../lamps.ts'

export interface StableOrder<R extends FilterRow> {
  /** Filter and sort: with another text the order is made anew. */
  readonly key: string
  readonly rows: readonly R[]
  readonly moved: ReadonlySet<number>
  /** What they were at the time of the last sort: the list of then, and those that came later. */
  readonly sorted: readonly R[]
  readonly later: ReadonlyMap<number, R>
}

/** Of what a row is filtered and sorted by. */
const signOf = ({
  domain,
  target,
  kind,
  status,
  open,
  pending,
  updated_at,
  lamps,
  tags,
}: FilterRow): string =>
  [domain, target, kind, status, open, pending, updated_at, worstOf(lamps), tags.join(' ')].join('\n')

/**
 * @param rows all of them
 * @param fit those that the filter lets through, sorted
 */
export function stableOrder<R extends FilterRow>(
  before: StableOrder<R> | null,
  key: string,
  rows: readonly R[],
  fit: readonly R[],
): StableOrder<R> {
  if (before === null || before.key !== key)
    return { key, rows: fit, moved: new Set(), sorted: fit, later: new Map() }
  const byId = new Map(rows.map((row) => [row.id, row]))
  const ranks = new Map(fit.map(({ id }, rank) => [id, rank]))
  const kept = before.rows.flatMap(({ id }) => byId.get(id) ?? [])
  const known = new Set(kept.map(({ id }) => id))
  const placed = [...kept, ...fit.filter(({ id }) => !known.has(id))]
  const moved = new Set<number>()
  const then = new Map(before.sorted.map((row) => [row.id, row]))
  const later = new Map(before.later)
  for (const [at, row] of placed.entries()) {
    const was = then.get(row.id) ?? later.get(row.id)
    if (was === undefined) later.set(row.id, row)
    else if (was === row || signOf(was) === signOf(row)) continue
    if (!isInPlace(placed, ranks, at)) moved.add(row.id)
  }
  return { key, rows: placed, moved, sorted: before.sorted, later }
}

function isInPlace(placed: readonly FilterRow[], ranks: ReadonlyMap<number, number>, at: number): boolean {
  const own = ranks.get(placed[at]!.id)
  if (own === undefined) return false
  const before = placed[at - 1]
  const after = placed[at + 1]
  return (
    own > (before === undefined ? -1 : (ranks.get(before.id) ?? -1)) &&
    own < (after === undefined ? Infinity : (ranks.get(after.id) ?? Infinity))
  )
}
