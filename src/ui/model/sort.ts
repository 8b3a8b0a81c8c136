/** The order of the table: a column and a direction as one word of the address, `-saved`. */
import type { FilterRow } from './filter.ts'
import { weightOf, worstOf } from './lamps.ts'

const NAMES = new Intl.Collator('en', { numeric: true })

type Compare = (a: FilterRow, b: FilterRow) => number

const byName: Compare = (a, b) => NAMES.compare(a.domain, b.domain)

const COLUMNS = new Map<string, Compare>([
  ['name', byName],
  ['target', (a, b) => NAMES.compare(a.target, b.target)],
  ['kind', (a, b) => NAMES.compare(a.kind, b.kind)],
  ['lamps', (a, b) => weightOf(worstOf(b.lamps)) - weightOf(worstOf(a.lamps))],
  ['access', (a, b) => Number(a.open) - Number(b.open)],
  ['env', (a, b) => NAMES.compare(a.environment, b.environment)],
  // What is not known comes last.
  ['cert', (a, b) => (a.certificate_days ?? Infinity) - (b.certificate_days ?? Infinity) || 0],
  ['saved', (a, b) => b.updated_at - a.updated_at],
])

export interface Sort {
  readonly column: string
  readonly down: boolean
}

export function parseSort(text: string | null): Sort {
  const column = (text ?? '').replace(/^-/, '')
  return COLUMNS.has(column) ? { column, down: text!.startsWith('-') } : { column: 'name', down: false }
}

export const sortText = ({ column, down }: Sort): string => `${down ? '-' : ''}${column}`

/** The same column again turns it around. */
export const nextSort = (sort: Sort, column: string): Sort =>
  sort.column === column ? { column, down: !sort.down } : { column, down: false }

interface Ranked<R> {
  readonly row: R
  /** Equal ones have the same. */
  readonly rank: number
}

/** Of a list, by column: text is compared once, and not for each press on a head. */
const rankings = new WeakMap<readonly FilterRow[], Map<string, readonly Ranked<FilterRow>[]>>()

function rankedBy<R extends FilterRow>(rows: readonly R[], column: string): readonly Ranked<R>[] {
  const known = rankings.get(rows) ?? new Map<string, readonly Ranked<FilterRow>[]>()
  rankings.set(rows, known)
  const before = known.get(column)
  if (before !== undefined) return before as readonly Ranked<R>[]
  const compare = COLUMNS.get(column) ?? byName
  // Those that are equal stand by name.
  const base = column === 'name' ? rows : rankedBy(rows, 'name').map(({ row }) => row)
  const order = base.toSorted(compare)
  let rank = 0
  const ranked = order.map((row, at) => {
    if (at > 0 && compare(order[at - 1]!, row) !== 0) rank++
    return { row, rank }
  })
  known.set(column, ranked)
  return ranked
}

export function sorted<R extends FilterRow>(rows: readonly R[], { column, down }: Sort): readonly R[] {
  const up = rankedBy(rows, column)
  return (down ? up.toSorted((a, b) => b.rank - a.rank) : up).map(({ row }) => row)
}
