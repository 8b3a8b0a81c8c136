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
    return { ok: false, fault: 'It has no WireGuard interface. Is the VPN server turned on?' }
  return {
    ok: false,
    fault:
      wanted === null
        ? `It has several servers (${names}). Say in ${setting} which one is meant.`
        : `It has no interface ${wanted} (${setting}), but ${names}.`,
  }
}

/** A session is at most as old as that (WireGuard, REJECT_AFTER_TIME). */
const SESSION_S = 180

export const isOnline = ({ latest_handshake }: GatewayPeer, now_s: number): boolean =>
  latest_handshake > 0 && now_s - latest_handshake <= SESSION_S

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
