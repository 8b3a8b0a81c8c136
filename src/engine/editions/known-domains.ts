/** Whose a name is, for naming the records that a failure concerns. */
import { liveLast } from '../../model/intent.ts'
import type { StoreReader } from '../../ports/store.ts'

export interface KnownDomain {
  readonly domain_id: number
  /** Null for a record that is in no release. */
  readonly released_revision: number | null
}

/** Records of either edition by every name that they have in one. */
export async function knownDomains(store: StoreReader): Promise<ReadonlyMap<string, KnownDomain>> {
  const known = new Map<string, KnownDomain>()
  for (const { domain_id, fields } of (await store.intent('working')).rows)
    known.set(fields.domain, { domain_id, released_revision: null })
  // A name belongs to whom it is released for, whoever wants it next.
  const revisions = new Map<number, number>()
  for (const { domain_id, fields, revision } of liveLast(await store.intent('released'))) {
    known.set(fields.domain, { domain_id, released_revision: revision })
    revisions.set(domain_id, revision)
  }
  for (const [name, { domain_id }] of known)
    known.set(name, { domain_id, released_revision: revisions.get(domain_id) ?? null })
  return known
}
