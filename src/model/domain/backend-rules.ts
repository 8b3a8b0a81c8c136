/** What must hold of the way to a backend, across the fields of one record. */
import { type FieldError, fieldError } from '../../kernel/failure.ts'
import { didYouMean } from '../../kernel/text/nearest.ts'
import { type BackendTls, schemeOf } from './backend-tls.ts'
import { isForName, namesOfCertificate } from '../network/certificate-text.ts'
import type { DomainFields } from './record.ts'
import type { IntentRow } from '../intent.ts'
import { firstNames } from '../../kernel/text/first-names.ts'

/** The type of the fault of a certificate that is named by its fingerprint alone. */
export const NOT_FETCHED = 'certificate_missing'

/** @param authorities names that `ca_name` may say */
export function backendFaults(fields: DomainFields, authorities: ReadonlySet<string>): FieldError[] {
  const { protocol, backend_scheme, backend_tls } = fields
  if (protocol === 'tcp')
    return (['backend_scheme', 'backend_tls'] as const)
      .filter((name) => fields[name] !== null)
      .map((name) => fieldError(['body', name], 'must be null when protocol is tcp', 'protocol_rule'))
  if (backend_tls === null) return []
  const at = (msg: string, type: string) => [fieldError(['body', 'backend_tls'], msg, type)]
  if (schemeOf(fields) !== 'https')
    return at(
      `needs backend_scheme https${backend_scheme === null ? ', which is the default for port 443 alone' : ''}`,
      'protocol_rule',
    )
  const { ca_name } = backend_tls
  if (ca_name !== undefined && !authorities.has(ca_name))
    return at(unknown(ca_name, authorities), 'unknown_authority')
  if (backend_tls.trust === 'certificate' && backend_tls.pem === undefined)
    return at('needs pem: the certificate was not fetched by its fingerprint', NOT_FETCHED)
  const fault = pinFault(backend_tls, backend_tls.server_name ?? fields.backend_host)
  return fault === null ? [] : at(fault, 'certificate')
}

const unknown = (name: string, authorities: ReadonlySet<string>): string =>
  `ca_name "${name}" is no file of PLUMBLINE_BACKEND_CA_DIR (${[...authorities].sort().join(', ') || 'none'}); ` +
  `put ${name}.pem there and restart.${didYouMean(name, authorities)}`

/** The proxy knows no pins: the certificate is its own authority, and still has to be for the name that is asked for. */
function pinFault({ trust, pem }: BackendTls, name: string | null): string | null {
  if (trust !== 'certificate' || pem === undefined) return null
  if (name === null || isForName(pem, name)) return null
  const names = namesOfCertificate(pem)
  return names.length === 0
    ? 'has a certificate without names (no subjectAltName), which the proxy takes for no name at all: ' +
        'give the backend one with a name, or set trust to insecure'
    : `has a certificate for ${some(names)} and not for ${name}: set server_name to one of its names`
}

const MAX_NAMED = 8
const some = (names: readonly string[]): string => firstNames(names, MAX_NAMED)

export const INSECURE =
  'backend_tls is insecure: nobody looks at the certificate of the backend, so whoever stands between the proxy and it reads and changes everything'

/** What a deploy that leads to such backends says of them. */
export function insecureAmong(rows: readonly IntentRow[]): readonly string[] {
  const names = rows
    .filter(({ live, fields }) => live && isInsecure(fields))
    .map(({ fields }) => fields.domain)
  return names.length === 0 ? [] : [`${some(names)}: ${INSECURE}`]
}

type Way = Pick<DomainFields, 'protocol' | 'service_type' | 'backend_tls'>

export const isInsecure = ({ protocol, service_type, backend_tls }: Way): boolean =>
  protocol !== 'tcp' && service_type !== 'manual' && backend_tls?.trust === 'insecure'

export function backendWarnings(fields: DomainFields): string[] {
  if (fields.protocol === 'tcp' || fields.service_type === 'manual') return []
  return [
    ...(isInsecure(fields) ? [INSECURE] : []),
    ...(fields.backend_scheme === 'h2c' && fields.service_type === 'websocket'
      ? ['backend_scheme h2c takes no WebSockets: HTTP/2 has no upgrade']
      : []),
  ]
}
