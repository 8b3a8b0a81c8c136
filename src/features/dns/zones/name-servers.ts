/**
 * Which servers are authoritative for a zone: those of the settings, or those to which the parent delegates.
 *
 * The parent is asked itself, because the resolver of a network with split DNS would name its own servers. What was found
 * is kept as long as its TTL says.
 */
import { Cached } from '../../../kernel/async/cached.ts'
import type { Clock, Milliseconds } from '../../../kernel/clock.ts'
import { canonicalAddress } from '../../../model/network/address.ts'
import type { DnsLookup, DnsLookupType, DnsRecord, DnsServer } from '../lookup/port.ts'
import { askResolvers } from '../integrity/ask-resolvers.ts'

export interface NameServer {
  /** As the delegation or the setting names it. */
  readonly host: string
  readonly server: DnsServer
}

export type ZoneServers =
  | { readonly ok: true; readonly servers: readonly NameServer[]; readonly ttl_s: number }
  | { readonly ok: false; readonly detail: string }

export interface NameServerParts {
  readonly lookup: DnsLookup
  readonly clock: Clock
  /** Asked for every zone instead of what the parent says; empty for none. */
  readonly authoritative: readonly { readonly host: string; readonly port: number }[]
  /** The resolvers that help to find name servers. Asked anew each time. */
  readonly resolvers: () => Promise<readonly DnsServer[]>
  /** Where authoritative servers listen that a delegation names; 53 when left out. */
  readonly authoritative_port?: number
}

const MIN_MS: Milliseconds = 60_000
const MAX_MS: Milliseconds = 3_600_000
const AFTER_FAILURE_MS: Milliseconds = 10_000
/** Of the parent's servers. Any one is good. */
const MAX_PARENTS_ASKED = 3
const MAX_HOSTS = 16

export class NameServers {
  readonly #parts: NameServerParts
  readonly #kept = new Map<string, Cached<ZoneServers, AbortSignal>>()

  constructor(parts: NameServerParts) {
    this.#parts = parts
  }

  /** Callers at the same time share one search, which ends by the signal of the first. */
  of(zone: string, signal: AbortSignal): Promise<ZoneServers> {
    const key = this.#parts.authoritative.length > 0 ? '' : zone
    const { clock } = this.#parts
    const ask = (ends: AbortSignal) => this.#find(zone, ends)
    const kept = this.#kept.get(key) ?? new Cached({ clock, ask, keepFor: keptFor })
    this.#kept.set(key, kept)
    return kept.get(signal)
  }

  async #find(zone: string, signal: AbortSignal): Promise<ZoneServers> {
    const resolvers = await this.#parts.resolvers()
    const search = new Search(this.#parts, resolvers, signal)
    return this.#parts.authoritative.length > 0 ? search.configured() : search.delegated(zone)
  }
}

const keptFor = (found: ZoneServers): Milliseconds =>
  found.ok ? Math.min(Math.max(found.ttl_s * 1000, MIN_MS), MAX_MS) : AFTER_FAILURE_MS

class Search {
  readonly #parts: NameServerParts
  readonly #resolvers: readonly DnsServer[]
  readonly #signal: AbortSignal

  constructor(parts: NameServerParts, resolvers: readonly DnsServer[], signal: AbortSignal) {
    this.#parts = parts
    this.#resolvers = resolvers
    this.#signal = signal
  }

  async configured(): Promise<ZoneServers> {
    const servers: NameServer[] = []
    for (const { host, port } of this.#parts.authoritative) {
      const addresses = await this.#addresses(host, [])
      if (addresses.length === 0)
        return { ok: false, detail: `no address is known for ${host} (PLUMBLINE_DNS_AUTHORITATIVE)` }
      servers.push(...addresses.map((address) => ({ host, server: { address, port } })))
    }
    return { ok: true, servers, ttl_s: MIN_MS / 1000 }
  }

  async delegated(zone: string): Promise<ZoneServers> {
    const referral = (await this.#atParent(zone)) ?? (await this.#atResolvers(zone))
    if (referral.length === 0)
      return {
        ok: false,
        detail: `no name servers are found for ${zone}. Name them in PLUMBLINE_DNS_AUTHORITATIVE if it is not delegated`,
      }
    const servers = await this.#serversOf(referral, zone)
    if (servers.length === 0)
      return { ok: false, detail: `no address is known for the name servers of ${zone}` }
    return { ok: true, servers, ttl_s: Math.min(...nsOf(referral, zone).map(({ ttl }) => ttl)) }
  }

  /** The NS records with their glue; empty when the parent knows no such zone; null when no parent could be asked. */
  async #atParent(zone: string): Promise<readonly DnsRecord[] | null> {
    for (const parent of parentsOf(zone)) {
      const named = await this.#resolve(parent, 'NS')
      if (nsOf(named, parent).length === 0) continue
      const servers = await this.#serversOf(named, parent, MAX_PARENTS_ASKED)
      for (const { server } of servers.slice(0, MAX_PARENTS_ASKED)) {
        const question = { server, name: zone, type: 'NS' as const, recursion: false, signal: this.#signal }
        const reply = await this.#parts.lookup.ask(question)
        if (!reply.ok || !['NOERROR', 'NXDOMAIN'].includes(reply.rcode)) continue
        const records = [...reply.answers, ...reply.authority, ...reply.additional]
        if (nsOf(records, zone).length > 0) return records
        if (reply.authoritative) return []
      }
      return null
    }
    return null
  }

  async #atResolvers(zone: string): Promise<readonly DnsRecord[]> {
    const records = await this.#resolve(zone, 'NS')
    return nsOf(records, zone).length > 0 ? records : []
  }

  async #serversOf(
    records: readonly DnsRecord[],
    zone: string,
    enough = Infinity,
  ): Promise<readonly NameServer[]> {
    const port = this.#parts.authoritative_port ?? DNS_PORT
    const hosts = [...new Set(nsOf(records, zone).map(({ value }) => value))].sort().slice(0, MAX_HOSTS)
    const servers: NameServer[] = []
    for (const host of hosts) {
      if (servers.length >= enough) break
      const addresses = await this.#addresses(host, records)
      servers.push(...addresses.map((address) => ({ host, server: { address, port } })))
    }
    return servers
  }

  /** From the glue beside a referral, else from the resolvers. */
  async #addresses(host: string, glue: readonly DnsRecord[]): Promise<readonly string[]> {
    const literal = canonicalAddress(host)
    if (literal !== null) return [literal]
    const given = addressesIn(glue.filter(({ name }) => name === host))
    if (given.length > 0) return given
    const found = await Promise.all([this.#resolve(host, 'A'), this.#resolve(host, 'AAAA')])
    return addressesIn(found.flat())
  }

  async #resolve(name: string, type: DnsLookupType): Promise<readonly DnsRecord[]> {
    const { lookup } = this.#parts
    const reply = await askResolvers(lookup, this.#resolvers, { name, type, signal: this.#signal })
    return reply === null ? [] : [...reply.answers, ...reply.additional]
  }
}

const DNS_PORT = 53

function* parentsOf(zone: string): Generator<string> {
  for (let dot = zone.indexOf('.'); dot !== -1; dot = zone.indexOf('.', dot + 1)) yield zone.slice(dot + 1)
  yield ''
}

const nsOf = (records: readonly DnsRecord[], zone: string): DnsRecord[] =>
  records.filter(({ name, type }) => type === 'NS' && name === zone)

const addressesIn = (records: readonly DnsRecord[]): string[] => [
  ...new Set(records.flatMap(({ type, value }) => (type === 'A' || type === 'AAAA' ? [value] : []))),
]
