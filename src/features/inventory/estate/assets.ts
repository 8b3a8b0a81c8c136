/** Guests and templates, as they are listed: each with its place in the scheme, its addresses and the domains that lead to it. Pure. */
import type { GuestKind, GuestState } from '../../discovery/model/guest.ts'
import type { LanHost } from '../../discovery/model/lab-port.ts'
import { DomainIndex, matchGuest } from '../../discovery/model/match.ts'
import { decoded, type Numbering } from '../numbers/evaluate.ts'
import type { Estate } from './estate.ts'
export const UNNUMBERED = ['nodes', 'devices'] as const

export interface Asset {
  /** Null for what has none: a host, a device of the network. */
  readonly vmid: number | null
  readonly name: string
  readonly kind: GuestKind | 'node' | 'device'
  /** Of the cluster or controller. */
  readonly cluster: string
  readonly node: string | null
  readonly purpose: string | null
  readonly sequence: number | null
  readonly in_scheme: boolean | null
  readonly state: GuestState | 'template' | 'online' | 'offline'
  readonly template: boolean
  readonly addresses: readonly string[]
  readonly macs: readonly string[]
  readonly tags: readonly string[]
  readonly domains: readonly string[]
  /** What is not known of its addresses, and what would help. */
  readonly detail: string | null
}

const kept = new WeakMap<Estate, readonly Asset[]>()

/** In the order of their numbers. Made once a reading, whose numbering does not change. */
export function assetsOf(estate: Estate, numbering: Numbering): readonly Asset[] {
  const all = kept.get(estate) ?? madeOf(estate, numbering)
  kept.set(estate, all)
  return all
}

function madeOf(estate: Estate, numbering: Numbering): readonly Asset[] {
  const index = new DomainIndex(estate.domains)
  const guests = estate.guests.map(({ at, guest }): Asset => {
    const { vmid, name, kind, node, state, addresses, macs, tags, detail } = guest
    const domains = [...new Set(matchGuest(index, guest).map(({ domain }) => domain))]
    const common = { vmid, name, kind, cluster: at, node, ...placeOf(numbering, vmid) }
    return { ...common, state, template: false, addresses, macs, tags, domains, detail }
  })
  return [...guests, ...templatesIn(estate, numbering)].toSorted(
    (a, b) => (a.vmid ?? 0) - (b.vmid ?? 0) || (a.cluster < b.cluster ? -1 : 1),
  )
}

const templatesIn = (estate: Estate, numbering: Numbering): readonly Asset[] =>
  estate.looks.clusters.flatMap(({ name: cluster, look }) =>
    look.known
      ? look.state.templates.map(({ vmid, name, kind, node, tags, addresses, macs, detail }): Asset => {
          const common = { vmid, name, kind, cluster, node, ...placeOf(numbering, vmid) }
          return { ...common, state: 'template', template: true, addresses, macs, tags, domains: [], detail }
        })
      : [],
  )

/** Hosts of the clusters and devices of the network, which have no number. */
export function unnumberedOf(
  estate: Estate,
  wanted: readonly (typeof UNNUMBERED)[number][],
): readonly Asset[] {
  return [
    ...(wanted.includes('nodes') ? nodesIn(estate) : []),
    ...(wanted.includes('devices') ? devicesIn(estate) : []),
  ]
}

const NO_NUMBER = {
  vmid: null,
  purpose: null,
  sequence: null,
  in_scheme: null,
  template: false,
  tags: [],
  detail: null,
}
const NOWHERE = { addresses: [], macs: [], domains: [] }

const nodesIn = ({ looks }: Estate): readonly Asset[] =>
  looks.clusters.flatMap(({ name: cluster, look }) =>
    look.known
      ? (look.state.nodes ?? []).map(({ name, state }): Asset => {
          return { ...NO_NUMBER, ...NOWHERE, name, kind: 'node', cluster, node: name, state }
        })
      : [],
  )

function devicesIn({ looks, domains }: Estate): readonly Asset[] {
  const index = new DomainIndex(domains)
  return looks.controllers.flatMap(({ name: cluster, look }) =>
    (look.known ? look.state.sites : []).flatMap(({ hosts }) =>
      hosts.filter(({ kind }) => kind === 'device').map((device) => deviceAsset(cluster, device, index)),
    ),
  )
}

function deviceAsset(cluster: string, { name, mac, address, online }: LanHost, index: DomainIndex): Asset {
  const addresses = address === null ? [] : [address]
  const domains = addresses.flatMap((one) => index.at(one).map(({ domain }) => domain))
  const state = online ? 'online' : 'offline'
  const common = { ...NO_NUMBER, name, kind: 'device', cluster, node: null, state } as const
  return { ...common, addresses, macs: [mac], domains }
}

function placeOf(numbering: Numbering, vmid: number): Pick<Asset, 'purpose' | 'sequence' | 'in_scheme'> {
  const { purpose, sequence, in_scheme } = decoded(numbering, vmid)
  return { purpose, sequence, in_scheme }
}
