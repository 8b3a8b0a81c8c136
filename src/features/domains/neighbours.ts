/**
 * What the verbs of a record ask of those who publish its name and report its address, and do not know: `deps-wiring.ts` hands in
 * `recordDns` (`dns/records/record-dns.ts`) and `gatewaysOf` (`ddns/hosts/gateways.ts`).
 */
import type { ComponentResult } from '../../core/answers.ts'
import type { AuditFacts } from '../../core/audit/facts.ts'
import type { SaidAfter } from '../../core/deploy.ts'
import type { Instant } from '../../kernel/clock.ts'
import type { AddressSettings } from '../../model/domain/address-sources.ts'
import type { DomainRecord } from '../../model/domain/record.ts'
import type { OwnedRrset } from '../../model/network/dns.ts'
import type { StoreReader, StoreWriter } from '../../ports/store.ts'

/** The address that DNS serves for a record; null where nothing is published. */
export type ExternalIp = (record: Pick<DomainRecord, 'id' | 'domain'>) => string | null

export interface RecordDns {
  /** What stands for a name that has no address of its own. */
  readonly addresses: AddressSettings
  /** Whether any account is set up. */
  readonly has_accounts: boolean
  externalIps(store: StoreReader): Promise<ExternalIp>
  /** Sets of a record that the ledger has for ours. */
  ownSets(store: StoreReader, domain_id: number): Promise<readonly OwnedRrset[]>
  /** What became of these sets, which a deactivation leaves. @param asked.components of the call */
  keptWords(
    sets: readonly OwnedRrset[],
    asked: { readonly components: readonly ComponentResult[]; readonly signal: AbortSignal },
  ): Promise<SaidAfter>
  /** A sentence for each live one of these records of which no DNS record is made. */
  namesWithoutRecord(domain_ids: readonly number[]): Promise<readonly string[]>
}

/** Keys of gateways that end with the names that they were for. */
export interface EndedKeys {
  readonly tokens: readonly { readonly id: string; readonly host: string }[]
  /** What was reported for them is forgotten, too. */
  readonly hosts: readonly string[]
  readonly audit: readonly AuditFacts[]
  readonly ended_at: Instant
}

export interface Gateways {
  /** Within the transaction in which the record with these names is deleted. */
  giveUp(
    tx: StoreWriter,
    given: { readonly hosts: readonly string[]; readonly domain_id: number; readonly at: Instant },
  ): Promise<EndedKeys>
  /** Once that is durable. */
  forget(ended: EndedKeys): void
  endingWords(tokens: EndedKeys['tokens']): readonly string[]
  /** Whether one reported the address for the name, or for the hub, not many changes ago. */
  haveReported(store: StoreReader, record: Pick<DomainRecord, 'domain'>, address: string): Promise<boolean>
}
