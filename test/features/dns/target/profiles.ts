/** Kinds of providers that differ in what matters to a target. Batches are small, so that they are always split. */
import type { DnsTraits } from '../../../../src/features/dns/providers/port.ts'

type Profile = DnsTraits & { readonly has_ids: boolean }

const PLAIN: Profile = {
  batch_most: 4,
  atomic: true,
  page_most: null,
  has_stamp: true,
  comment_most: 500,
  has_proxy: false,
  ttl: { least: 1, most: 2_147_483_647, automatic: false },
  makes_zones: false,
  limit: null,
  has_ids: false,
}

export const PROFILES = {
  powerdns_like: PLAIN,
  cloudflare_like: {
    ...PLAIN,
    has_stamp: false,
    comment_most: 100,
    has_proxy: true,
    ttl: { least: 60, most: 86_400, automatic: true },
    has_ids: true,
  },
  no_comments: {
    ...PLAIN,
    atomic: false,
    comment_most: null,
    ttl: { least: 3600, most: 86_400, automatic: false },
  },
  counted_reads: { ...PLAIN, limit: { requests: 50, within_ms: 60_000 } },
  one_by_one: { ...PLAIN, batch_most: 1, atomic: false, comment_most: null, has_stamp: false },
  short_comments: { ...PLAIN, comment_most: 32, makes_zones: true },
} as const satisfies Record<string, Profile>

export type ProfileName = keyof typeof PROFILES
export const PROFILE_NAMES = Object.keys(PROFILES) as ProfileName[]
