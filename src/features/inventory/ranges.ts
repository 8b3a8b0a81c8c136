/** Ranges of whole numbers, both ends within. Pure. */
export interface Range {
  readonly first: number
  readonly last: number
}

/** In order, and none touches another. */
export function merged(ranges: readonly Range[]): readonly Range[] {
  const all: Range[] = []
  for (const range of ranges.toSorted((a, b) => a.first - b.first)) {
    const before = all.at(-1)
    if (before === undefined || range.first > before.last + 1) all.push(range)
    else all[all.length - 1] = { first: before.first, last: Math.max(before.last, range.last) }
  }
  return all
}
