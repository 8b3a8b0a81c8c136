/** Named filters: ours, and one for each zone that has more than one domain. */
import type { DomainRow } from '../../model/domain-rows.ts'
import { filtered, parseFilter } from '../../model/filter.ts'
import { splitName } from '../../model/visible.ts'

interface View {
  readonly name: string
  readonly query: string
  readonly size: number
}

const OURS: readonly (readonly [string, string])[] = [
  ['All', ''],
  // Not "needs you": what nobody can find out of a name may need nobody.
  ['Not green', 'is:trouble'],
  ['Not deployed', 'is:pending'],
  ['Open to all', 'is:open'],
]

const MAX_ZONES = 6

export function viewsOf(rows: readonly DomainRow[]): readonly View[] {
  const zones = Map.groupBy(rows, ({ domain }) => splitName(domain.replace(/^\*\./, '')).zone.slice(1))
  const largest = [...zones]
    .filter(([zone, own]) => zone !== '' && own.length > 1)
    .toSorted(([, a], [, b]) => b.length - a.length)
    .slice(0, MAX_ZONES)
  return [...OURS, ...largest.map(([zone]) => [zone, `zone:${zone}`] as const)]
    .map(([name, query]) => ({ name, query, size: filtered(rows, parseFilter(query)).length }))
    .filter(({ query, size }) => query === '' || size > 0)
}
