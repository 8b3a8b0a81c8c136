/** Ranges of whole numbers, both ends within, and what is free of one. Pure. */
import type { NumbersInUse } from './sorted-numbers.ts'

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

export interface Space {
  readonly limits: Range
  /** Within the limits, as `merged` leaves them. */
  readonly skipped: readonly Range[]
  readonly used: NumbersInUse
}

export function countFree({ limits, skipped, used }: Space): number {
  const unused = (range: Range): number => range.last - range.first + 1 - used.countIn(range)
  return skipped.reduce((free, range) => free - unused(range), unused(limits))
}

/** The lowest free number at or above `from`; null for none. Above 2^53 numbers have no next one, and nobody counts so far. */
export function nextFree({ limits, skipped, used }: Space, from: number): number | null {
  let at = used.firstGap(from)
  for (const { first, last } of skipped) {
    if (at < first) break
    if (at <= last) at = used.firstGap(last + 1)
  }
  return at <= limits.last && at < Number.MAX_SAFE_INTEGER ? at : null
}
