/** The inventory: a companion that only looks, at what discovery sees. */
import type { Core } from '../../core/core.ts'
import type { Feature } from '../../feature/feature.ts'
import type { Endpoint } from '../../http/contract.ts'
import type { DiscoveryService } from '../discovery/service.ts'
import type { KnownElsewhere } from './answers.ts'
import { inventoryEndpoints, type InventoryParts, type SystemView } from './endpoints.ts'
import { estateOf, type EstateParts } from './estate/estate.ts'
import { nameOrphans } from './estate/name-orphans.ts'
import { Inventory, type InventorySettings } from './inventory.ts'
import { numberFaults } from './number-faults.ts'

interface Given {
  readonly lab: DiscoveryService
  readonly elsewhere: KnownElsewhere
  readonly system: () => Promise<SystemView>
  /** What is reached through the SSH gateway. */
  readonly ssh_targets: {
    readonly endpoints: readonly Endpoint[]
    readonly names: InventoryParts['sshTargets']
    /** Some are listed by a setting. */
    readonly are_listed: boolean
    /** Of the setting. */
    readonly listed: EstateParts['listed']
    /** Those whose guest is there no more; null where that is not known. */
    readonly lost: NonNullable<KnownElsewhere['ssh_target_without_asset']>
  }
}

/** Operations of the main service that stand in the inventory's own list, too. */
const SHARED = [
  'listDomains',
  'createDomain',
  'getDomain',
  'updateDomain',
  'deleteDomain',
  'deployDomain',
  'deployAll',
  'getOperation',
  'sshClients',
  'metricsSummary',
]

/** Throws `bad_configuration` for names that do not fit into the scheme. */
export function inventoryFeature(
  settings: InventorySettings,
  { store, clock }: Pick<Core, 'store' | 'clock'>,
  { lab, elsewhere, system, ssh_targets }: Given,
): Feature {
  const [fault] = numberFaults(settings)
  if (fault !== undefined) throw fault
  const inventory = new Inventory(settings, estateOf({ lab, store, listed: ssh_targets.listed }), clock)
  return {
    name: 'inventory',
    companion: {
      name: 'inventory',
      title: 'Plumbline inventory',
      description:
        'What runs where, which number and address is free, what collides, and what nobody stands behind any more. ' +
        'The domain operations are those of the main service.',
      listen: settings.listen,
      endpoints: [
        ...inventoryEndpoints({
          inventory,
          clock,
          elsewhere: {
            ...elsewhere,
            ssh_target_without_asset: ssh_targets.lost,
            name_without_asset: () => nameOrphans(lab, store),
          },
          system,
          isTaken: (vmid, signal) => lab.isTaken(vmid, signal),
          sshTargets: ssh_targets.names,
        }),
        ...ssh_targets.endpoints,
      ],
      shares: SHARED,
      configured: () =>
        ssh_targets.are_listed || lab.clusters.length + lab.controllers.length + lab.hosts.length > 0,
    },
  }
}
