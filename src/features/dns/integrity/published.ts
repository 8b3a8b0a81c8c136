/** What the last look at DNS says of names whose address changes, in the words of dynamic DNS. */
import type { PublishedSet, StatusParts } from '../../ddns/companion/status.ts'
import type { PropagationState } from './propagation.ts'
import type { DnsWatch } from './watch.ts'

const STATES: Readonly<Record<PropagationState, PublishedSet['state']>> = {
  synced: 'in_place',
  propagating: 'pending',
  slow: 'different',
  unknown: 'unknown',
}

/** Null before the first check of DNS. */
export function publishedIn({
  integrity,
}: Pick<DnsWatch, 'integrity'>): ReturnType<StatusParts['published']> {
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
