/** What Hetzner's Cloud DNS can and cannot do. */
import type { DnsTraits } from '../port.ts'

export const TRAITS: DnsTraits = {
  // One call per set, and each may take as long as a call may: so few that they end within a pass.
  batch_most: 3,
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
