/**
 * What Traefik must know to speak to a backend over TLS: the transport of one domain. A record that trusts what the
 * proxy's host trusts, by the backend's own name, needs none.
 */
import type { BackendTls } from '../../../model/domain/backend-tls.ts'
import type { DomainFields } from '../../../model/domain/record.ts'
import { API_TRANSPORT_CONFIG } from '../middlewares/middlewares.ts'
import type { PlainMap, RoutesSettings } from './settings.ts'

export const hasTransport = ({ backend_tls }: Pick<DomainFields, 'backend_tls'>): boolean =>
  backend_tls !== null && (backend_tls.trust !== 'system' || backend_tls.server_name !== undefined)

/**
 * The entry in `http.serversTransports`, null where the record needs none.
 *
 * An authority that the installation no longer has is no reason to trust anybody else: its transport is named by the
 * service and defined nowhere, and Traefik leaves the router out and says why.
 */
export function transportOf(
  { backend_tls, service_type }: Pick<DomainFields, 'backend_tls' | 'service_type'>,
  { backend_authorities }: Pick<RoutesSettings, 'backend_authorities'>,
): PlainMap | null {
  if (backend_tls === null || !hasTransport({ backend_tls })) return null
  const config = configOf(backend_tls, backend_authorities)
  if (config === null) return null
  return { ...(service_type === 'api' ? API_TRANSPORT_CONFIG : {}), ...config }
}

/** Never a path: what Traefik takes for the name of a file, it reads (`FileOrContent`). */
function configOf(
  { trust, server_name, pem, ca_name }: BackendTls,
  authorities: RoutesSettings['backend_authorities'],
): PlainMap | null {
  const name = server_name === undefined ? {} : { serverName: server_name }
  if (trust === 'insecure') return { insecureSkipVerify: true, ...name }
  if (trust === 'system') return name
  const root = pem ?? (ca_name === undefined ? undefined : authorities.get(ca_name))
  return root === undefined ? null : { rootCAs: [root], ...name }
}
