/** To which records single sign-on applies: it stands in front of HTTP routes that are ours to write. Pure. */
import type { DomainFields } from '../domain/record.ts'
import type { IntentRow } from '../intent.ts'

type Kind = Pick<DomainFields, 'protocol' | 'service_type'>

/** TCP has no sign-in, and what is managed elsewhere is not ours. */
export const canBeProtected = ({ protocol, service_type }: Kind): boolean =>
  protocol === 'http' && service_type !== 'manual'

/** Where the check stands in front of a route. */
export const isProtected = (fields: Kind & Pick<DomainFields, 'auth_required'>): boolean =>
  fields.auth_required && canBeProtected(fields)

/**
 * Whether the provider's rules name it. It refuses plain http whatever they say, and over https the host is served by a name
 * with a star, whose people an own rule would only add to.
 */
export const hasRule = (fields: Kind & Pick<DomainFields, 'auth_required' | 'ssl_enabled'>): boolean =>
  isProtected(fields) && fields.ssl_enabled

/** Why a record that asks for a sign-in is not one that people sign in to; null where that is not so. */
export function signInFault({
  protocol,
  service_type,
  auth_required,
  ssl_enabled,
}: Kind & Pick<DomainFields, 'auth_required' | 'ssl_enabled'>): string | null {
  if (!auth_required || service_type === 'manual') return null
  if (protocol === 'tcp')
    return 'auth_required does not apply to TCP routes: whoever reaches the entrypoint reaches the backend'
  return ssl_enabled
    ? null
    : 'auth_required without ssl_enabled: the SSO provider refuses plain http, so the route stays closed'
}

/** What a deploy of such records says of them, a sentence for each. */
export const signInFaultsAmong = (rows: readonly IntentRow[]): readonly string[] =>
  rows.flatMap(({ live, fields }) => {
    const fault = live ? signInFault(fields) : null
    return fault === null ? [] : [`${fields.domain}: ${fault}.`]
  })
