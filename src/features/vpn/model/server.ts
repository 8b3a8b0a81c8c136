/** Which interface of a gateway is the site's server, and how a peer of it is seen. Pure. */
import { parseCidr } from '../../../model/network/cidr.ts'
import type { GatewayExport, GatewayInterface, GatewayPeer } from './export.ts'

export type ChosenServer =
  | { readonly ok: true; readonly server: GatewayInterface }
  | { readonly ok: false; readonly fault: string }

/**
 * The one that is set; else the only server of a UniFi gateway (`wgsrv1`: its clients and site-to-site tunnels are `wgclt…`
 * and `wgsts…`); else the only one that listens.
 */
export function chooseServer(
  { interfaces }: GatewayExport,
  wanted: string | null,
  setting: string,
): ChosenServer {
  const listening = interfaces.filter(({ listen_port }) => listen_port !== null)
  const servers = interfaces.filter(({ name }) => name.startsWith('wgsrv'))
  const found =
    wanted === null
      ? servers.length > 0
        ? servers
        : listening.length > 0
          ? listening
          : interfaces
      : interfaces.filter(({ name }) => name === wanted)
  if (found.length === 1) return { ok: true, server: found[0]! }
  const names = interfaces.map(({ name }) => name).join(', ')
  if (interfaces.length === 0)
    return { ok: false, fault: 'The gateway has no WireGuard interface. Is the VPN server turned on?' }
  return {
    ok: false,
    fault:
      wanted === null
        ? `The gateway has several servers (${names}). Say in ${setting} which one is meant.`
        : `The gateway has no interface ${wanted} (${setting}), but ${names}.`,
  }
}

/** A session is at most as old as that (WireGuard, REJECT_AFTER_TIME). */
const SESSION_S = 180

export const isOnline = ({ latest_handshake }: GatewayPeer, now_s: number): boolean =>
  latest_handshake > 0 && Math.abs(now_s - latest_handshake) <= SESSION_S

/** So long an export may be on its way before clocks are said to differ. */
const ON_THE_WAY_S = 10

/** With handshakes by our clock: that of a gateway may go wrong by hours. */
export function byClock(
  server: GatewayInterface,
  generated_at: number | null,
  now_s: number,
): GatewayInterface {
  const ahead = generated_at === null ? 0 : generated_at - Math.floor(now_s)
  if (Math.abs(ahead) <= ON_THE_WAY_S) return server
  const peers = server.peers.map((peer) => ({
    ...peer,
    latest_handshake: peer.latest_handshake === 0 ? 0 : Math.max(0, peer.latest_handshake - ahead),
  }))
  return { ...server, peers }
}

/** The addresses of the device itself: a network among them is one behind it. */
export const ownAddresses = ({ allowed_ips }: Pick<GatewayPeer, 'allowed_ips'>): readonly string[] =>
  allowed_ips.filter((cidr) => /(?:\.\d+\/32|:[0-9a-f:.]*\/128)$/.test(cidr))

export const withoutLength = (cidr: string): string => cidr.slice(0, cidr.lastIndexOf('/'))

/** As the gateway calls it, else as a controller does, else by its key. */
export const peerName = (
  { name, public_key }: Pick<GatewayPeer, 'name' | 'public_key'>,
  names: ReadonlyMap<string, string>,
): string => name ?? names.get(public_key) ?? `peer-${public_key.slice(0, 8)}`

/** The networks of the tunnel. */
export const subnetsOf = ({ addresses }: GatewayInterface): readonly string[] =>
  addresses.flatMap((address) => parseCidr(address)?.cidr ?? [])

/** The address of the gateway in the tunnel. */
export const gatewayAddresses = ({ addresses }: GatewayInterface): readonly string[] =>
  addresses.flatMap((address) => parseCidr(address)?.address ?? [])
