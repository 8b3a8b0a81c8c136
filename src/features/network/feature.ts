/** The network companion: what the controllers that discovery looks at have. */
import type { Feature } from '../../feature/feature.ts'
import type { DiscoveryService } from '../discovery/service.ts'
import { networkEndpoints } from './endpoints.ts'
import { NameSync, type SyncCore } from './names/sync.ts'
import { rogueChecks } from './rogue.ts'
import type { NetworkSettings } from './settings.ts'

interface Given {
  readonly lab: DiscoveryService
}

export function networkFeature(settings: NetworkSettings, core: SyncCore, { lab }: Given): Feature {
  const names = new NameSync(core, lab)
  const checkRogue = rogueChecks(lab, settings.known_macs)
  return {
    name: 'network',
    companion: {
      name: 'network',
      title: 'Plumbline network',
      description:
        'What the network controllers have, without any of their secrets. What is not known is never an empty list.',
      listen: settings.listen,
      endpoints: networkEndpoints({ lab, clock: core.clock, settings, checkRogue, names }),
      // Where a call that goes on is looked after.
      shares: ['getOperation'],
      configured: () => lab.controllers.length > 0,
    },
    lifecycles: [{ prepare: () => names.prepare() }],
  }
}
