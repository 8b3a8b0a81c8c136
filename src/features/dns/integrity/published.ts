/**
 * What stands in our zones by the newest listings, and whether their servers show it by the last check, in the words of dynamic
 * DNS (`PublishedSet` of its companion).
 */
import { type OwnedRrset, rrsetItem, rrsetKey } from '../../../model/network/dns.ts'
import type { Deps } from '../deps.ts'
import { dnsRecords } from '../records.ts'
import { asSentence } from '../../../kernel/text/sentence.ts'
import { hasServed, UNSERVED } from '../service.ts'
import { sameWish } from '../records/managed-set.ts'
import type { Propagation, PropagationState } from './propagation.ts'

const STATES = {
  synced: 'in_place',
  propagating: 'pending',
  slow: 'different',
  unknown: 'unknown',
} as const satisfies Record<PropagationState, string>

/** `unchecked` is why no name server was asked yet; what stands in the zones is known without that. */
export async function publishedIn({ store, dns, dns_watch }: Pick<Deps, 'store' | 'dns' | 'dns_watch'>) {
  const { last } = dns_watch.integrity
  const checked = new Map((last?.names ?? []).map((found) => [rrsetKey(found.set), found]))
  const strangers = dns.strangers()
  const ledger = await store.of(dnsRecords).ownedRrsets()
  const standing = ledger.filter((set) => set.state !== 'sending' && !strangers.has(rrsetItem(set)))
  const sets = standing.map((set) => ({
    name: set.name,
    type: set.type,
    values: set.values,
    state: arrivalOf(set, checked.get(rrsetKey(set))),
  }))
  const unchecked = hasServed(dns) ? (last === null ? NOT_ASKED : null) : asSentence(UNSERVED)
  return { sets, checked_at: last?.checked_at ?? null, unchecked }
}

const NOT_ASKED = 'The name servers have not been asked since the start.'

/** What was found of other values says nothing of these. */
const arrivalOf = (set: OwnedRrset, found: Propagation | undefined): (typeof STATES)[PropagationState] =>
  found !== undefined && sameWish(found.set, set) ? STATES[found.state] : 'unknown'
