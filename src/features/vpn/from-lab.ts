/** What network controllers know of the sites: names of peers, addresses of uplinks, networks of the house. */
import { waitAtMost } from '../../kernel/async/wait-at-most.ts'
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

const FIRST_WITHIN_MS = 1_000
/** What is kept is there at once. */
const WITHIN_MS = 5

/**
 * By public key. A controller that cannot be asked names those whom it named before, and one that is slow holds nobody up
 * who has read its names once.
 */
export function peerNamesIn(lab: DiscoveryService): PeerNames {
  let named: ReadonlyMap<string, string> | null = null
  const ask = async () => {
    const looks = await Promise.all(lab.vpn_peers.map((peers) => peers.get()))
    const peers = looks.flatMap((look) => (look.known ? look.state : []))
    const fresh = peers.map(({ public_key, name }) => [public_key, name] as const)
    const is_whole = looks.every(({ known }) => known)
    named = new Map(is_whole ? fresh : [...(named ?? []), ...fresh])
  }
  return async () => {
    await waitAtMost(ask(), named === null ? FIRST_WITHIN_MS : WITHIN_MS)
    return named ?? new Map()
  }
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
