/** What runs in the network, matched to the domains: what is exposed, what is not, and what points at nothing. */
import type { StoreReader } from '../../ports/store.ts'
import type { DiscoveryService } from './service.ts'
import {
  type Elsewhere,
  elsewhereOf,
  inOrder,
  evaluateClient,
  evaluateContainer,
  evaluateGuest,
} from './exposable.ts'
import { lanHostsOf, type PlacedGuest, placedGuests } from './guests.ts'
import {
  clusterSources,
  controllerSources,
  hostSources,
  isComplete,
  isKnown,
  lookAtClusters,
  lookAtControllers,
  lookAtHosts,
  type Looks,
} from './looks.ts'
import { DomainIndex, matchContainer, matchGuest, matchLanHost, type Pointing } from './model/match.ts'
import { lanHostView } from './network/network.ts'
import { evaluatePointing } from './nothing.ts'
import { allDomains, type PlacedContainer, placedContainers } from './placed.ts'
import { commonSuffix, suggestForContainer, suggestForGuest, suggestForLanHost } from './suggest.ts'
import { containerView, guestView } from './present.ts'
import type {
  PointsAtNothing,
  Unexposed,
  ClientView,
  ContainerView,
  GuestView,
  SourceView,
  Discovered,
  DiscoveredContainers,
  DiscoveredClients,
} from './views.ts'

interface DiscoveryAnswer {
  readonly sources: readonly SourceView[]
  /** False: something is unknown, so no list is whole. Null: nothing is configured. */
  readonly complete: boolean | null
  /** The likeliest first. Null while it cannot be known: none was found, and a source is unknown or none is configured. */
  readonly not_exposed: readonly Unexposed[] | null
  /** Null while it cannot be known, because a source is unknown or none is configured. */
  readonly points_at_nothing: readonly PointsAtNothing[] | null
  /** Domains that point where no source can tell. */
  readonly not_judged: number | null
}

export interface Discovery {
  readonly lab: DiscoveryService
  readonly store: StoreReader
}

export async function discoverAll({ lab, store }: Discovery): Promise<Discovered> {
  const [hosts, clusters, controllers] = await Promise.all([
    lookAtHosts(lab),
    lookAtClusters(lab),
    lookAtControllers(lab),
  ])
  const world = worldOf({ hosts, clusters, controllers }, await allDomains(store))
  const [containers, guests, clients] = [containersOf(world), guestsOf(world), clientsOf(world)]
  const sources = [...hostSources(hosts), ...clusterSources(clusters), ...controllerSources(controllers)]
  return {
    sources,
    ...completenessOf(sources, world),
    containers: containers.views,
    guests: guests.views,
    clients: clients.views,
    not_exposed: unexposed(
      sources,
      [containers, guests, clients].flatMap(({ not_exposed }) => not_exposed),
    ),
  }
}

export async function discoverContainers({ lab, store }: Discovery): Promise<DiscoveredContainers> {
  const hosts = await lookAtHosts(lab)
  const world = worldOf({ hosts, clusters: [], controllers: [] }, await allDomains(store))
  const { views, not_exposed } = containersOf(world)
  const sources = hostSources(hosts)
  return {
    sources,
    ...completenessOf(sources, world),
    containers: views,
    not_exposed: unexposed(sources, not_exposed),
  }
}

export async function discoverClients({ lab, store }: Discovery): Promise<DiscoveredClients> {
  const controllers = await lookAtControllers(lab)
  const world = worldOf({ hosts: [], clusters: [], controllers }, await allDomains(store))
  const { views, not_exposed } = clientsOf(world)
  const sources = controllerSources(controllers)
  return {
    sources,
    ...completenessOf(sources, world),
    clients: views,
    not_exposed: unexposed(sources, not_exposed),
  }
}

/** What was seen is true whatever else is unknown; that there is nothing is not. */
const unexposed = (
  sources: readonly SourceView[],
  found: readonly Unexposed[],
): readonly Unexposed[] | null => (found.length === 0 && isComplete(sources) !== true ? null : inOrder(found))

/** One round of looks beside the domains, indexed once for all that is asked of it. */
interface World extends Looks {
  readonly domains: readonly Pointing[]
  readonly index: DomainIndex
  readonly suffix: string
  readonly containers: readonly PlacedContainer[]
  readonly guests: readonly PlacedGuest[]
  readonly elsewhere: Elsewhere
}

function worldOf(looks: Looks, domains: readonly Pointing[]): World {
  const guests = placedGuests(looks.clusters, lanHostsOf(looks.controllers))
  const known_hosts = looks.hosts.filter(({ look }) => look.known)
  return {
    ...looks,
    domains,
    index: new DomainIndex(domains),
    suffix: commonSuffix(domains.map(({ domain }) => domain)),
    containers: placedContainers(looks.hosts),
    guests,
    elsewhere: elsewhereOf(
      known_hosts.map(({ place }) => place.address),
      guests,
    ),
  }
}

interface Listed<View> {
  readonly views: readonly View[] | null
  readonly not_exposed: readonly Unexposed[]
}

const isAnyKnown = (looks: readonly { readonly look: { readonly known: boolean } }[]): boolean =>
  looks.some(({ look }) => look.known)

function containersOf({ hosts, containers, index, suffix }: World): Listed<ContainerView> {
  const not_exposed: Unexposed[] = []
  const views = containers.map(({ at, place, container }) => {
    const domains = matchContainer(index, container, place)
    const evaluated = domains.length === 0 ? evaluateContainer(container) : null
    if (evaluated !== null) {
      const { is_offered, likelihood, why } = evaluated
      const suggestion = is_offered ? suggestForContainer(container, place.address, suffix) : null
      not_exposed.push({ source: 'docker', at, name: container.name, likelihood, why, suggestion })
    }
    return containerView(at, container, domains)
  })
  return { views: isAnyKnown(hosts) ? views : null, not_exposed }
}

function guestsOf({ clusters, guests, index, suffix, elsewhere }: World): Listed<GuestView> {
  const not_exposed: Unexposed[] = []
  const views = guests.map((placed) => {
    const { at, guest } = placed
    const domains = matchGuest(index, guest)
    const evaluated = domains.length === 0 ? evaluateGuest(placed, elsewhere.container_hosts) : null
    const suggestion = suggestForGuest(guest, suffix)
    if (evaluated !== null)
      not_exposed.push({ source: 'proxmox', at, name: guest.name, ...evaluated, suggestion })
    return guestView(placed, domains)
  })
  return { views: isAnyKnown(clusters) ? views : null, not_exposed }
}

function clientsOf({ controllers, index, suffix, elsewhere }: World): Listed<ClientView> {
  const not_exposed: Unexposed[] = []
  const views = controllers.flatMap(({ name: controller, look }) =>
    (look.known ? look.state.sites : []).flatMap(({ site, hosts }) =>
      hosts.map((host) => {
        const domains = matchLanHost(index, host)
        const evaluated = domains.length === 0 ? evaluateClient(host, elsewhere) : null
        if (evaluated !== null) {
          const suggestion = suggestForLanHost(host, suffix)
          not_exposed.push({ source: 'unifi', at: controller, name: host.name, ...evaluated, suggestion })
        }
        return { ...lanHostView({ controller, site, host }), domains }
      }),
    ),
  )
  return { views: isAnyKnown(controllers) ? views : null, not_exposed }
}

function completenessOf(
  sources: readonly SourceView[],
  { domains, hosts, clusters, controllers, containers, guests }: World,
): Pick<DiscoveryAnswer, 'complete' | 'points_at_nothing' | 'not_judged'> {
  const complete = isComplete(sources)
  if (isKnown(sources) !== true) return { complete, points_at_nothing: null, not_judged: null }
  const sites = controllers.flatMap(({ look }) => (look.known ? look.state.sites : []))
  const evaluated = evaluatePointing(domains, {
    containers: hosts.length === 0 ? null : containers,
    guests: clusters.length === 0 ? null : guests,
    are_guests_all: clusters.every(({ look }) => look.known && look.state.missing === null),
    // A list that is missing may hold whoever is there.
    hosts:
      controllers.length === 0 || sites.some(({ missing }) => missing.length > 0)
        ? null
        : controllers.flatMap(({ name: at, look }) =>
            look.known ? look.state.sites.flatMap((site) => site.hosts.map((host) => ({ at, host }))) : [],
          ),
    networks: sites.flatMap(({ networks }) => networks),
  })
  return { complete, ...evaluated }
}
