/**
 * The address that DNS serves for a record. In our zones it is what the newest listing showed of its sets, so an address that
 * is only saved, not written yet, or kept out by somebody else's record is none. A name in nobody's zone of ours is
 * published by its owner: there it is where the released record leads, by the same order of sources.
 */
import { addressesInForce, addressSources, isPublished } from '../../../model/domain/address-sources.ts'
import { type OwnedRrset, rrsetItem } from '../../../model/network/dns.ts'
import type { DomainRecord } from '../../../model/domain/record.ts'
import type { Intent, IntentRow } from '../../../model/intent.ts'
import type { StoreReader } from '../../../ports/store.ts'
import type { Deps } from '../deps.ts'
import { dnsRecords } from '../records.ts'
import type { DnsService } from '../service.ts'

interface AddressReaders extends Pick<Deps, 'dns'> {
  /** Within a transaction, that. */
  readonly store: StoreReader
}

/** Null where nothing is published. */
export type ExternalIp = (record: Pick<DomainRecord, 'id' | 'domain'>) => string | null

export async function externalIps({ store, dns }: AddressReaders): Promise<ExternalIp> {
  const [ledger, released, reports] = await Promise.all([
    store.of(dnsRecords).ownedRrsets(),
    store.intent('released'),
    dns.reportedAddresses(store),
  ])
  const sets = setsOf(ledger)
  const strangers = dns.strangers()
  const rows = rowsOf(released)
  const reported = new Map(reports.map((report) => [report.host, report]))
  return ({ id, domain }) => {
    const row = rows.get(id)
    const name = row?.fields.domain ?? domain
    if (dns.zoneFor(name) !== null || sets.has(id))
      return servedOf(
        (sets.get(id) ?? []).filter((set) => isKept(set, dns) && !strangers.has(rrsetItem(set))),
        name,
      )
    if (row === undefined || row.retired || !isPublished(row.fields)) return null
    const found = addressesInForce(name, addressSources(row.fields, dns.addresses), reported)
    return found?.addresses[0] ?? null
  }
}

/** Another account may have the zone by now; while none is known to, it is what was seen last. */
export const isKept = (
  { name, account }: Pick<OwnedRrset, 'name' | 'account'>,
  { accountFor }: Pick<DnsService, 'accountFor'>,
): boolean => (accountFor(name) ?? account) === account

/** Under its present name, and while that has none, under the one that it is leaving. */
function servedOf(sets: readonly OwnedRrset[], name: string): string | null {
  const own = sets.filter((set) => set.name === name)
  const [first] = (own.length > 0 ? own : sets).toSorted((a, b) => (a.type < b.type ? -1 : 1))
  return first?.values[0] ?? null
}

const SETS = new WeakMap<readonly OwnedRrset[], ReadonlyMap<number, readonly OwnedRrset[]>>()

/** By record. What is about to be written is not served yet. */
function setsOf(ledger: readonly OwnedRrset[]): ReadonlyMap<number, readonly OwnedRrset[]> {
  const kept = SETS.get(ledger)
  if (kept !== undefined) return kept
  const sets = Map.groupBy(
    ledger.filter(({ state }) => state !== 'sending'),
    ({ domain_id }) => domain_id,
  )
  SETS.set(ledger, sets)
  return sets
}

const ROWS = new WeakMap<Intent, ReadonlyMap<number, IntentRow>>()

function rowsOf(intent: Intent): ReadonlyMap<number, IntentRow> {
  const kept = ROWS.get(intent)
  if (kept !== undefined) return kept
  const rows = new Map(intent.rows.map((row) => [row.domain_id, row]))
  ROWS.set(intent, rows)
  return rows
}
