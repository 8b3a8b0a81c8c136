/** What the operations of the companion are given, and what all that only look have in common. */
import type { Clock } from '../../kernel/clock.ts'
import type { DriftLook } from './drift.ts'
import type { ReadPage } from './page-port.ts'
import type { Vpn } from './vpn.ts'

export interface VpnParts {
  readonly vpn: Vpn
  readonly clock: Clock
  readonly version: string
  readonly drift: DriftLook
  /** Networks of the preset Homelab; empty while none are known. */
  readonly homelab: () => Promise<readonly string[]>
  readonly readPage: ReadPage
}

const vpnTag = {
  name: 'VPN',
  description:
    'Sites and their peers as the gateways tell them, and the files of devices. Nothing of a gateway is changed.',
}
export const look = { method: 'GET', level: 'open', tags: [vpnTag] } as const
