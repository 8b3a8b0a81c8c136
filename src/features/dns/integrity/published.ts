/** What the last look at DNS says of names whose address changes, in the words of dynamic DNS (`PublishedSet` of its companion). */
import type { PropagationState } from './propagation.ts'
import type { DnsWatch } from './watch.ts'

const STATES = {
  synced: 'in_place',
  propagating: 'pending',
  slow: 'different',
  unknown: 'unknown',
} as const satisfies Record<PropagationState, string>

/** Null before the first check of DNS. */
export function publishedIn({ integrity }: Pick<DnsWatch, 'integrity'>) {
  const { last } = integrity
  if (last === null) return null
  const sets = last.names.map(({ set, state }) => ({
    name: set.name,
    type: set.type,
    values: set.values,
    state: STATES[state],
  }))
  return { sets, checked_at: last.checked_at }
}
