/** How peers are told of a gateway that is read, and of one that is not. */
import { expect, it } from 'vitest'
import type { GatewayPeer } from '../../../src/features/vpn/model/export.ts'
import { shownClients } from '../../../src/features/vpn/shown.ts'
import { SITE_STATES, type SiteState } from '../../../src/features/vpn/site.ts'

const NOW = 1_800_000_000_000
const PEER: GatewayPeer = {
  public_key: 'H6AHYEp9hlhJvBJkzCl9dlz8VsxYNTpV6WJzpyTfYD8=',
  allowed_ips: ['192.168.7.2/32'],
  endpoint: null,
  latest_handshake: NOW / 1000 - 60,
  transfer_rx: 0,
  transfer_tx: 0,
  persistent_keepalive: 0,
  has_preshared_key: false,
} as unknown as GatewayPeer

it.each(SITE_STATES)('a peer that spoke a minute ago, at a site that is %s', (status) => {
  const state = {
    site: { id: 'uk' },
    status,
    server: { peers: [PEER] },
    rates: new Map(),
  } as unknown as SiteState
  const [shown] = shownClients([state], new Map(), NOW)
  // Of a site that is not read nobody knows it, one way or the other.
  expect(shown!.online).toBe(status === 'ok' ? true : null)
})
