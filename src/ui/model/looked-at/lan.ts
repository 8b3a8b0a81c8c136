/** The network as its controllers tell it: states of uplinks and devices as lamps. */
import type { LanHosts, NetworkSummary } from '../../api/types.ts'
import type { Lamp } from '../lamps.ts'

export type LanHost = NonNullable<LanHosts['hosts']>[number]
export type NetworkSite = NonNullable<NetworkSummary['sites']>[number]

const UPLINKS = new Map<string, Lamp>([
  ['ok', 'ok'],
  ['warning', 'drift'],
  ['error', 'bad'],
])

/** A word that this version does not know is not well: it is unknown. */
export const uplinkLamp = (status: string): Lamp => UPLINKS.get(status) ?? 'unknown'

/** A device of the network that is offline is missed; a client may be switched off. */
export const hostLamp = ({ kind, online }: Pick<LanHost, 'kind' | 'online'>): Lamp =>
  online ? 'ok' : kind === 'device' ? 'bad' : 'off'
