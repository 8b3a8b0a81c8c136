/** What operations know of the network: container hosts, clusters of guests and network controllers, each looked at when somebody asks. */
import type { Clock, Milliseconds } from '../../kernel/clock.ts'
import { Loop } from '../../kernel/async/loop.ts'
import type { GuestCluster, Guests } from './model/guests-port.ts'
import type {
  ContainerHost,
  Containers,
  ControllerState,
  HostPlace,
  LabLook,
  NetworkController,
  SiteSettings,
} from './model/lab-port.ts'
import type { ClientNames } from './model/names-port.ts'
import type { ProxyPlace } from './model/lab-port.ts'
import type { VpnPeer } from './model/vpn-peer.ts'
import { RecentLook } from './recent-look.ts'

export interface DiscoveryService {
  readonly hosts: readonly ObservedHost[]
  readonly clusters: readonly RecentLook<Guests>[]
  readonly controllers: readonly RecentLook<ControllerState>[]
  /** What is set up at the sites of each controller, in the same order. */
  readonly settings: readonly RecentLook<readonly SiteSettings[]>[]
  /** Those who may use VPN servers of each controller, in the same order. */
  readonly vpn_peers: readonly RecentLook<readonly VpnPeer[]>[]
  /** Of clients at the controllers, in the same order. */
  readonly names: readonly ClientNames[]
  /** Where the settings say that the proxy is. */
  readonly proxy_places: readonly ProxyPlace[]
  /** Whether a cluster has a guest of that number; null where none says so and one cannot tell. */
  isTaken(vmid: number, signal: AbortSignal): Promise<boolean | null>
  /** Begins to listen for hints. */
  start(): void
  stop(): Promise<void>
}

export interface ObservedHost {
  readonly place: HostPlace
  readonly containers: RecentLook<Containers>
}

const KEEP_CONTAINERS_MS: Milliseconds = 5000
/** Proxmox VE gathers what it lists every ten seconds itself. */
const KEEP_GUESTS_MS: Milliseconds = 10_000
const KEEP_CLIENTS_MS: Milliseconds = 15_000
const KEEP_VPN_PEERS_MS: Milliseconds = 60_000
/** Changes come in bursts: one look serves all of a second. */
const LISTEN_AGAIN_MS: Milliseconds = 1000
/** A host that cannot be listened to is asked by and by. */
const LISTEN_LATER_MS: Milliseconds = 30_000

export interface DiscoveryServiceParts {
  readonly clock: Clock
  readonly hosts: readonly ContainerHost[]
  readonly clusters: readonly GuestCluster[]
  readonly controllers: readonly NetworkController[]
  readonly proxy_places: readonly ProxyPlace[]
}

interface Source<State> {
  readonly name: string
  look(signal: AbortSignal): Promise<LabLook<State>>
}

export function discoveryService(parts: DiscoveryServiceParts): DiscoveryService {
  const { clock, hosts, clusters: all_clusters, controllers, proxy_places } = parts
  const recent =
    <State>(keep_ms: Milliseconds) =>
    (source: Source<State>) =>
      new RecentLook({ name: source.name, clock, keep_ms, look: (signal) => source.look(signal) })
  const kept = hosts.map((host) => ({
    host,
    place: host.place,
    containers: recent<Containers>(KEEP_CONTAINERS_MS)(host),
  }))
  const clusters = all_clusters.map(recent<Guests>(KEEP_GUESTS_MS))
  const looks = controllers.map(recent<ControllerState>(KEEP_CLIENTS_MS))
  type Sites = ControllerState['sites']
  /** Of the sites that a controller has, at its newest look. */
  const ofSites = <State>(
    keep_ms: Milliseconds,
    look: (controller: NetworkController, sites: Sites, signal: AbortSignal) => Promise<LabLook<State>>,
  ) =>
    controllers.map((controller, at) =>
      recent<State>(keep_ms)({
        name: controller.name,
        async look(signal) {
          const seen = await looks[at]!.get()
          return seen.known ? look(controller, seen.state.sites, signal) : seen
        },
      }),
    )
  const settings = ofSites<readonly SiteSettings[]>(KEEP_CLIENTS_MS, (controller, sites, signal) =>
    controller.lookAtSettings(sites, signal),
  )
  const vpn_peers = ofSites<readonly VpnPeer[]>(KEEP_VPN_PEERS_MS, (controller, sites, signal) =>
    controller.lookAtVpnPeers(sites, signal),
  )
  const listening = kept.map(
    ({ host, containers }) =>
      new Loop({
        clock,
        round: async (signal) => {
          const came = await host.changed(signal)
          if (came) containers.changed()
          return came ? LISTEN_AGAIN_MS : LISTEN_LATER_MS
        },
        failed: () => LISTEN_LATER_MS,
      }),
  )
  return {
    hosts: kept,
    clusters,
    controllers: looks,
    settings,
    vpn_peers,
    names: controllers.map(({ names }) => names),
    proxy_places,
    async isTaken(vmid, signal) {
      const said = await Promise.all(all_clusters.map((cluster) => cluster.isTaken(vmid, signal)))
      return said.includes(true) ? true : said.length === 0 || said.includes(null) ? null : false
    },
    start() {
      for (const loop of listening) loop.start()
    },
    async stop() {
      const ended = listening.map((loop) => loop.stop())
      for (const { containers } of kept) containers.stop()
      for (const look of [...clusters, ...looks, ...settings, ...vpn_peers]) look.stop()
      await Promise.all(ended)
    },
  }
}
