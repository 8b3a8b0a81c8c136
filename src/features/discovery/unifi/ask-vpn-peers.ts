/**
 * Names of the users of WireGuard servers, which the private API of newer firmwares tells for each server
 * (`/v2/api/site/{site}/wireguard/{network}/users`). Their objects may hold preshared keys: two fields are taken.
 */
import { asText, type Json } from '../../../kernel/text/lenient.ts'
import type { SiteState } from '../model/lab-port.ts'
import { rowsOf } from '../model/list-look.ts'
import type { VpnPeer } from '../model/vpn-peer.ts'
import { Unusable } from '../model/unusable.ts'
import type { UnifiSession } from './session.ts'

const MAX_SERVERS = 16

/** A firmware that knows no such list has no names to tell. Throws like `session.list`. */
export async function askVpnPeers(
  session: UnifiSession,
  sites: readonly SiteState[],
  signal: AbortSignal,
): Promise<readonly VpnPeer[]> {
  const peers: VpnPeer[] = []
  for (const { site, raw } of sites) {
    const { networks } = raw
    if (!networks.known) throw new Unusable(networks.reason, networks.why)
    for (const server of rowsOf(networks).filter(isServer).slice(0, MAX_SERVERS)) {
      const [name, id] = [site, asText(server['_id']) ?? ''].map(encodeURIComponent)
      const path = `/v2/api/site/${name}/wireguard/${id}/users`
      try {
        const users = await session.list({ method: 'GET', path, signal })
        peers.push(...users.flatMap((user) => peerOf(user) ?? []))
      } catch (error) {
        if (!(error instanceof Unusable) || error.reason === 'refused') throw error
      }
    }
  }
  return peers
}

const isServer = (network: Json): boolean => asText(network['vpn_type']) === 'wireguard-server'

function peerOf(user: Json): VpnPeer | null {
  const [public_key, name] = [asText(user['public_key']), asText(user['name'])]
  return public_key === null || name === null || name === '' ? null : { public_key, name }
}
