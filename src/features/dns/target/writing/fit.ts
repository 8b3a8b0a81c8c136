/**
 * What a provider makes of a set, so that what is wanted is compared in the provider's own form and never differs for ever.
 *
 * Law, held by tests on every kind of traits: fit(read(write(fit(x)))) = fit(x).
 */
import type { ListedRrset } from '../../../../model/network/dns.ts'
import type { DnsTraits, RrsetChange } from '../../providers/port.ts'

export type Content = NonNullable<RrsetChange['wanted']>

/** For providers that have no automatic TTL, when nobody named one. */
const USUAL_TTL = 300

export function fit(traits: DnsTraits, { ttl, values, comment, proxied }: Content): Content {
  const fitted = traits.has_proxy ? (proxied ?? false) : null
  return {
    ttl: fitTtl(traits, ttl, fitted),
    values: [...new Set(values)].sort(),
    comment: fitComment(traits, comment),
    proxied: fitted,
  }
}

/** Behind its proxy the provider decides the TTL. */
function fitTtl({ ttl }: DnsTraits, wanted: number | null, proxied: boolean | null): number | null {
  if (proxied === true) return null
  if (wanted === null && ttl.automatic) return null
  return Math.min(Math.max(wanted ?? USUAL_TTL, ttl.least), ttl.most)
}

function fitComment({ comment_most }: DnsTraits, comment: string | null): string | null {
  if (comment_most === null || comment === null || comment === '') return null
  return comment.slice(0, comment_most)
}

/** Where nobody says whether a set is proxied, it stays as it is; a new one is not. */
export const keepProxied = (
  traits: DnsTraits,
  wanted: boolean | null,
  listed: ListedRrset | null,
): boolean | null => (traits.has_proxy ? (wanted ?? listed?.proxied ?? false) : null)

/** Whether a listed set is what a fitted one asks for; the comment is the mark's business. */
export const isFitted = (listed: ListedRrset, { ttl, values, proxied }: Content): boolean =>
  sameValues(listed.values, values) && listed.proxied === proxied && (proxied === true || listed.ttl === ttl)

export const sameValues = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((value, i) => value === b[i])
