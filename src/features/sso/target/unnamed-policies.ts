/** Entries of the policies file that are for no record: a name that is misspelt, or one below a star. Pure. */
import { didYouMean } from '../../../kernel/text/nearest.ts'
import { isProtected } from '../../../model/access/applies.ts'
import type { DomainFields } from '../../../model/domain/record.ts'
import { wildcardOf } from '../../../model/network/certificate.ts'
import type { SitePolicies } from './policies.ts'

export type Named = Pick<DomainFields, 'domain' | 'auth_required' | 'protocol' | 'service_type'> & {
  readonly live: boolean
}

/** A sentence for each. @param records all that are saved */
export function unnamedPolicies(policies: SitePolicies, records: readonly Named[]): readonly string[] {
  const named = new Map(records.map((record) => [record.domain, record]))
  // What has an entry of its own is not what another one means.
  const others = [...named.keys()].filter((domain) => !policies.has(domain))
  return [...policies.keys()]
    .filter((domain) => !named.has(domain))
    .map((domain) => {
      const star = named.get(wildcardOf(domain))
      const is_below = star !== undefined && star.live && isProtected(star)
      return `PLUMBLINE_SSO_POLICIES_FILE names ${domain}, which no record has${is_below ? belowStar(star.domain) : `.${meant(domain, others)}`}`
    })
}

const belowStar = (star: string): string =>
  `: requests for it get the policy of ${star}. Give it a record of its own.`

/** Names of one zone are near each other as they stand, so one half is to be the same. */
function meant(domain: string, names: readonly string[]): string {
  const [label, parent] = halves(domain)
  const near = names.filter((name) => {
    const [its_label, its_parent] = halves(name)
    return its_parent === parent
      ? didYouMean(label, [its_label]) !== ''
      : its_label === label && didYouMean(parent, [its_parent]) !== ''
  })
  return didYouMean(domain, near)
}

function halves(domain: string): readonly [string, string] {
  const at = domain.indexOf('.')
  return at === -1 ? [domain, ''] : [domain.slice(0, at), domain.slice(at + 1)]
}
