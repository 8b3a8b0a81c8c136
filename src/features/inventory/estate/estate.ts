/**
 * Everything that runs and everybody who has a number or an address, of one round of looks. What was made of the same looks
 * is kept, so that many who ask at once cost one reading.
 */
import type { DiscoveryService } from '../../discovery/service.ts'
import { lanHostsOf, type PlacedGuest, placedGuests } from '../../discovery/guests.ts'
import {
  type ClusterLook,
  clusterSources,
  controllerSources,
  hostSources,
  isComplete,
  lookAtClusters,
  lookAtControllers,
  lookAtHosts,
  type Looks,
} from '../../discovery/looks.ts'
import type { ClusterNode, Guest } from '../../discovery/model/guests-port.ts'
import type { Lan, LanHost } from '../../discovery/model/lab-port.ts'
import type { Pointing } from '../../discovery/model/match.ts'
import { allDomains } from '../../discovery/placed.ts'
import type { Intent } from '../../../model/intent.ts'
import type { StoreReader } from '../../../ports/store.ts'
import { type UsedAddresses, usedAddresses } from '../addresses/next.ts'
import { type Claim, claimsOf, type PlacedController, type Sources } from './claims.ts'
import type { NumberHolder } from './conflicts.ts'
import { SortedNumbers } from '../sorted-numbers.ts'
import type { SourceView } from '../../discovery/views.ts'

export interface Estate {
  readonly sources: readonly SourceView[]
  /** Null: nothing is configured. */
  readonly complete: boolean | null
  /** The time of its oldest look; null where nothing is configured. */
  readonly checked_at: string | null
  /** With what the network knows of them. */
  readonly guests: readonly PlacedGuest[]
  /** As their clusters tell them, and no more. */
  readonly cluster_guests: readonly PlacedGuest[]
  readonly numbers: readonly NumberHolder[]
  readonly vmids: SortedNumbers
  readonly claims: readonly Claim[]
  readonly used: UsedAddresses
  readonly lans: readonly Lan[]
  /** Clients and devices of the network. */
  readonly hosts: readonly LanHost[]
  readonly domains: readonly Pointing[]
  /** Hosts of all clusters; null while one of them is not known, or none is configured. */
  readonly nodes: readonly ClusterNode[] | null
  readonly looks: Looks
}

export interface EstateParts {
  readonly lab: DiscoveryService
  readonly store: StoreReader
  readonly listed: Sources['listed']
}

/** @returns a function that reads the estate */
export function estateOf({ lab, store, listed }: EstateParts): () => Promise<Estate> {
  let last: { readonly of: readonly unknown[]; readonly estate: Estate } | null = null
  return async () => {
    const [clusters, controllers, hosts, { rows }] = await Promise.all([
      lookAtClusters(lab),
      lookAtControllers(lab),
      lookAtHosts(lab),
      domainsOf(store),
    ])
    const of = [...clusters, ...controllers, ...hosts].map(({ look }): unknown => look)
    const key = [...of, rows]
    if (last !== null && last.of.length === key.length && last.of.every((one, at) => one === key[at]))
      return last.estate
    const estate = made({ clusters, controllers, hosts }, rows, listed)
    last = { of: key, estate }
    return estate
  }
}

const kept = new WeakMap<StoreReader, { readonly intent: Intent; readonly rows: readonly Pointing[] }>()

/** The same list for as long as nothing was saved. */
async function domainsOf(store: StoreReader): Promise<{ readonly rows: readonly Pointing[] }> {
  const intent = await store.intent('working')
  const before = kept.get(store)
  if (before?.intent === intent) return before
  const now = { intent, rows: await allDomains(store) }
  kept.set(store, now)
  return now
}

function made(looks: Looks, domains: readonly Pointing[], listed: Sources['listed']): Estate {
  const { clusters, controllers, hosts } = looks
  const lan_hosts = lanHostsOf(controllers)
  const guests = placedGuests(clusters, lan_hosts)
  const sources = [...clusterSources(clusters), ...controllerSources(controllers), ...hostSources(hosts)]
  const placed: readonly PlacedController[] = controllers.flatMap(({ name: at, look }) =>
    look.known ? [{ at, state: look.state }] : [],
  )
  const places = hosts.map(({ name, place, look }) => ({
    name,
    place,
    containers: look.known ? look.state.containers : [],
  }))
  const cluster_guests = placedGuests(clusters, [])
  const templates = templatesOf(clusters)
  const numbers = numbersOf(clusters)
  const claims = claimsOf({
    guests: cluster_guests,
    templates,
    controllers: placed,
    hosts: places,
    domains,
    listed,
  })
  return {
    sources,
    complete: completeOf(sources),
    checked_at: sources.flatMap(({ observed_at }) => observed_at ?? []).toSorted()[0] ?? null,
    guests,
    cluster_guests,
    numbers,
    vmids: SortedNumbers.of(numbers.map(({ vmid }) => vmid)),
    claims,
    used: usedAddresses(claims.map(({ address }) => address)),
    lans: placed.flatMap(({ state }) => state.sites.flatMap(({ lans }) => lans)),
    hosts: lan_hosts,
    domains,
    nodes: nodesOf(clusters),
    looks,
  }
}

const templatesOf = (clusters: readonly ClusterLook[]): readonly PlacedGuest[] =>
  clusters.flatMap(({ name: at, look }) =>
    look.known ? look.state.templates.map((guest) => ({ at, guest })) : [],
  )

/** An entry that could not be read may be anything. */
const completeOf = (sources: readonly SourceView[]): boolean | null => {
  const complete = isComplete(sources)
  return complete === true ? sources.every(({ unreadable }) => unreadable === 0) : complete
}

function numbersOf(clusters: readonly ClusterLook[]): readonly NumberHolder[] {
  return clusters.flatMap(({ name: cluster, look }) => {
    if (!look.known) return []
    const holder = ({ id, vmid, name, node, state }: Guest, template: boolean): NumberHolder => {
      const online = !template && (state === 'running' || state === 'paused')
      return { cluster, id, vmid, name, node, template, online }
    }
    return [
      ...look.state.guests.map((guest) => holder(guest, false)),
      ...look.state.templates.map((one) => holder(one, true)),
    ]
  })
}

function nodesOf(clusters: readonly ClusterLook[]): readonly ClusterNode[] | null {
  const all = clusters.map(({ look }) => (look.known ? look.state.nodes : null))
  return all.length === 0 || all.includes(null) ? null : all.flatMap((nodes) => nodes ?? [])
}

const isWhole = ({ known, detail, unreadable }: SourceView): boolean =>
  known !== false && detail === null && unreadable === 0

/** Kind and name of each that is not known in whole. */
export const sourcesMissing = ({ sources }: Estate): readonly string[] =>
  sources.filter((source) => source.configured && !isWhole(source)).map(({ kind, name }) => `${kind} ${name}`)

/** What keeps the sources of some kinds from being whole, a sentence each; empty where they are. */
export const gapsIn = ({ sources }: Estate, kinds: readonly SourceView['kind'][]): readonly string[] =>
  sources
    .filter(({ kind, configured }) => configured && kinds.includes(kind))
    .flatMap(({ kind, name, known, detail, unreadable }) => {
      if (known === false || detail !== null)
        return [`${kind} ${name ?? ''}: ${(detail ?? 'it does not answer').replace(/\.$/, '')}`]
      return unreadable === 0 ? [] : [`${kind} ${name ?? ''}: ${unreadable} of its entries cannot be read`]
    })

/**
 * What keeps the addresses in use from being known in whole: sources, and guests whose settings nobody could read, which may
 * have any address.
 */
export function addressGapsIn(estate: Estate): readonly string[] {
  const all = [...estate.cluster_guests, ...templatesOf(estate.looks.clusters)]
  const unread = all.filter(({ guest }) => guest.is_unread === true)
  return [
    ...gapsIn(estate, ADDRESS_SOURCES),
    ...(unread.length === 0
      ? []
      : [
          `the settings of ${unread.length === 1 ? 'a guest' : `${unread.length} guests`} are not known: ${fewNames(unread)}`,
        ]),
  ]
}

export const ADDRESS_SOURCES = ['proxmox', 'unifi', 'docker'] as const

const SHOWN = 5

function fewNames(guests: readonly PlacedGuest[]): string {
  const shown = guests
    .slice(0, SHOWN)
    .map(({ guest: { name, vmid, detail } }) => `${name} (${vmid}, ${detail})`)
  return shown.join(', ') + (guests.length > SHOWN ? ' …' : '')
}

export const isConfigured = ({ sources }: Estate, kinds: readonly SourceView['kind'][]): boolean =>
  sources.some(({ kind, configured }) => configured && kinds.includes(kind))
