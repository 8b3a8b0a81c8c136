/** The network companion: what the controllers that discovery looks at have. */
import type { ValuesOf } from '../../config/setting.ts'
import type { Feature } from '../../core/feature.ts'
import type { DiscoveryService } from '../discovery/service.ts'
import { networkEndpoints } from './endpoints.ts'
import type { network } from './settings.ts'

interface Given {
  readonly lab: DiscoveryService
}

export function networkFeature({ listen }: ValuesOf<typeof network>, { lab }: Given): Feature {
  return {
    name: 'network',
    companion: {
      name: 'network',
      title: 'Plumbline network',
      description:
        'What the network controllers have, without any of their secrets. What is not known is never an empty list.',
      listen: listen === null ? null : { ...listen, setting: 'PLUMBLINE_NETWORK_LISTEN' },
      endpoints: networkEndpoints({ lab }),
      configured: () => lab.controllers.length > 0,
    },
  }
}
