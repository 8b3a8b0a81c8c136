/** All endpoints, in the order in which paths match. */
import type { ServiceType } from './model/domain/record.ts'
import type { Deps } from './operations/deps.ts'
import type { Endpoint } from './http/contract.ts'
import { auditEndpoints } from './features/system/audit-endpoints.ts'
import { certificateEndpoints } from './features/certificates/endpoints.ts'
import { ddnsEndpoints } from './features/ddns/endpoints.ts'
import { ddnsUpdateEndpoints } from './features/ddns/update-endpoints.ts'
import { deployEndpoints } from './features/deploy/endpoints.ts'
import { changingEndpoints } from './features/domains/api/change-endpoints.ts'
import { readingEndpoints } from './features/domains/api/endpoints.ts'
import { dnsEndpoints } from './features/dns/endpoints.ts'
import { dnsStatusEndpoints } from './features/dns/status-endpoints.ts'
import { emailEndpoints } from './features/mail/endpoints.ts'
import { eventEndpoints } from './features/system/event-endpoints.ts'
import { explainEndpoints } from './features/explain/endpoints.ts'
import { healthEndpoints } from './features/health/endpoints.ts'
import { managedCertificateEndpoints } from './features/certificates/managed/endpoints.ts'
import { credentialEndpoints } from './features/keys/credentials/endpoints.ts'
import { keyEndpoints } from './features/keys/endpoints.ts'
import { modeEndpoints } from './features/system/mode-endpoints.ts'
import { notificationEndpoints } from './features/notifications/endpoints.ts'
import { operationEndpoints } from './features/system/operation-endpoints.ts'
import { planEndpoints } from './features/deploy/plans/endpoints.ts'
import { proxyEndpoints } from './features/routes/endpoints.ts'
import { releaseEndpoints } from './features/releases/endpoints.ts'
import { userEndpoints } from './features/people/endpoints.ts'
import { ssoEndpoints } from './features/sso/endpoints.ts'
import { systemEndpoints, type SystemParts } from './features/system/endpoints.ts'

const offeredBy = ({ offer }: Deps) => ({
  tcp_entrypoints: offer.tcp_entrypoints,
  tls_entrypoints: [offer.tls_entrypoint],
  middlewares: [...offer.middlewares.keys()],
  unfit_for_websocket: unfitFor(offer, 'websocket'),
  unfit_for_api: unfitFor(offer, 'api'),
  backend_authorities: [...offer.backend_authorities],
})

const unfitFor = ({ middlewares }: Deps['offer'], type: ServiceType): readonly string[] =>
  [...middlewares].flatMap(([name, { unfit_for }]) => (unfit_for[type] === undefined ? [] : [name]))

/** @param of_features what features bring themselves */
export function endpointsOf(
  deps: Deps,
  system: Omit<SystemParts, 'endpoints'>,
  of_features: readonly Endpoint[],
): readonly Endpoint[] {
  const endpoints: readonly Endpoint[] = [
    ...systemEndpoints({ ...system, endpoints: () => endpoints, offered: offeredBy(deps) }),
    ...healthEndpoints(deps),
    ...readingEndpoints(deps),
    ...changingEndpoints(deps),
    ...proxyEndpoints(deps),
    ...deployEndpoints(deps),
    ...releaseEndpoints(deps),
    ...auditEndpoints(deps),
    ...planEndpoints(deps),
    ...eventEndpoints(deps),
    ...explainEndpoints(deps),
    ...operationEndpoints(deps),
    ...modeEndpoints(deps),
    ...certificateEndpoints(deps),
    ...managedCertificateEndpoints(deps),
    ...ssoEndpoints(deps),
    ...dnsEndpoints(deps),
    ...dnsStatusEndpoints(deps),
    ...userEndpoints(deps),
    ...emailEndpoints(deps),
    ...ddnsEndpoints(deps, deps.ddns),
    ...ddnsUpdateEndpoints(deps.ddns),
    ...notificationEndpoints(deps),
    ...keyEndpoints(deps),
    ...credentialEndpoints(deps),
    ...of_features,
  ]
  return endpoints
}
