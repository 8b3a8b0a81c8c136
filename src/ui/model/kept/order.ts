/** The order of a list by one of its columns, as one word of the address: `-end`. Any list may use it. */
import type { Sort } from '../sort.ts'

export const NAMES = new Intl.Collator('en', { numeric: true })

export type Compare<R> = (a: R, b: R) => number
export type Compares<R> = ReadonlyMap<string, Compare<R>>

/** A column that the list does not know is its first one. */
export function parseOrder<R>(text: string | null, columns: Compares<R>): Sort {
  const column = (text ?? '').replace(/^-/, '')
  if (columns.has(column)) return { column, down: text!.startsWith('-') }
  const [first = ''] = columns.keys()
  return { column: first, down: false }
}

/** Those that are equal keep the order in which they came. */
export function inOrder<R>(rows: readonly R[], columns: Compares<R>, { column, down }: Sort): readonly R[] {
  const compare = columns.get(column)
  if (compare === undefined) return rows
  const sign = down ? -1 : 1
  return rows.toSorted((a, b) => sign * compare(a, b))
}

/** Rows that hold every word, in any of their texts; a word with a minus is one that they must not hold. */
export function thatHold<R extends { readonly hay: string }>(rows: readonly R[], text: string): readonly R[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return rows
  return rows.filter(({ hay }) =>
    words.every((word) =>
      word.startsWith('-') && word.length > 1 ? !hay.includes(word.slice(1)) : hay.includes(word),
    ),
  )
}

/** What `thatHold` looks through. */
export const hayOf = (...texts: readonly (string | null | undefined)[]): string =>
  texts.filter(Boolean).join('\n').toLowerCase()
