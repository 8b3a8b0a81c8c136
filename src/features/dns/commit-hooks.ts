/** What a change may well not do in the zones, told before it is done and when it is. */
import type { CommitHooks } from '../../core/commit/hooks.ts'
import { withRows } from '../../engine/editions/editions.ts'
import { isPrivateAddress, privateAddressWarning } from '../../kernel/private-address.ts'
import { isPublished } from '../../model/domain/address-sources.ts'
import type { DomainFields } from '../../model/domain/record.ts'
import type { Deps } from './deps.ts'
import type { DnsService } from './service.ts'
import { namesWithoutRecord, warningsOnRows, rowsOf } from './records/without-record.ts'
import { idleKeys } from './zones/idle-keys.ts'
import { lookForAccounts } from './zones/unread-accounts.ts'

export function dnsHooks(deps: Pick<Deps, 'store' | 'dns' | 'clock'>): CommitHooks {
  const { store, dns } = deps
  return {
    async planned(rows) {
      if (rows === null || rows.length === 0) return []
      const domain_ids = rows.map(({ domain_id }) => domain_id)
      const prospect = rowsOf(withRows(await store.intent('released'), rows), domain_ids)
      return warningsOnRows(deps, prospect, domain_ids)
    },
    deployed: (domain_ids) => namesWithoutRecord(deps, domain_ids),
    idle: (domain_ids) => idleKeys(deps, domain_ids),
    warnings: async (records) => privateAddresses(dns, records),
    async unread(prospect, component, signal) {
      if (component !== null && component !== 'dns') return []
      const accounts = await lookForAccounts(deps, prospect, signal)
      return accounts.map((account) => ({ component: 'dns', ...account }))
    },
  }
}

/**
 * Where the whole internet is told of it. A name server of one's own may serve one's own network, and whoever publishes a private
 * address for all names (which the start remarks on) means that network.
 */
function privateAddresses(dns: DnsService, records: readonly DomainFields[]): readonly string[] {
  if (dns.hosted.size === 0 || dns.addresses.public_ip.some(isPrivateAddress)) return []
  return records
    .filter((fields) => isPublished(fields) && dns.hosted.has(dns.accountFor(fields.domain) ?? ''))
    .flatMap(({ domain, static_ip }) => {
      const warning = privateAddressWarning(static_ip)
      return warning === null ? [] : [`${domain}: static_ip ${warning}.`]
    })
}
