/** Of a record that has another name now, the old set stays until the new one is seen to stand. */
import type { Repair } from '../../../../engine/target.ts'
import { rrsetItem } from '../../../../model/network/dns.ts'
import type { RefusedRepair } from '../../../../model/report.ts'
import type { Item } from '../writing/planned-change.ts'
import type { DnsParts } from '../parts.ts'
import type { WriteOutcome } from '../writing/sender.ts'

/** The new name may lie in another zone, which is worked on at the same time. */
const AGAIN_MS = 30_000

export const waitsForSuccessor = ({ payload }: Item): boolean => payload.successor !== null

/** What the zone's work did before. */
export interface DoneBefore {
  readonly items: readonly Item[]
  readonly outcomes: ReadonlyMap<string, WriteOutcome>
}

/** Those of the sets that must stay, by their key. */
export async function deferredRepairs(
  items: readonly Item[],
  before: DoneBefore,
  { store, zone_index }: Pick<DnsParts, 'store' | 'zone_index'>,
): Promise<ReadonlyMap<string, Repair>> {
  const owned = await store.ownedRrsets()
  // Nothing is taken away on the word of a listing that failed.
  const unseen = [...before.outcomes.values()].find(isUnseen)?.failure ?? null
  const deferred = items.flatMap((item): (readonly [string, Repair])[] => {
    const { successor, row, ledger } = item.payload
    const id = ledger.before?.domain_id
    const stands = owned.some(
      ({ name, domain_id, state }) => name === successor && domain_id === id && state === 'owned',
    )
    // A name in a zone of nobody's here never stands by us.
    const is_free = stands || successor === null || zone_index.zoneFor(successor) === null
    if (is_free && unseen === null && !isUnclearAt(successor, before)) return []
    const message = `${rrsetItem(row)} stays until ${successor} stands.`
    return [[item.key, waiting(item.key, message, failureAt(successor, before) ?? unseen)]]
  })
  return new Map(deferred)
}

const isUnseen = (outcome: WriteOutcome): outcome is Extract<WriteOutcome, { kind: 'unclear' }> =>
  outcome.kind === 'unclear' && outcome.is_unseen === true

const isUnclearAt = (name: string | null, { items, outcomes }: DoneBefore): boolean =>
  items.some(({ key, payload }) => payload.row.name === name && outcomes.get(key)?.kind === 'unclear')

function failureAt(name: string | null, { items, outcomes }: DoneBefore): RefusedRepair | null {
  for (const { key, payload } of items) {
    const outcome = outcomes.get(key)
    if (payload.row.name === name && outcome !== undefined && outcome.kind !== 'done') return outcome.failure
  }
  return null
}

function waiting(key: string, message: string, failed: RefusedRepair | null): Repair {
  if (failed !== null)
    return { key, ok: false, failure: { ...failed, message: `${message} ${failed.message}` } }
  const failure = { code: 'conflict', message, retry_after_ms: AGAIN_MS } as const
  return { key, ok: false, failure, unfinished: true }
}
