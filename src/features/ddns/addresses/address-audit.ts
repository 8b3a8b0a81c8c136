/** What a report that changed an address leaves in the audit trail: a gateway changes DNS as a person does. */
import { Failure } from '../../../kernel/failure.ts'
import { type Actor, requestOf } from '../../../model/actor.ts'
import type { ReportedAddress } from '../../../model/network/dns.ts'
import type { AddressChange } from '../records.ts'
import type { StoreReader } from '../../../ports/store.ts'
import type { AuditEntry } from '../../../ports/records/trails.ts'

/** A damaged record takes its addresses all the same. */
const recordOf = (reader: Pick<StoreReader, 'domainByName'>, host: string) =>
  reader.domainByName(host).catch((error: unknown) => {
    if (error instanceof Failure && error.code === 'database_corrupt') return null
    throw error
  })

export async function addressAudit(
  reader: Pick<StoreReader, 'domainByName'>,
  { host, actor, by }: { readonly host: string; readonly actor: string; readonly by: Actor },
  {
    before,
    changes,
  }: { readonly before: ReportedAddress | null; readonly changes: readonly AddressChange[] },
): Promise<AuditEntry> {
  const record = await recordOf(reader, host)
  const revision = record?.revision ?? null
  const old = { A: before?.ipv4 ?? null, AAAA: before?.ipv6 ?? null }
  return {
    at: changes[0]!.at,
    actor: by.name,
    ...requestOf(by),
    action: 'report_address',
    domain_id: record?.id ?? null,
    domain: host,
    revision_before: revision,
    revision_after: revision,
    plan_hash: null,
    detail: {
      key: actor,
      addresses: changes.map(({ type, address }) => ({ type, before: old[type], after: address })),
    },
  }
}
