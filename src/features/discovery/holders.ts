/** Who has which address and name, indexed. Pure. Whoever is alive goes before whoever is not. */
import type { Container } from './model/lab-port.ts'
import type { PlacedGuest } from './guests.ts'
import { namesOf, reachesOf } from './model/match.ts'
import type { PlacedContainer, PlacedLanHost } from './placed.ts'
import type { HeldBy } from './views.ts'

export interface Holder {
  readonly is_alive: boolean
  readonly held_by: HeldBy
}

type Index = Map<string, Holder>

const RUNNING: readonly Container['state'][] = ['running', 'restarting', 'unknown']

export interface ContainerIndex {
  at(host: string, port: number | null): Holder | null
  /** Whoever runs at that host and has the port for its neighbours alone. */
  behind(address: string, port: number | null): Holder | null
  isHost(address: string): boolean
  /** Some container there uses the host's own network, so its ports are not told. */
  mayServeItself(address: string): boolean
}

export function containerIndex(all: readonly PlacedContainer[]): ContainerIndex {
  const index: Index = new Map()
  const behind: Index = new Map()
  const hosts = new Map<string, boolean>()
  for (const { at, container, place } of all) {
    const { name, state } = container
    const holder = { is_alive: RUNNING.includes(state), held_by: { source: 'docker', at, name } } as const
    for (const { host, port } of reachesOf(container, place)) note(index, `${host} ${port}`, holder)
    // A stopped container has no ports and no address; its name is all that is left of it.
    for (const one of namesOf(container)) note(index, one, holder)
    if (place.address !== null && holder.is_alive)
      for (const { protocol, private_port } of container.ports)
        if (protocol === 'tcp') note(behind, `${place.address} ${private_port}`, holder)
    if (place.address !== null)
      hosts.set(place.address, hosts.get(place.address) === true || container.is_on_host_network)
  }
  return {
    at: (host, port) => index.get(`${host} ${port}`) ?? index.get(host) ?? null,
    behind: (address, port) => behind.get(`${address} ${port}`) ?? null,
    isHost: (address) => hosts.has(address),
    mayServeItself: (address) => hosts.get(address) === true,
  }
}

/**
 * Guests and clients by address and by name. A cluster knows better than the network whether a guest runs: a controller
 * shows the client of one that was just stopped for some minutes more.
 */
export function holderIndex(
  guests: readonly PlacedGuest[],
  hosts: readonly PlacedLanHost[],
): ReadonlyMap<string, Holder> {
  const index: Index = new Map()
  const stopped = new Set<string>()
  for (const { at, guest } of guests) {
    const { name, state, addresses, macs } = guest
    const is_alive = state !== 'stopped' && state !== 'suspended'
    const holder = { is_alive, held_by: { source: 'proxmox', at, name } } as const
    for (const key of [...addresses, name.toLowerCase()]) note(index, key, holder)
    if (!is_alive) for (const mac of macs) stopped.add(mac)
  }
  for (const { at, host } of hosts) {
    const { mac, name, hostname, address, online } = host
    if (stopped.has(mac)) continue
    const holder = { is_alive: online, held_by: { source: 'unifi', at, name } } as const
    for (const key of [address, hostname, name]) if (key !== null) note(index, key.toLowerCase(), holder)
  }
  return index
}

/** Of several that do not answer, the first: sources that know more come first. */
function note(index: Index, key: string, holder: Holder): void {
  const before = index.get(key)
  if (before === undefined || (holder.is_alive && !before.is_alive)) index.set(key, holder)
}
