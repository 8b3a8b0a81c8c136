/**
 * Which domain leads to which thing in the network. Pure, and linear in both: domains are indexed once by where they
 * point, and each thing asks by its own addresses, ports and names.
 */
import type { DomainRecord, Status } from '../../../model/domain/record.ts'
import type { Guest } from './guests-port.ts'
import type { Container, HostPlace, LanHost } from './lab-port.ts'

export const MATCHED_BY = ['address_port', 'name_port', 'address', 'name'] as const

export interface DomainMatch {
  readonly domain_id: number
  readonly domain: string
  readonly status: Status
  /** `address` and `name` say nothing of the port. */
  readonly by: (typeof MATCHED_BY)[number]
}

export type Pointing = Pick<DomainRecord, 'id' | 'domain' | 'status' | 'backend_host' | 'backend_port'>

/** Domains by where they point. Disabled records point nowhere any more. */
export class DomainIndex {
  readonly #by_host = new Map<string, Pointing[]>()
  readonly #by_host_port = new Map<string, Pointing[]>()

  constructor(domains: readonly Pointing[]) {
    for (const domain of domains) {
      if (domain.backend_host === null || domain.status === 'disabled') continue
      const host = domain.backend_host.toLowerCase()
      put(this.#by_host, host, domain)
      if (domain.backend_port !== null) put(this.#by_host_port, keyOf(host, domain.backend_port), domain)
    }
  }

  at(host: string): readonly Pointing[] {
    return this.#by_host.get(host.toLowerCase()) ?? []
  }

  atPort(host: string, port: number): readonly Pointing[] {
    return this.#by_host_port.get(keyOf(host.toLowerCase(), port)) ?? []
  }
}

const keyOf = (host: string, port: number): string => `${host} ${port}`

function put(map: Map<string, Pointing[]>, key: string, domain: Pointing): void {
  const list = map.get(key)
  if (list === undefined) map.set(key, [domain])
  else list.push(domain)
}

const LOOPBACK = ['127.0.0.1', '::1', 'localhost']

export interface Reach {
  readonly host: string
  readonly port: number
  /** By name, or by address. */
  readonly is_name: boolean
}

/** Under what a container can be reached over TCP: its published ports, its own addresses, its names. */
export function reachesOf(container: Container, place: HostPlace): readonly Reach[] {
  const tcp = container.ports.filter(({ protocol }) => protocol === 'tcp')
  const names = namesOf(container)
  const own = container.networks.flatMap(({ addresses }) => addresses)
  return tcp.flatMap(({ private_port, public_port, address }) => [
    ...publishedAt(address, place).flatMap((host) =>
      public_port === null ? [] : [{ host, port: public_port, is_name: false }],
    ),
    ...own.map((host) => ({ host, port: private_port, is_name: false })),
    ...names.map((host) => ({ host, port: private_port, is_name: true })),
  ])
}

/** The loopback of another host is nowhere. */
function publishedAt(address: string | null, place: HostPlace): readonly string[] {
  if (address !== null) return LOOPBACK.includes(address) && !place.is_local ? [] : [address]
  return [...(place.address === null ? [] : [place.address]), ...(place.is_local ? LOOPBACK : [])]
}

/** Names that resolve to it for its neighbours. A short id is an alias of every container and nobody's choice. */
export function namesOf({ id, name, labels, networks }: Container): readonly string[] {
  const service = labels['com.docker.compose.service']
  const all = [
    name,
    ...(service === undefined ? [] : [service]),
    ...networks.flatMap(({ aliases }) => aliases),
  ]
  return [...new Set(all.map((one) => one.toLowerCase()))].filter((one) => !id.startsWith(one))
}

export function matchContainer(
  index: DomainIndex,
  container: Container,
  place: HostPlace,
): readonly DomainMatch[] {
  const found = new Map<number, DomainMatch>()
  for (const { host, port, is_name } of reachesOf(container, place))
    for (const domain of index.atPort(host, port)) add(found, domain, is_name ? 'name_port' : 'address_port')
  return [...found.values()]
}

/** Which ports a guest serves is told by nobody. */
export function matchGuest(index: DomainIndex, { addresses, name }: Guest): readonly DomainMatch[] {
  const found = new Map<number, DomainMatch>()
  for (const address of addresses) for (const domain of index.at(address)) add(found, domain, 'address')
  for (const domain of index.at(name)) add(found, domain, 'name')
  return [...found.values()]
}

export function matchLanHost(
  index: DomainIndex,
  { address, name, hostname }: LanHost,
): readonly DomainMatch[] {
  const found = new Map<number, DomainMatch>()
  if (address !== null) for (const domain of index.at(address)) add(found, domain, 'address')
  for (const one of [hostname, name])
    if (one !== null) for (const domain of index.at(one)) add(found, domain, 'name')
  return [...found.values()]
}

function add(found: Map<number, DomainMatch>, { id, domain, status }: Pointing, by: DomainMatch['by']): void {
  if (!found.has(id)) found.set(id, { domain_id: id, domain, status, by })
}
