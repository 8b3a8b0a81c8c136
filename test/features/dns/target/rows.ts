/** Records and desired states for the tests of DNS: name what matters, the rest is usual. */
import type { DomainFields } from '../../../../src/model/domain/record.ts'
import { byDomain, type Intent, type IntentRow } from '../../../../src/model/intent.ts'
import { desireDns, type DnsDesired } from '../../../../src/features/dns/target/desire.ts'
import type { DnsSettings } from '../../../../src/features/dns/target/settings.ts'
import { someFields } from '../../../fixtures.ts'

export type RowWish = Partial<DomainFields> & Partial<Omit<IntentRow, 'fields'>>

export const someSettings = (over: Partial<DnsSettings> = {}): DnsSettings => ({
  public_ip: ['192.0.2.1'],
  hub_host: null,
  ttl: 300,
  ...over,
})

export const dnsRow = ({
  domain_id = 1,
  revision = 1,
  live = true,
  retired = false,
  ...fields
}: RowWish): IntentRow => ({
  domain_id,
  revision,
  live: live && !retired,
  retired,
  fields: { ...someFields(), dns_ttl: null, dns_proxied: null, ...fields },
})

/** Numbered as given. */
export const dnsIntent = (...rows: readonly RowWish[]): Intent => ({
  rows: rows.map((row, i) => dnsRow({ domain_id: i + 1, ...row })).sort(byDomain),
})

export const desiredOf = (rows: readonly RowWish[], settings: Partial<DnsSettings> = {}): DnsDesired =>
  desireDns(dnsIntent(...rows), someSettings(settings))
