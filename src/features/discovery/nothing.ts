/**
 * Domains that point at nothing, and who it is that does not answer. Pure. Only what the sources can tell is judged: an
 * address of theirs, or a name without a dot, which only a neighbour can have. Everything else is left open, and while a
 * source is unknown nothing is said at all.
 */
import { isIP } from 'node:net'
import { inNetworks } from '../../model/network/public-address.ts'
import type { PlacedGuest } from './guests.ts'
import type { Pointing } from './model/match.ts'
import type { PlacedContainer, PlacedLanHost } from './placed.ts'
import { containerIndex, type Holder, holderIndex } from './holders.ts'
import type { HeldBy, PointsAtNothing } from './views.ts'

export interface PointingReport {
  readonly points_at_nothing: readonly PointsAtNothing[]
  /** How many domains point where no source can tell. */
  readonly not_judged: number
}

export interface Seen {
  /** Null where no container host is configured. */
  readonly containers: readonly PlacedContainer[] | null
  /** Null where no cluster is configured. */
  readonly guests: readonly PlacedGuest[] | null
  /** False: there may be guests that are not on the list. */
  readonly are_guests_all: boolean
  /** Null where no controller is configured. */
  readonly hosts: readonly PlacedLanHost[] | null
  /** Of all sites, in CIDR form. */
  readonly networks: readonly string[]
}

type PointingResult =
  | { readonly reason: PointsAtNothing['reason']; readonly held_by: HeldBy | null }
  | 'something'
  | null

export function evaluatePointing(domains: readonly Pointing[], seen: Seen): PointingReport {
  const resultAt = resultsOf(seen)
  const nothing: PointsAtNothing[] = []
  let not_judged = 0
  for (const { id, domain, status, backend_host, backend_port } of domains) {
    if (backend_host === null || status === 'disabled') continue
    const said = resultAt(backend_host.toLowerCase(), backend_port)
    if (said === null) not_judged++
    else if (said !== 'something')
      nothing.push({ domain_id: id, domain, status, backend_host, backend_port, ...said })
  }
  return { points_at_nothing: nothing, not_judged }
}

/** What is known of one place. Everything is indexed before, so a lookup costs the same however much there is. */
function resultsOf(seen: Seen): (host: string, port: number | null) => PointingResult {
  const docker = seen.containers === null ? null : containerIndex(seen.containers)
  const holders = holderIndex(seen.guests ?? [], seen.hosts ?? [])
  const isOurs = inNetworks(seen.networks)
  const mayHaveName = docker !== null && seen.are_guests_all
  return (host, port) => {
    const container = docker?.at(host, port) ?? null
    const holder = holders.get(host) ?? null
    if (container?.is_alive === true) return 'something'
    if (holder?.is_alive === true) {
      if (docker?.isHost(host) !== true || docker.mayServeItself(host)) return 'something'
      // Beside its containers a host has programs of its own, and nobody tells of their ports.
      const unpublished = docker.behind(host, port)
      return unpublished === null ? null : { reason: 'port_not_published', held_by: unpublished.held_by }
    }
    const dead = container ?? holder
    if (dead !== null) return { reason: reasonOf(dead), held_by: dead.held_by }
    if (isIP(host) !== 0)
      return seen.hosts !== null && isOurs(host) ? { reason: 'no_such_address', held_by: null } : null
    const is_open = host.includes('.') || host === 'localhost' || !mayHaveName
    return is_open ? null : { reason: 'no_such_container', held_by: null }
  }
}

const reasonOf = ({ held_by: { source } }: Holder): PointsAtNothing['reason'] =>
  source === 'unifi' ? 'offline' : 'not_running'
