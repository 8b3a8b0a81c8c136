/** Rows keep their place while the stream changes them; those that would stand elsewhere, or fit no more, are marked. */
import type { FilterRow } from '../filter.ts'
import { worstOf } from '../lamps.ts'

export interface StableOrder<R extends FilterRow> {
  /** Filter and sort: with another text the order is made anew. */
  readonly key: string
  readonly rows: readonly R[]
  readonly moved: ReadonlySet<number>
  /** What each row was ordered by, at the time of the last sort. */
  readonly signs: ReadonlyMap<number, string>
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
 * @param rows all of them, by id
 * @param fit those that the filter lets through, sorted
 */
export function stableOrder<R extends FilterRow>(
  before: StableOrder<R> | null,
  key: string,
  rows: ReadonlyMap<number, R>,
  fit: readonly R[],
): StableOrder<R> {
  if (before === null || before.key !== key)
    return { key, rows: fit, moved: new Set(), signs: new Map(fit.map((row) => [row.id, signOf(row)])) }
  const ranks = new Map(fit.map(({ id }, rank) => [id, rank]))
  const kept = before.rows.flatMap(({ id }) => rows.get(id) ?? [])
  const known = new Set(kept.map(({ id }) => id))
  const placed = [...kept, ...fit.filter(({ id }) => !known.has(id))]
  const moved = new Set<number>()
  const signs = new Map(before.signs)
  for (const [at, row] of placed.entries()) {
    const sign = signs.get(row.id)
    if (sign === undefined) signs.set(row.id, signOf(row))
    else if (sign === signOf(row)) continue
    if (!isInPlace(placed, ranks, at)) moved.add(row.id)
  }
  return { key, rows: placed, moved, signs }
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
