/** Settings of the network companion: its own address, which MACs are known, and how much it measures. */
import { companionListen } from '../../config/kinds/companion.ts'
import { oneOf } from '../../config/kinds/basic.ts'
import { listOf } from '../../config/kinds/refine.ts'
import { setting, type ValuesOf } from '../../config/setting.ts'
import { parseKnownMac } from './known-macs.ts'

export const network = {
  listen: companionListen({ companion: 'network', called: 'the network companion', port: 8092 }),
  known_macs: setting({
    name: 'PLUMBLINE_KNOWN_MACS',
    example: 'BC:24:11,02:00:5E:10:00:07',
    schema: listOf(parseKnownMac),
    default: '',
    show: (all) => all.join(','),
    help: 'MACs that are no strangers in the network, comma-separated: whole ones, or prefixes of whole octets.',
  }),
  client_metrics: setting({
    name: 'PLUMBLINE_NETWORK_CLIENT_METRICS',
    example: 'true',
    schema: oneOf(['true', 'false']).transform((word) => word === 'true'),
    default: 'false',
    help: 'Three series for each connected client in /metrics of the network companion, up to 2,000 clients.',
  }),
}

declare module '../../config/sections.ts' {
  interface Sections {
    readonly network: typeof network
  }
}

export type NetworkSettings = ValuesOf<typeof network>
