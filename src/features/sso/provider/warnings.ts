/** That nobody is there whom the proxy could ask, told to whoever saves or deploys a route that asks for a sign-in. */
import { isProtected } from '../../../model/access/applies.ts'
import type { DomainFields } from '../../../model/domain/record.ts'
import type { Deps } from '../deps.ts'
import { named } from '../../../core/check.ts'

/** Whose move decides whether somebody is asked to sign in, and for which name. */
const OF_SIGN_IN = ['auth_required', 'domain', 'protocol', 'service_type', 'ssl_enabled'] as const

/** Nobody is asked for records without a sign-in. At most one sentence. @param moves of a save: one that leaves the sign-in alone says nothing of it */
export async function providerWarnings(
  { sso }: Pick<Deps, 'sso'>,
  records: readonly DomainFields[],
  moves: ReadonlySet<keyof DomainFields> | null,
): Promise<readonly string[]> {
  if (moves !== null && !OF_SIGN_IN.some((field) => moves.has(field))) return []
  // Without TLS a protected route stays closed either way, which is told apart.
  const names = records.filter((one) => isProtected(one) && one.ssl_enabled).map(({ domain }) => domain)
  const fault = names.length === 0 ? null : await sso.providerFault()
  if (fault === null) return []
  const [ask, answer] = names.length === 1 ? ['asks', 'answers'] : ['ask', 'answer']
  return [
    `${named(names)} ${ask} for a sign-in and ${answer} 500 while the proxy reaches no SSO provider. ${fault} ` +
      '"plumbline doctor" says what to set. To leave a domain open, say auth_required=false.',
  ]
}
