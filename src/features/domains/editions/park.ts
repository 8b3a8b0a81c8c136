/**
 * Makes room among records that take names or entrypoints of each other, also in a circle: whoever holds what another one
 * wants lets go of it first, under a name that nobody sees. It lives within the transaction (`.invalid`, RFC 6761 §6.4).
 */
import type { Instant } from '../../../kernel/clock.ts'
import { type DomainFields, fieldsOf } from '../../../model/domain/record.ts'
import type { IntentRow } from '../../../model/intent.ts'
import type { StoreWriter } from '../../../ports/store.ts'
import { claimsOf } from '../../../engine/editions/releasable.ts'

export interface Parking {
  readonly moves: readonly { readonly present: Holder; readonly fields: DomainFields }[]
  /** What comes beside them. */
  readonly comes?: readonly Holder[]
}

type Holder = Pick<IntentRow, 'domain_id' | 'fields'>

/** @returns the ids of those that were parked, each of which has to be saved by the caller */
export async function park(
  tx: StoreWriter,
  { moves, comes = [] }: Parking,
  at: Instant,
): Promise<ReadonlySet<number>> {
  const wanted = new Map<string, number>()
  for (const row of comes) for (const thing of claimsOf(row)) wanted.set(thing, row.domain_id)
  for (const { present, fields } of moves)
    for (const thing of claimsOf({ fields })) wanted.set(thing, present.domain_id)
  const parked = new Set<number>()
  for (const { present } of moves) {
    const { domain_id, fields } = present
    if (claimsOf(present).every((thing) => (wanted.get(thing) ?? domain_id) === domain_id)) continue
    const apart = { ...fieldsOf(fields), domain: `parked-${domain_id}.invalid`, ssl_enabled: true }
    await tx.reviseDomain(domain_id, { fields: apart }, at)
    parked.add(domain_id)
  }
  return parked
}
