/**
 * What runs in the network, whether it is exposed or not: containers of hosts, and clients of network controllers.
 *
 * Contract. A look only reads, ends with its signal, and throws nothing but the signal's reason: trouble is an answer
 * (`known: false`) with a detail that names the setting to look at and never a credential. An entry that cannot be read
 * is counted (`unreadable`), so that a list is never taken for whole when it is not.
 */
import type { Instant } from '../../../kernel/clock.ts'
import type { ContainerState, Health } from './container.ts'
import type { Inbound } from './inbound-port.ts'
import type { ClientNames } from './names-port.ts'
import type { RawRows } from './raw-rows.ts'
import type { VpnPeer } from './vpn-peer.ts'

export const SOURCE_KINDS = ['docker', 'proxmox', 'unifi'] as const
export type SourceKind = (typeof SOURCE_KINDS)[number]

/** Where the proxy is reached in the network. */
export interface ProxyPlace {
  readonly address: string
  /** Ports that lead to it there. */
  readonly ports: ReadonlySet<number>
  /** What says so: a setting, or a container. */
  readonly source: string
}

export type SourceFailure = 'unreachable' | 'refused' | 'unreadable'

export type LabLook<State> =
  | { readonly known: true; readonly state: State; readonly at: Instant }
  | { readonly known: false; readonly reason: SourceFailure; readonly detail: string; readonly at: Instant }

export interface ContainerHost {
  /** As the operator calls it. */
  readonly name: string
  readonly place: HostPlace
  look(signal: AbortSignal): Promise<LabLook<Containers>>
  /**
   * Resolves with true when something may have changed, with false when that cannot be told (any more). Never rejects. A
   * hint: nothing relies on it.
   */
  changed(signal: AbortSignal): Promise<boolean>
}

/** Where the published ports of a host are reached. */
export interface HostPlace {
  /** Address or name; null where nobody said. */
  readonly address: string | null
  /** It is the host that we run on, so that its loopback is ours. */
  readonly is_local: boolean
}

export interface Containers {
  readonly containers: readonly Container[]
  readonly unreadable: number
}

export interface Container {
  readonly id: string
  readonly name: string
  readonly image: string | null
  readonly state: ContainerState
  /** Null for a container without a health check. */
  readonly health: Health | null
  readonly labels: Readonly<Record<string, string>>
  readonly networks: readonly ContainerNetwork[]
  readonly ports: readonly ContainerPort[]
  /** It uses the network of its host, so its ports are not told. */
  readonly is_on_host_network: boolean
}

export interface ContainerNetwork {
  readonly name: string
  readonly addresses: readonly string[]
  /** Those that it was given by hand, whether it runs or not. */
  readonly fixed: readonly string[]
  /** Names that resolve inside of this network. */
  readonly aliases: readonly string[]
}

export interface ContainerPort {
  readonly protocol: string
  readonly private_port: number
  /** Null where it is not published. */
  readonly public_port: number | null
  /** The host's address that it is published on; null for all of them. */
  readonly address: string | null
}

export interface NetworkController {
  readonly name: string
  look(signal: AbortSignal): Promise<LabLook<ControllerState>>
  readonly names: ClientNames
  /** Lists of what is set up at the sites of a look; those that it holds already are not asked for again. */
  lookAtSettings(sites: readonly SiteState[], signal: AbortSignal): Promise<LabLook<readonly SiteSettings[]>>
  /** Those who may use the VPN servers of these sites. */
  lookAtVpnPeers(sites: readonly SiteState[], signal: AbortSignal): Promise<LabLook<readonly VpnPeer[]>>
}

export interface ControllerState {
  readonly version: string | null
  readonly sites: readonly SiteState[]
}

export interface SiteState {
  /** The controller's own name for it, such as `default`. */
  readonly site: string
  readonly label: string
  /** Null where they are not known. */
  readonly wan: readonly WanState[] | null
  readonly vpn: VpnState
  /** Of the site's networks, in CIDR form; empty where they are not told. */
  readonly networks: readonly string[]
  readonly lans: readonly Lan[]
  readonly inbound: Inbound
  /** Clients and devices, online and not. */
  readonly hosts: readonly LanHost[]
  readonly unreadable: number
  /** Lists that could not be read, and why, a sentence without its end each: what follows from them is not known. */
  readonly missing: readonly string[]
  readonly raw: SiteRows
}

/** What the look itself was made of. */
export interface SiteRows {
  readonly devices: ListLook
  /** That are connected. */
  readonly online: ListLook
  /** That were seen within 30 days, connected or not. */
  readonly known: ListLook
  readonly networks: ListLook
  readonly inbound: InboundRows
}

/** Null: it was not asked for. */
export interface InboundRows {
  readonly forwards: ListLook | null
  readonly policies: ListLook | null
  readonly zones: RawRows
  readonly rules: ListLook | null
}

/** One list of a site: others of it may be known where it is refused. */
export type ListLook =
  | { readonly known: true; readonly rows: RawRows }
  | {
      readonly known: false
      readonly reason: SourceFailure
      readonly why: string
      /** The controller knows no such list. */
      readonly absent: boolean
    }

/** Lists of what is set up at one site. */
export interface SiteSettings {
  readonly site: string
  readonly label: string
  readonly forwards: ListLook
  /** Of a firewall with zones, and those zones. */
  readonly policies: ListLook
  readonly zones: RawRows
  /** Of a firewall without. */
  readonly rules: ListLook
  readonly groups: ListLook
  readonly wlans: ListLook
}

/** A network of a site, behind its uplinks. */
export interface Lan {
  readonly name: string
  /** `192.168.1.0/24` */
  readonly cidr: string
  /** The controller's own address in it. */
  readonly gateway: string
  readonly vlan: number | null
  /** The range from which addresses are leased; null where none are. */
  readonly dhcp: { readonly first: string; readonly last: string } | null
}

export interface WanState {
  readonly name: string
  /** `ok`, `warning`, `error`, `unknown`, as the controller says. */
  readonly status: string
  readonly address: string | null
  readonly latency_ms: number | null
  readonly uptime_s: number | null
}

export interface VpnState {
  /** Null where the site has none, or it is not told. */
  readonly status: string | null
  /** Users or tunnels that are up; null where it is not told. */
  readonly active: number | null
}

export interface LanHost {
  readonly kind: 'client' | 'device'
  readonly mac: string
  readonly name: string
  readonly hostname: string | null
  readonly address: string | null
  /** The address that the controller leases to it and to nobody else. */
  readonly fixed_address: string | null
  /** The name that somebody gave it at the controller. */
  readonly alias: string | null
  /** Under which the controller keeps it; null for one that it never kept. */
  readonly user_id: string | null
  readonly online: boolean
  /** Null where it is not told. */
  readonly wired: boolean | null
  readonly guest: boolean
  readonly network: string | null
  readonly vlan: number | null
  readonly vendor: string | null
  readonly last_seen: Instant | null
}
