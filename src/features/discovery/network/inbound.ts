/**
 * What a site lets in from the internet, beside what the domains ask for. Pure. A forward that neither the proxy nor a
 * domain explains is a hole that somebody forgot, or a service that nobody wrote down; both are worth a look. Where a thing
 * cannot be told it is null, and never "no".
 */
import { type PortRange, showPortRanges } from '../model/port-ranges.ts'
import type { PortForward } from '../model/inbound-port.ts'
import type { SiteState, ProxyPlace } from '../model/lab-port.ts'
import { proxyReach } from './proxy-reach.ts'
import type { ForwardView, InboundView } from './views.ts'

/** What is known beside the network: the proxy, and what the domains point at. */
export interface Explaining {
  readonly places: readonly ProxyPlace[]
  /** Domains whose backend is there. Null: the database cannot be asked. */
  readonly domainsAt: ((address: string, ports: readonly PortRange[]) => readonly string[]) | null
  /** Addresses of container hosts that do not answer, behind whose ports a domain's container may be. */
  readonly silent_hosts: readonly (string | null)[]
}

export function inboundView(site: SiteState, explaining: Explaining): InboundView {
  const { has_gateway, forwards, rules, unreadable, detail } = site.inbound
  const names = new Map(site.hosts.map(({ address, name }) => [address, name]))
  return {
    has_gateway,
    forwards: forwards?.map((forward) => forwardView(forward, names, explaining)) ?? null,
    rules:
      rules?.map(({ name, lets_in, to, protocol, ports }) => {
        return { name, lets_in, to, protocol, ports: ports === null ? null : showPortRanges(ports) }
      }) ?? null,
    proxy: [80, 443].map((port) => proxyReach(port, site, explaining.places)),
    unreadable,
    detail,
  }
}

function forwardView(
  forward: PortForward,
  names: ReadonlyMap<string | null, string>,
  explaining: Explaining,
): ForwardView {
  const { name, enabled, uplink, protocol, from, ports, to_address, to_ports } = forward
  const domains = explaining.domainsAt?.(to_address, to_ports) ?? []
  return {
    name,
    enabled,
    uplink,
    protocol,
    from,
    ports: showPortRanges(ports),
    to_address,
    to_ports: showPortRanges(to_ports),
    to_name: names.get(to_address) ?? null,
    ...explain(forward, domains, explaining),
    domains,
  }
}

type Explained = Pick<ForwardView, 'explained' | 'why'>

/** Traffic of HTTP/3 is UDP, and the proxy's all the same. */
function explain(
  { to_address, to_ports }: PortForward,
  domains: readonly string[],
  { places, domainsAt, silent_hosts }: Explaining,
): Explained {
  const proxy = places.find(
    ({ address, ports }) => address === to_address && to_ports.every((range) => isServed(ports, range)),
  )
  if (proxy !== undefined) return { explained: true, why: `leads to the proxy, as ${proxy.source} says` }
  if (domains.length > 0) return { explained: true, why: 'leads to the backend of a domain' }
  if (domainsAt === null) return { explained: null, why: 'the database does not answer' }
  if (silent_hosts.some((address) => address === null || address === to_address))
    return { explained: null, why: 'a container host does not answer, and may have it' }
  if (
    places.length === 0 &&
    to_ports.some(({ first, last }) => [80, 443].some((p) => first <= p && p <= last))
  )
    return { explained: null, why: 'where the proxy is, is not known; set PLUMBLINE_RESOLVER_ADDRESS' }
  return { explained: false, why: 'neither the proxy nor the backend of a domain is there' }
}

function isServed(ports: ReadonlySet<number>, { first, last }: PortRange): boolean {
  for (let port = first; port <= last; port++) if (!ports.has(port)) return false
  return true
}
