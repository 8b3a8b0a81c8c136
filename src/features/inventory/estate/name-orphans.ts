/** Names that we gave to clients of the controllers, which still have them while the guest is gone. */
import type { StoreReader } from '../../../ports/store.ts'
import {
  clusterSources,
  controllerSources,
  isComplete,
  lookAtClusters,
  lookAtControllers,
} from '../../discovery/looks.ts'
import type { DiscoveryService } from '../../discovery/service.ts'
import { clientKey, ourNames } from '../../network/names/plan.ts'
import { renameRecords } from '../../network/records.ts'
import type { Orphan } from './views.ts'

/** Null while a guest could be hidden, or what a controller has is not known. */
export async function nameOrphans(
  lab: DiscoveryService,
  store: StoreReader,
): Promise<readonly Orphan[] | null> {
  const ours = ourNames(await store.of(renameRecords).renames())
  if (ours.size === 0) return []
  const [clusters, controllers] = await Promise.all([lookAtClusters(lab), lookAtControllers(lab)])
  const are_known =
    isComplete(clusterSources(clusters)) === true && isComplete(controllerSources(controllers)) !== false
  const are_read = clusters.every(({ look }) => look.known && look.state.unreadable === 0)
  if (!are_known || !are_read) return null
  const cards = new Set(
    clusters.flatMap(({ look }) => (look.known ? look.state.guests.flatMap(({ macs }) => macs) : [])),
  )
  return controllers.flatMap(({ name: controller, look }) => {
    if (!look.known) return []
    return look.state.sites.flatMap(({ site, hosts }) =>
      hosts
        .filter(
          ({ mac, alias }) =>
            alias !== null &&
            !cards.has(mac) &&
            ours.get(clientKey({ controller, site, mac }))?.has(alias) === true,
        )
        .map(({ mac, alias }) => ({
          kind: 'name_without_asset' as const,
          id: mac,
          name: alias!,
          since: null,
          why: `${controller} has the name that its guest had, and no guest has the card ${mac}.`,
          helps: 'Forget the client at the controller, or give it another name there.',
        })),
    )
  })
}
