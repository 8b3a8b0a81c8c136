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

export function sorted<R extends FilterRow>(rows: readonly R[], { column, down }: Sort): readonly R[] {
  const compare = COLUMNS.get(column) ?? byName
  const sign = down ? -1 : 1
  return rows.toSorted((a, b) => sign * compare(a, b) || byName(a, b))
}
