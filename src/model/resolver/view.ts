/** What one resolver overrides, and what it answers because of it. */

export const RESOLVER_PRODUCTS = ['dnsmasq', 'unbound', 'hosts', 'adguard', 'pihole', 'technitium'] as const
export type ResolverProduct = (typeof RESOLVER_PRODUCTS)[number]

export interface Override {
  /** In the form of `model/network/dns.ts`, without a star; empty for the root, which is every name. */
  readonly name: string
  /** `subtree`: the name and all below it. `below`: all below it and not the name itself. */
  readonly scope: 'exact' | 'subtree' | 'below'
  /** `A`, `AAAA`, `CNAME`; any other type only says that the name is there. */
  readonly type: string
  /** Address or name in the form of `model/network/dns.ts`; null: questions of this type go to the upstream. */
  readonly value: string | null
  /** Where it is written: `/etc/dnsmasq.d/lan.conf:12`. */
  readonly source: string
}

/**
 * What becomes of a question below `name` that no override answers.
 *
 * | rule | the name has another type | the name is not there |
 * |---|---|---|
 * | `null` | the null address | the null address, before shorter names |
 * | `forward` | upstream | upstream |
 * | `transparent` | no data | upstream |
 * | `typetransparent` | upstream | upstream |
 * | `static` | no data | no such name |
 * | `nxdomain` | no data | no such name, unless a shorter name has an answer of the type |
 * | `refuse`, `deny` | refused, no answer at all | the same |
 * | `redirect` | the overrides of the zone's own name hold for all below it, and nothing else does | |
 * | `always_null` | the null address | the null address |
 * | other `always_…` | overrides do not count | |
 */
export type ZoneRule =
  | 'null'
  | 'forward'
  | 'transparent'
  | 'typetransparent'
  | 'static'
  | 'nxdomain'
  | 'refuse'
  | 'deny'
  | 'redirect'
  | 'always_forward'
  | 'always_refuse'
  | 'always_deny'
  | 'always_nxdomain'
  | 'always_nodata'
  | 'always_null'

export interface ResolverZone {
  readonly name: string
  readonly scope: 'subtree' | 'below'
  readonly rule: ZoneRule
}

/** The whole of what one resolver overrides. */
export interface ResolverView {
  readonly product: ResolverProduct
  readonly overrides: readonly Override[]
  readonly zones: readonly ResolverZone[]
}

export type ResolverAnswer =
  /** `via`: the aliases on the way, from the first target to the name that has the addresses. */
  | { readonly kind: 'addresses'; readonly values: readonly string[]; readonly via: readonly string[] }
  /** An alias to a name that the overrides do not answer. */
  | { readonly kind: 'alias'; readonly via: readonly string[] }
  /** `forwarded`: not overridden, the upstream is asked. `dropped`: no answer at all. */
  | { readonly kind: 'nodata' | 'nxdomain' | 'refused' | 'dropped' | 'forwarded' }
