/** What one authoritative server shows of a name, aliases followed to their end. */
import { isInZone, type ManagedType } from '../../../model/network/dns.ts'
import { hostPort } from '../../../model/network/address.ts'
import type { DnsLookup, DnsRecord, DnsServer } from '../lookup/port.ts'
import { askResolvers } from './ask-resolvers.ts'
import type { NameServer, NameServers } from '../zones/name-servers.ts'

export type ServerObservation =
  | {
      readonly kind: 'seen'
      /** Distinct and sorted; empty when there is no such record. */
      readonly values: readonly string[]
      /** The names that aliases lead through. */
      readonly via: readonly string[]
      /** What is odd about it, else null. */
      readonly note: string | null
    }
  /** `skipped`: this host has no way there, which says nothing about the server. */
  | { readonly kind: 'failed' | 'skipped'; readonly detail: string }

export interface ObservationParts {
  readonly lookup: DnsLookup
  readonly name_servers: NameServers
  readonly resolvers: () => Promise<readonly DnsServer[]>
}

export interface Sought {
  readonly zone: string
  readonly name: string
  readonly type: ManagedType
  readonly signal: AbortSignal
}

const MAX_ALIASES = 8

export function lookAtServer(
  parts: ObservationParts,
  server: NameServer,
  sought: Sought,
): Promise<ServerObservation> {
  return new Walk(parts, sought).from({ server, zone: sought.zone, name: sought.name, via: [] })
}

/** Where a walk along aliases stands. */
interface Step {
  readonly server: NameServer
  readonly zone: string
  readonly name: string
  readonly via: readonly string[]
}

/** `ns1.example.org (192.0.2.1:53)` */
function called({ host, server }: NameServer): string {
  const place = hostPort(server.address, server.port)
  return host === server.address ? place : `${host} (${place})`
}

class Walk {
  readonly #parts: ObservationParts
  readonly #sought: Sought

  constructor(parts: ObservationParts, sought: Sought) {
    this.#parts = parts
    this.#sought = sought
  }

  /** Ends: every further step has one alias more behind it. */
  async from(step: Step): Promise<ServerObservation> {
    const records = await this.#ask(step)
    if ('kind' in records) return records
    const via = this.#along(step, records)
    if (via === null) return seen([], step.via, 'the aliases lead in a circle or are too many')
    const name = via.length > step.via.length ? via.at(-1)! : step.name
    const found = records.filter((record) => record.name === name && record.type === this.#sought.type)
    const values = found.map(({ value }) => value)
    if (values.length > 0 || name === step.name) return seen(values, via)
    return isInZone(name, step.zone) ? this.from({ ...step, name, via }) : this.#elsewhere(name, via)
  }

  async #ask({
    server,
    name,
  }: Step): Promise<readonly DnsRecord[] | Exclude<ServerObservation, { kind: 'seen' }>> {
    const { type, signal } = this.#sought
    const reply = await this.#parts.lookup.ask({
      server: server.server,
      name,
      type,
      recursion: false,
      signal,
    })
    const failed = (detail: string) => ({ kind: 'failed' as const, detail: `${called(server)} ${detail}` })
    if (!reply.ok)
      return reply.reason === 'no_route' ? { kind: 'skipped', detail: reply.detail } : failed(reply.detail)
    if (reply.rcode !== 'NOERROR' && reply.rcode !== 'NXDOMAIN') return failed(`answered ${reply.rcode}`)
    return reply.authoritative ? reply.answers : failed(lameness(reply.authority, name))
  }

  /** The aliases so far with those of this answer; null for a circle and for more than are followed. */
  #along({ name, via }: Step, records: readonly DnsRecord[]): readonly string[] | null {
    const along = [...via]
    for (let at = name; ; at = along.at(-1)!) {
      const alias = records.find((record) => record.name === at && record.type === 'CNAME')
      if (alias === undefined) return along
      const is_known = alias.value === this.#sought.name || along.includes(alias.value)
      if (is_known || along.length === MAX_ALIASES) return null
      along.push(alias.value)
    }
  }

  /** The alias leads into another zone: of that zone's servers the first that answers is believed. */
  async #elsewhere(name: string, via: readonly string[]): Promise<ServerObservation> {
    const zone = await this.#zoneOf(name)
    const found = zone === null ? null : await this.#parts.name_servers.of(zone, this.#sought.signal)
    if (zone === null || !found?.ok)
      return { kind: 'failed', detail: `the name servers for the alias ${name} are not found` }
    const faults: string[] = []
    for (const server of found.servers) {
      const observation = await this.from({ server, zone, name, via })
      if (observation.kind === 'seen') return observation
      faults.push(observation.detail)
    }
    return { kind: 'failed', detail: faults.join('; ') }
  }

  /** The SOA in an answer or beside it stands at the zone's apex (RFC 2308 §3). */
  async #zoneOf(name: string): Promise<string | null> {
    const { lookup, resolvers } = this.#parts
    const { signal } = this.#sought
    const reply = await askResolvers(lookup, await resolvers(), { name, type: 'SOA', signal })
    const records = reply === null ? [] : [...reply.answers, ...reply.authority]
    return records.find((record) => record.type === 'SOA' && isInZone(name, record.name))?.name ?? null
  }
}

const seen = (
  values: readonly string[],
  via: readonly string[],
  note: string | null = null,
): ServerObservation => ({
  kind: 'seen',
  values: [...new Set(values)].sort(),
  via,
  note,
})

function lameness(authority: readonly DnsRecord[], name: string): string {
  const cut = authority.find((record) => record.type === 'NS' && isInZone(name, record.name))
  return cut === undefined
    ? `does not serve the zone of ${name}`
    : `does not serve ${name}: it refers to the servers of ${cut.name}`
}
