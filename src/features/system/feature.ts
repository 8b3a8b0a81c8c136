/** The system: version, description and metrics, events, operations, modes and the audit trail. */
import { known } from '../../core/finding.ts'
import type { CoreParts } from '../../core/parts.ts'
import type { Deps } from './deps.ts'
import type { Feature } from '../../feature/feature.ts'
import type { HealthService } from '../health/service.ts'
import type { ServiceType } from '../../model/domain/record.ts'
import { auditEndpoints } from './audit-endpoints.ts'
import { systemEndpoints, type SystemParts } from './endpoints.ts'
import { systemStatusEndpoints } from './status-endpoints.ts'
import { eventEndpoints } from './event-endpoints.ts'
import { modeEndpoints } from './mode-endpoints.ts'
import { ModeEnds } from './modes/ends.ts'
import { operationEndpoints } from './operation-endpoints.ts'

export function systemFeature(
  deps: Deps & { readonly health: Pick<HealthService, 'watched'> },
  parts: SystemParts,
): Feature {
  const ends = new ModeEnds(deps)
  return {
    name: 'system',
    endpoints: [
      ...systemEndpoints({ ...parts, offered: offeredBy(deps) }),
      ...systemStatusEndpoints(deps, parts),
      ...eventEndpoints({ events: deps.events, hello: helloOf(deps, parts) }),
      ...operationEndpoints(deps),
      ...modeEndpoints(deps, ends),
      ...auditEndpoints(deps),
    ],
    findings: () => known(parts.copying.findings()),
    lifecycles: [ends, parts.copying],
    reported: () => ends.noticed(),
  }
}

const helloOf =
  ({ store }: CoreParts, { version }: SystemParts) =>
  async () => ({ version, release: (await store.latestRelease())?.number ?? 0 })

const offeredBy = ({ offer }: CoreParts) => ({
  tcp_entrypoints: offer.tcp_entrypoints,
  tls_entrypoints: [offer.tls_entrypoint],
  middlewares: [...offer.middlewares.keys()],
  unfit_for_websocket: unfitFor(offer, 'websocket'),
  unfit_for_api: unfitFor(offer, 'api'),
  backend_authorities: [...offer.backend_authorities],
})

const unfitFor = ({ middlewares }: Deps['offer'], type: ServiceType): readonly string[] =>
  [...middlewares].flatMap(([name, { unfit_for }]) => (unfit_for[type] === undefined ? [] : [name]))
