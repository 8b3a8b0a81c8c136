/**
 * Whether what a person told to go is still what they were shown. No record in the database vouches for it, so it is asked
 * for once more right before it is taken away, and what is another record by then is left alone.
 */
import { type ListedRrset, NO_DOMAIN, rrsetItem, rrsetKey } from '../../../../model/network/dns.ts'
import type { RefusedRepair } from '../../../../model/report.ts'
import type { DnsProvider } from '../../providers/port.ts'
import type { DnsPayload, Item } from '../writing/planned-change.ts'
import { sameValues } from '../writing/fit.ts'
import { setText } from '../marks/set-text.ts'

export interface LookAt {
  readonly provider: DnsProvider
  readonly zone: string
  readonly signal: AbortSignal
}

/** Items whose set is another one by now, with what says so. Throws a Failure where the provider does not answer. */
export async function replacedSince(
  items: readonly Item[],
  where: LookAt,
): Promise<ReadonlyMap<string, RefusedRepair>> {
  const asked = items.filter(({ payload }) => isRemovalAtWord(payload))
  const replaced = new Map<string, RefusedRepair>()
  if (asked.length === 0) return replaced
  const seen = await setsAt(asked, where)
  for (const { key, payload } of asked) {
    const set = seen.get(rrsetKey(payload.row))
    if (set !== undefined && !sameValues(set.values, payload.ledger.before!.values))
      replaced.set(key, anotherByNow(set, payload))
  }
  return replaced
}

const isRemovalAtWord = ({ rank, ledger }: DnsPayload): boolean =>
  rank === 'delete' && ledger.before?.domain_id === NO_DOMAIN

async function setsAt(
  asked: readonly Item[],
  { provider, zone, signal }: LookAt,
): Promise<ReadonlyMap<string, ListedRrset>> {
  const rows = asked.map(({ payload }) => payload.row)
  const found =
    provider.at === undefined
      ? await provider.list(zone, signal)
      : (
          await Promise.all(rows.map(({ name, type }) => provider.at!(zone, { name, types: [type] }, signal)))
        ).flat()
  return new Map(found.map((set) => [rrsetKey(set), set]))
}

function anotherByNow(set: ListedRrset, { ledger }: DnsPayload): RefusedRepair {
  const shown = ledger.before!.values.join(', ')
  return {
    code: 'conflict',
    message: `${rrsetItem(set)} is ${setText(set)} by now, not ${shown} as it was shown, so it is left alone. Look at it, and remove it again if it is to go.`,
    retry_after_ms: 0,
  }
}
