/** What the DNS zones are derived from besides the records. */
import type { AddressSettings } from '../../../model/domain/address-sources.ts'

export interface DnsSettings extends AddressSettings {
  /** Seconds for records that name none; null leaves it to providers that have an automatic TTL. */
  readonly ttl: number | null
}
