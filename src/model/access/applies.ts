/** To which records single sign-on applies: it stands in front of HTTP routes that are ours to write. Pure. */
import type { DomainFields } from '../domain/record.ts'

type Kind = Pick<DomainFields, 'protocol' | 'service_type'>

/** TCP has no sign-in, and what is managed elsewhere is not ours. */
export const canBeProtected = ({ protocol, service_type }: Kind): boolean =>
  protocol === 'http' && service_type !== 'manual'

/** Where the check stands in front of a route. */
export const isProtected = (fields: Kind & Pick<DomainFields, 'auth_required'>): boolean =>
  fields.auth_required && canBeProtected(fields)
