/**
 * Domains that point at nothing. Pure. Only what the sources can tell is judged: an address of theirs, or a name without a
 * dot, which only a container can have. Everything else is left open, and while a source is unknown nothing is said at all.
 */
import { isIP } from 'node:net'
import { inNetworks } from '../../model/public-address.ts'
import type { Container, HostPlace, LanHost } from '../../ports/lab.ts'
import { namesOf, type Pointing, reachesOf } from './match.ts'

export const NOTHING_REASONS = [
  'no_such_address',
  'offline',
  'port_not_published',
  'not_running',
  'no_such_container',
] as const

export interface PointsAtNothing {
  readonly domain_id: number
  readonly domain: string
  readonly backend_host: string
  readonly backend_port: number | null
  readonly reason: (typeof NOTHING_REASONS)[number]
}

export interface Judged {
  readonly points_at_nothing: readonly PointsAtNothing[]
  /** How many domains point where no source can tell. */
  readonly not_judged: number
}

export interface Seen {
  /** Null where no container host is configured. */
  readonly containers: readonly { readonly container: Container; readonly place: HostPlace }[] | null
  /** Null where no controller is configured. */
  readonly hosts: readonly LanHost[] | null
  /** Of all sites, in CIDR form. */
  readonly networks: readonly string[]
}

type Verdict = PointsAtNothing['reason'] | 'something' | null

export function judgePointing(domains: readonly Pointing[], seen: Seen): Judged {
  const verdict = judge(seen)
  const nothing: PointsAtNothing[] = []
  let not_judged = 0
  for (const { id, domain, status, backend_host, backend_port } of domains) {
    if (backend_host === null || status === 'disabled') continue
    const reason = verdict(backend_host.toLowerCase(), backend_port)
    if (reason === null) not_judged++
    else if (reason !== 'something')
      nothing.push({ domain_id: id, domain, backend_host, backend_port, reason })
  }
  return { points_at_nothing: nothing, not_judged }
}

/** What is known of one place. Everything is indexed before, so a verdict costs the same however much there is. */
function judge(seen: Seen): (host: string, port: number | null) => Verdict {
  const docker = seen.containers === null ? null : containerIndex(seen.containers)
  const lan = seen.hosts === null ? null : lanIndex(seen.hosts)
  const isOurs = inNetworks(seen.networks)
  return (host, port) => {
    const state = docker?.at(host, port)
    if (state !== undefined && state !== null) return state
    if (isIP(host) === 0)
      return host.includes('.') || docker === null || host === 'localhost' ? null : 'no_such_container'
    const online = lan?.get(host)
    if (online === true)
      return docker?.isHost(host) === true && !docker.mayServeItself(host)
        ? 'port_not_published'
        : 'something'
    if (online === false) return 'offline'
    return lan !== null && isOurs(host) ? 'no_such_address' : null
  }
}

interface ContainerIndex {
  at(host: string, port: number | null): 'something' | 'not_running' | null
  isHost(address: string): boolean
  /** Some container there uses the host's own network, so its ports are not told. */
  mayServeItself(address: string): boolean
}

const RUNNING: readonly Container['state'][] = ['running', 'restarting', 'unknown']

function containerIndex(all: NonNullable<Seen['containers']>): ContainerIndex {
  const running = new Map<string, boolean>()
  const hosts = new Map<string, boolean>()
  const note = (key: string, is_running: boolean) => running.set(key, is_running || running.get(key) === true)
  for (const { container, place } of all) {
    const is_running = RUNNING.includes(container.state)
    for (const { host, port } of reachesOf(container, place)) note(`${host} ${port}`, is_running)
    // A stopped container has no ports and no address; its name is all that is left of it.
    for (const name of namesOf(container)) note(name, is_running)
    if (place.address !== null)
      hosts.set(place.address, hosts.get(place.address) === true || container.is_on_host_network)
  }
  return {
    at(host, port) {
      const is_running = running.get(`${host} ${port}`) ?? running.get(host)
      return is_running === undefined ? null : is_running ? 'something' : 'not_running'
    },
    isHost: (address) => hosts.has(address),
    mayServeItself: (address) => hosts.get(address) === true,
  }
}

const lanIndex = (hosts: readonly LanHost[]): ReadonlyMap<string, boolean> => {
  const online = new Map<string, boolean>()
  for (const { address, online: is_online } of hosts)
    if (address !== null) online.set(address, is_online || online.get(address) === true)
  return online
}
