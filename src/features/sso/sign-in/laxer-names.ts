/**
 * Exact names whose rule lets in people whom that of a star above them does not. The provider decides by the host alone, and the
 * proxy hands the host to the star whenever the own route is not there. Pure.
 */
import { compareSite, type SiteRules } from '../../../model/access/compare.ts'
import { wildcardOf } from '../../../model/network/certificate.ts'

export interface LaxerName {
  readonly domain: string
  readonly star: string
}

export function laxerNames(sites: readonly SiteRules[]): readonly LaxerName[] {
  const named = new Map(sites.map((site) => [site.domain, site]))
  return sites.flatMap(({ domain, rules }) => {
    const star = domain.startsWith('*.') ? undefined : named.get(wildcardOf(domain))
    if (star === undefined) return []
    const own = { default_policy: 'deny', rules } as const
    return compareSite({ ...star, domain }, own) === 'weaker' ? [{ domain, star: star.domain }] : []
  })
}

/** While the own route is released, where the proxy does not serve it. */
export const laxerWarning = ({ domain, star }: LaxerName) => ({
  domain,
  cause: `laxer_than_star ${star}`,
  detail: `${domain} has a laxer policy than ${star}, which takes its host whenever its own route is not served: then its policy lets people into what stands behind ${star}.`,
  cure: `Give ${domain} a policy that is no laxer, or see that its route is served.`,
})

/** The route goes before its rule, which the provider runs until it is restarted. */
export const leavingWarning = ({ domain, star }: LaxerName): string =>
  `${domain} goes, and ${star} takes its host: until the SSO provider is restarted without the rule of ${domain}, which is laxer, that lets people into what stands behind ${star}. Give ${domain} a policy that is no laxer first, and then let it go.`
