/** What the DNS zones are derived from besides the records. */
export interface DnsSettings {
  /** Canonical addresses, v4 and v6, for names that have no other. */
  readonly public_ip: readonly string[]
  /** The host whose reported addresses stand for every name without its own; null for none. */
  readonly hub_host: string | null
  /** Seconds for records that name none; null leaves it to providers that have an automatic TTL. */
  readonly ttl: number | null
}
