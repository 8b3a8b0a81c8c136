/** What network controllers know of the sites: names of peers, addresses of uplinks, networks of the house. */
import { lookAtControllers } from '../discovery/looks.ts'
import type { SiteState as ControllerSite } from '../discovery/model/lab-port.ts'
import { rowsOf } from '../discovery/model/list-look.ts'
import type { DiscoveryService } from '../discovery/service.ts'
import type { UplinksOf } from './drift.ts'
import type { PeerNames } from './vpn.ts'

async function sitesOf(lab: DiscoveryService): Promise<readonly ControllerSite[]> {
  const looks = await lookAtControllers(lab)
  return looks.flatMap(({ look }) => (look.known ? look.state.sites : []))
}

/** By public key; a controller that cannot be asked names nobody. */
export const peerNamesIn =
  (lab: DiscoveryService): PeerNames =>
  async () => {
    const looks = await Promise.all(lab.vpn_peers.map((peers) => peers.get()))
    const peers = looks.flatMap((look) => (look.known ? look.state : []))
    return new Map(peers.map(({ public_key, name }) => [public_key, name]))
  }

/** Of the site whose VPN server has that key. */
export const uplinksIn =
  (lab: DiscoveryService): UplinksOf =>
  async (server_public_key) => {
    const site = (await sitesOf(lab)).find(({ raw }) =>
      rowsOf(raw.networks).some((network) => network['wireguard_public_key'] === server_public_key),
    )
    return site?.wan?.flatMap(({ address }) => address ?? []) ?? null
  }

/** In CIDR form; empty where no controller tells. */
export const networksIn = async (lab: DiscoveryService): Promise<readonly string[]> =>
  (await sitesOf(lab)).flatMap(({ lans }) => lans.map(({ cidr }) => cidr))
