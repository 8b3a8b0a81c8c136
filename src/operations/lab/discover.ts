/** What runs in the network, matched to the domains: what is exposed, what is not, and what points at nothing. */
import type { StoreReader } from '../../ports/store.ts'
import type { ContainerState, Health } from '../../model/container.ts'
import type { Container, HostPlace } from '../../ports/lab.ts'
import type { LabDesk } from './desk.ts'
import {
  controllerSources,
  type ControllerLook,
  type HostLook,
  hostSources,
  isComplete,
  lookAtControllers,
  lookAtHosts,
  type SourceView,
} from './looks.ts'
import { type LanHostView, lanHostView } from './network.ts'
import { type DomainMatch, DomainIndex, matchContainer, matchLanHost, type Pointing } from './match.ts'
import { judgePointing, type Judged, type PointsAtNothing } from './nothing.ts'
import { commonSuffix, suggestForContainer, suggestForLanHost, type Suggestion } from './suggest.ts'

export interface ContainerView {
  readonly host: string
  readonly id: string
  readonly name: string
  readonly image: string | null
  readonly state: ContainerState
  readonly health: Health | null
  readonly project: string | null
  readonly service: string | null
  readonly networks: readonly { readonly name: string; readonly addresses: readonly string[] }[]
  readonly ports: Container['ports']
  readonly is_on_host_network: boolean
  readonly domains: readonly DomainMatch[]
}

export interface ClientView extends LanHostView {
  readonly domains: readonly DomainMatch[]
}

export interface Unexposed {
  readonly source: 'docker' | 'unifi'
  /** Of the host or the controller. */
  readonly at: string
  readonly name: string
  readonly suggestion: Suggestion | null
}

interface Found {
  readonly sources: readonly SourceView[]
  /** False: something is unknown, so no list is whole. Null: nothing is configured. */
  readonly complete: boolean | null
  readonly not_exposed: readonly Unexposed[]
  /** Null while it cannot be known, because a source is unknown or none is configured. */
  readonly points_at_nothing: readonly PointsAtNothing[] | null
  /** Domains that point where no source can tell. */
  readonly not_judged: number | null
}

/** Lists are null where nothing at all is known of their kind. */
export type DiscoveredContainers = Found & { readonly containers: readonly ContainerView[] | null }
export type DiscoveredClients = Found & { readonly clients: readonly ClientView[] | null }
export type Discovered = DiscoveredContainers & DiscoveredClients

export interface Discovery {
  readonly lab: LabDesk
  readonly store: StoreReader
}

export async function discoverAll({ lab, store }: Discovery): Promise<Discovered> {
  const [hosts, controllers] = await Promise.all([lookAtHosts(lab), lookAtControllers(lab)])
  const known = knownDomains(await allDomains(store))
  const containers = containersOf(hosts, known)
  const clients = clientsOf(controllers, known)
  const sources = [...hostSources(hosts), ...controllerSources(controllers)]
  const not_exposed = [...containers.not_exposed, ...clients.not_exposed]
  const verdict = verdictOf(sources, known, { hosts, controllers })
  return { sources, ...verdict, containers: containers.views, clients: clients.views, not_exposed }
}

export async function discoverContainers({ lab, store }: Discovery): Promise<DiscoveredContainers> {
  const hosts = await lookAtHosts(lab)
  const known = knownDomains(await allDomains(store))
  const { views, not_exposed } = containersOf(hosts, known)
  const sources = hostSources(hosts)
  return { sources, ...verdictOf(sources, known, { hosts, controllers: [] }), containers: views, not_exposed }
}

export async function discoverClients({ lab, store }: Discovery): Promise<DiscoveredClients> {
  const controllers = await lookAtControllers(lab)
  const known = knownDomains(await allDomains(store))
  const { views, not_exposed } = clientsOf(controllers, known)
  const sources = controllerSources(controllers)
  return { sources, ...verdictOf(sources, known, { hosts: [], controllers }), clients: views, not_exposed }
}

interface KnownDomains {
  readonly domains: readonly Pointing[]
  readonly index: DomainIndex
  readonly suffix: string
}

const MOST_DOMAINS = 1_000_000

const allDomains = async (store: StoreReader): Promise<readonly Pointing[]> =>
  (await store.domains({ sort: 'domain', limit: MOST_DOMAINS })).records

const knownDomains = (domains: readonly Pointing[]): KnownDomains => ({
  domains,
  index: new DomainIndex(domains),
  suffix: commonSuffix(domains.map(({ domain }) => domain)),
})

interface Listed<View> {
  readonly views: readonly View[] | null
  readonly not_exposed: readonly Unexposed[]
}

interface Placed {
  readonly host: string
  readonly place: HostPlace
  readonly container: Container
}

const placedContainers = (looks: readonly HostLook[]): readonly Placed[] =>
  looks.flatMap(({ name, place, look }) =>
    look.known ? look.state.containers.map((container) => ({ host: name, place, container })) : [],
  )

function containersOf(looks: readonly HostLook[], { index, suffix }: KnownDomains): Listed<ContainerView> {
  const not_exposed: Unexposed[] = []
  const views = placedContainers(looks).map(({ host, place, container }) => {
    const domains = matchContainer(index, container, place)
    if (domains.length === 0 && container.state === 'running' && hasTcp(container)) {
      const suggestion = suggestForContainer(container, place.address, suffix)
      not_exposed.push({ source: 'docker', at: host, name: container.name, suggestion })
    }
    return containerView(host, container, domains)
  })
  return { views: looks.some(({ look }) => look.known) ? views : null, not_exposed }
}

const hasTcp = ({ ports }: Container): boolean => ports.some(({ protocol }) => protocol === 'tcp')

const containerView = (
  host: string,
  container: Container,
  domains: readonly DomainMatch[],
): ContainerView => {
  const { id, name, image, state, health, labels, networks, ports, is_on_host_network } = container
  return {
    host,
    id,
    name,
    image,
    state,
    health,
    project: labels['com.docker.compose.project'] ?? null,
    service: labels['com.docker.compose.service'] ?? null,
    networks: networks.map(({ name: network, addresses }) => ({ name: network, addresses })),
    ports,
    is_on_host_network,
    domains,
  }
}

function clientsOf(looks: readonly ControllerLook[], { index, suffix }: KnownDomains): Listed<ClientView> {
  const not_exposed: Unexposed[] = []
  const views = looks.flatMap(({ name: controller, look }) =>
    (look.known ? look.state.sites : []).flatMap(({ site, hosts }) =>
      hosts.map((host) => {
        const domains = matchLanHost(index, host)
        if (domains.length === 0 && host.online && host.kind === 'client' && !host.guest) {
          const suggestion = suggestForLanHost(host, suffix)
          not_exposed.push({ source: 'unifi', at: controller, name: host.name, suggestion })
        }
        return { ...lanHostView({ controller, site, host }), domains }
      }),
    ),
  )
  return { views: looks.some(({ look }) => look.known) ? views : null, not_exposed }
}

interface Looks {
  readonly hosts: readonly HostLook[]
  readonly controllers: readonly ControllerLook[]
}

function verdictOf(
  sources: readonly SourceView[],
  { domains }: KnownDomains,
  { hosts, controllers }: Looks,
): Pick<Found, 'complete' | 'points_at_nothing' | 'not_judged'> {
  const complete = isComplete(sources)
  if (complete !== true) return { complete, points_at_nothing: null, not_judged: null }
  const sites = controllers.flatMap(({ look }) => (look.known ? look.state.sites : []))
  const judged: Judged = judgePointing(domains, {
    containers: hosts.length === 0 ? null : placedContainers(hosts),
    hosts: controllers.length === 0 ? null : sites.flatMap((site) => site.hosts),
    networks: sites.flatMap(({ networks }) => networks),
  })
  return { complete, ...judged }
}
