/** Discovery: what runs in the network and where a domain leads to. It only looks: when somebody asks, or a container host says that something changed. */
import type { Core } from '../../core/core.ts'
import type { Feature } from '../../feature/feature.ts'
import { discoveryChecks } from './checks.ts'
import { discoveryEndpoints } from './endpoints.ts'
import { guestMemoryOf } from './proxmox/records.ts'
import type { DiscoveryService } from './service.ts'
import { type DiscoverySettings, discoverySources } from './sources.ts'

export interface DiscoveryFeature extends Feature {
  readonly lab: DiscoveryService
}

/** Throws `bad_configuration` where a controller or a cluster has no credential. */
export function discoveryFeature(
  settings: DiscoverySettings,
  { store, clock }: Pick<Core, 'store' | 'clock'>,
): DiscoveryFeature {
  const lab = discoverySources(settings, { clock, memoryOf: (cluster) => guestMemoryOf(store, cluster) })
  return {
    name: 'discovery',
    lab,
    endpoints: discoveryEndpoints({ lab, store, clock }),
    checks: discoveryChecks(lab),
    lifecycles: [lab],
  }
}
