/** The companions, and what each is given of the features that it tells of. */
import type { Settings } from './config/sections.ts'
import type { WholeCore } from './core-wiring.ts'
import type { Feature } from './feature/feature.ts'
import type { Deps } from './deps-wiring.ts'
import { ddnsCompanionParts, type DdnsCompanionParts } from './features/ddns/companion/companion-wiring.ts'
import type { DiscoveryService } from './features/discovery/service.ts'
import { reconcile } from './features/deploy/reconcile.ts'
import { publishedIn } from './features/dns/integrity/published.ts'
import { dnsOrphans } from './features/inventory/estate/dns-orphans.ts'
import { inventoryFeature } from './features/inventory/feature.ts'
import { systemView } from './features/inventory/system-view.ts'
import { networkFeature } from './features/network/feature.ts'
import type { SystemParts } from './features/system/endpoints.ts'
import { vpnFeature } from './features/vpn/feature.ts'

export interface CompanionFeatures {
  /** Those that are features of their own. */
  readonly features: readonly Feature[]
  /** That of dynamic DNS belongs to its feature. */
  readonly ddns: DdnsCompanionParts
}

interface Given {
  readonly lab: DiscoveryService
  readonly deps: Deps
  readonly system: SystemParts
  readonly ssh_targets: Parameters<typeof inventoryFeature>[2]['ssh_targets']
}

export function companionFeatures(
  settings: Settings,
  core: WholeCore,
  { lab, deps, system, ssh_targets }: Given,
): CompanionFeatures {
  const inventory = inventoryFeature(settings.inventory, core, {
    lab,
    elsewhere: { dns_record_without_domain: (signal) => dnsOrphans(deps, signal) },
    ssh_targets,
    system: () => systemView(deps, system),
  })
  return {
    features: [
      inventory,
      networkFeature(settings.network, core, { lab }),
      vpnFeature(settings.vpn, core, { lab, version: system.version }),
    ],
    ddns: ddnsCompanionParts(deps, settings.ddns, {
      controllers: lab.controllers,
      published: () => publishedIn(deps),
      publish: async (caller) => {
        const answer = await reconcile(deps, 'dns', caller)
        return 'components' in answer ? answer.components : []
      },
      plan: (caller) => deps.repairPlanOf('dns', caller),
    }),
  }
}
