/** Gathers what may explain an open port: where the proxy is, and what the domains point at, also through containers. */
import { Failure } from '../../kernel/failure.ts'
import type { PortRange } from './model/port-ranges.ts'
import type { StoreReader } from '../../ports/store.ts'
import type { DiscoveryService } from './service.ts'
import type { Explaining } from './network/inbound.ts'
import { lookAtHosts } from './looks.ts'
import { DomainIndex, matchContainer, type Pointing, reachesOf } from './model/match.ts'
import { allDomains, type PlacedContainer, placedContainers } from './placed.ts'
import type { ProxyPlace } from './model/lab-port.ts'
import { imageOf } from './exposable.ts'

interface ExplainingDeps {
  readonly lab: DiscoveryService
  readonly store: StoreReader
}

export async function explaining({ lab, store }: ExplainingDeps): Promise<Explaining> {
  const nothing = { places: lab.proxy_places, domainsAt: null, silent_hosts: [] }
  // Without a controller there is no port to explain, and nobody is asked.
  if (lab.controllers.length === 0) return nothing
  const [hosts, domains] = await Promise.all([lookAtHosts(lab), domainsOrNull(store)])
  const containers = placedContainers(hosts)
  return {
    places: [...lab.proxy_places, ...proxyContainers(containers)],
    domainsAt: domains === null ? null : domainsAt(domains, containers),
    silent_hosts: hosts.filter(({ look }) => !look.known).map(({ place }) => place.address),
  }
}

async function domainsOrNull(store: StoreReader): Promise<readonly Pointing[] | null> {
  try {
    return await allDomains(store)
  } catch (error) {
    if (error instanceof Failure) return null
    throw error
  }
}

/** By address: each port with the names of the domains that lead there. */
type Served = ReadonlyMap<string, ReadonlyMap<number, ReadonlySet<string>>>

function domainsAt(
  domains: readonly Pointing[],
  containers: readonly PlacedContainer[],
): Explaining['domainsAt'] {
  const served = servedBy(domains, containers)
  return (address: string, ranges: readonly PortRange[]) => {
    const ports = [...(served.get(address) ?? [])]
    const inside = ports.filter(([port]) => ranges.some(({ first, last }) => first <= port && port <= last))
    return [...new Set(inside.flatMap(([, names]) => [...names]))].sort()
  }
}

function servedBy(domains: readonly Pointing[], containers: readonly PlacedContainer[]): Served {
  const served = new Map<string, Map<number, Set<string>>>()
  const note = (address: string, port: number, name: string) => {
    const ports = served.get(address) ?? new Map<number, Set<string>>()
    served.set(address, ports.set(port, (ports.get(port) ?? new Set()).add(name)))
  }
  for (const { domain, status, backend_host, backend_port } of domains)
    if (status !== 'disabled' && backend_host !== null && backend_port !== null)
      note(backend_host.toLowerCase(), backend_port, domain)
  const index = new DomainIndex(domains)
  // A domain may name the container, and the forward the port that it publishes.
  for (const { container, place } of containers)
    for (const { domain } of matchContainer(index, container, place))
      for (const { host, port, is_name } of reachesOf(container, place))
        if (!is_name) note(host, port, domain)
  return served
}

/** Containers of Traefik, at the addresses on which their ports are published. */
function proxyContainers(containers: readonly PlacedContainer[]): readonly ProxyPlace[] {
  const ours = containers.filter(
    ({ container: { image, state } }) => state === 'running' && imageOf(image) === 'traefik',
  )
  return ours.flatMap(({ at, place, container }) => {
    const ports = new Map<string, Set<number>>()
    for (const { host, port, is_name } of reachesOf(container, place))
      if (!is_name) ports.set(host, (ports.get(host) ?? new Set()).add(port))
    const source = `the container ${container.name} of ${at}`
    return [...ports].map(([address, own]) => ({ address, ports: own, source }))
  })
}
