/** What Cloudflare can and cannot do, on its smallest plan: larger plans allow more, and nothing here needs it. */
import type { DnsTraits } from '../port.ts'

/** Single records in one batch (200 on Free, 3,500 on paid plans). */
export const MAX_OPERATIONS = 200

export const TRAITS: DnsTraits = {
  batch_most: MAX_OPERATIONS,
  atomic: true,
  page_most: 1000,
  has_stamp: false,
  comment_most: 100,
  has_proxy: true,
  ttl: { least: 60, most: 86_400, automatic: true },
  makes_zones: false,
  // "API rate limits": for each user or account token; whoever goes beyond is shut out for five minutes.
  limit: { requests: 1200, within_ms: 5 * 60 * 1000 },
}
