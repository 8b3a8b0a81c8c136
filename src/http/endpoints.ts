/** All endpoints, in the order in which paths match. */
import type { ServiceType } from '../model/domain.ts'
import type { Deps } from '../operations/deps.ts'
import type { Endpoint } from './contract.ts'
import { auditEndpoints } from './endpoints/audit.ts'
import { certificateEndpoints } from './endpoints/certificates.ts'
import { ddnsEndpoints } from './endpoints/ddns.ts'
import { ddnsUpdateEndpoints } from './endpoints/ddns-updates.ts'
import { deployEndpoints } from './endpoints/deploy.ts'
import { changingEndpoints } from './endpoints/domain-changes.ts'
import { readingEndpoints } from './endpoints/domains.ts'
import { dnsEndpoints } from './endpoints/dns.ts'
import { dnsStatusEndpoints } from './endpoints/dns-status.ts'
import { emailEndpoints } from './endpoints/email.ts'
import { eventEndpoints } from './endpoints/events.ts'
import { explainEndpoints } from './endpoints/explain.ts'
import { healthEndpoints } from './endpoints/health.ts'
import { managedCertificateEndpoints } from './endpoints/managed-certificates.ts'
import { credentialEndpoints } from './endpoints/credentials.ts'
import { keyEndpoints } from './endpoints/keys.ts'
import { modeEndpoints } from './endpoints/modes.ts'
import { notificationEndpoints } from './endpoints/notifications.ts'
import { operationEndpoints } from './endpoints/operations.ts'
import { planEndpoints } from './endpoints/plans.ts'
import { proxyEndpoints } from './endpoints/proxy.ts'
import { releaseEndpoints } from './endpoints/releases.ts'
import { userEndpoints } from './endpoints/users.ts'
import { ssoEndpoints } from './endpoints/sso.ts'
import { systemEndpoints, type SystemParts } from './endpoints/system.ts'

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
