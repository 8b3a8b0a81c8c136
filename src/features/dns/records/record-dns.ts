/** DNS as the verbs of a record ask for it (`RecordDns` of domains). */
import type { OwnedRrset } from '../../../model/network/dns.ts'
import type { StoreReader } from '../../../ports/store.ts'
import type { Deps } from '../deps.ts'
import { dnsRecords } from '../records.ts'
import { externalIps } from './external-ip.ts'
import { type Done, keptDnsWords } from './kept-words.ts'
import { namesWithoutRecord } from './without-record.ts'

export function recordDns(deps: Pick<Deps, 'store' | 'dns' | 'clock'>) {
  const { addresses, providers } = deps.dns
  return {
    addresses,
    has_accounts: providers.length > 0,
    externalIps: (store: StoreReader) => externalIps({ store, dns: deps.dns }),
    ownSets,
    keptWords: (sets: readonly OwnedRrset[], done: Done) => keptDnsWords(deps, sets, done),
    namesWithoutRecord: (domain_ids: readonly number[]) => namesWithoutRecord(deps, domain_ids),
  }
}

/** Those that the ledger has for ours, of one record. */
const ownSets = async (tx: StoreReader, id: number): Promise<readonly OwnedRrset[]> =>
  (await tx.of(dnsRecords).ownedRrsets()).filter(
    ({ domain_id, state }) => domain_id === id && OURS.includes(state),
  )

const OURS: readonly OwnedRrset['state'][] = ['owned', 'applying', 'adopted']
