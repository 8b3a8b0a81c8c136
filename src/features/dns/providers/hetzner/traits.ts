/** What Hetzner's Cloud DNS can and cannot do. */
import type { DnsTraits } from '../port.ts'

export const TRAITS: DnsTraits = {
  // One call per set; the number only bounds how much is told at once.
  batch_most: 25,
  atomic: false,
  page_most: 50,
  has_stamp: false,
  // The published limit is not known; all of ours are shorter.
  comment_most: 100,
  has_proxy: false,
  // Automatic: the default TTL of the zone.
  ttl: { least: 60, most: 2_147_483_647, automatic: true },
  makes_zones: false,
  limit: { requests: 3600, within_ms: 60 * 60 * 1000 },
}
