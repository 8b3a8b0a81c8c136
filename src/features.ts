/** The one list of features, in the order of a deploy. */
import type { Settings } from './config/sections.ts'
import type { Source } from './engine/components.ts'
import type { Core } from './core/core.ts'
import type { Feature, Lifecycle } from './core/feature.ts'
import { discoveryFeature } from './features/discovery/feature.ts'
import { edgesFeature } from './features/edges/feature.ts'
import { sshClientsFeature } from './features/ssh-clients/feature.ts'
import type { Endpoint } from './http/contract.ts'
import type { HealthCheck } from './core/check.ts'

export interface Features {
  readonly edges: ReturnType<typeof edgesFeature>
  /** Of all of them, in the order of the list. */
  readonly targets: readonly Source[]
  readonly endpoints: readonly Endpoint[]
  readonly checks: readonly HealthCheck[]
  readonly lifecycles: readonly Lifecycle[]
}

export function buildFeatures(settings: Settings, core: Core): Features {
  const edges = edgesFeature(settings.edges, core)
  const list: readonly Feature[] = [
    sshClientsFeature(settings.ssh, core),
    edges,
    discoveryFeature(settings, core),
  ]
  return {
    edges,
    targets: list.flatMap(({ targets }) => targets),
    endpoints: list.flatMap(({ endpoints }) => endpoints),
    checks: list.flatMap(({ checks }) => checks),
    lifecycles: list.map(({ lifecycle }) => lifecycle),
  }
}
