/** What resolvers show of a set. A difference may be split DNS on purpose, so it is told and judged by nobody. */
import type { Clock, Instant } from '../../../kernel/clock.ts'
import type { DnsLookup, DnsReply, DnsServer } from '../lookup/port.ts'
import { agrees, type ManagedSet } from '../records/managed-set.ts'

export interface ObservedResolver {
  readonly server: DnsServer
  /** Distinct and sorted; null when the resolver did not answer. */
  readonly values: readonly string[] | null
  readonly agrees: boolean | null
  /** `split_horizon`: it answers something else. `kept`: a negative answer is not over yet, so it was not asked again. */
  readonly note: 'split_horizon' | 'kept' | null
  readonly detail: string | null
}

export interface GlanceParts {
  readonly lookup: DnsLookup
  readonly clock: Clock
  readonly resolvers: () => Promise<readonly DnsServer[]>
}

/** RFC 2308 §5: longer than three hours nobody keeps that a name is not there. */
const MAX_NEGATIVE_S = 10_800
/** Answers "not there" that are remembered at most. */
const MAX_KEPT = 10_000

export class ResolverGlances {
  readonly #parts: GlanceParts
  readonly #negative_until = new Map<string, Instant>()

  constructor(parts: GlanceParts) {
    this.#parts = parts
  }

  async look(set: ManagedSet, signal: AbortSignal): Promise<readonly ObservedResolver[]> {
    const resolvers = await this.#parts.resolvers()
    return Promise.all(resolvers.map((server) => this.#lookAt(server, set, signal)))
  }

  async #lookAt(server: DnsServer, set: ManagedSet, signal: AbortSignal): Promise<ObservedResolver> {
    const { name, type } = set
    const key = `${server.address} ${server.port} ${name} ${type}`
    if (this.#parts.clock.elapsed() < (this.#negative_until.get(key) ?? 0))
      return { server, values: [], agrees: false, note: 'kept', detail: null }
    const reply = await this.#parts.lookup.ask({ server, name, type, recursion: true, signal })
    if (!reply.ok) return { server, values: null, agrees: null, note: null, detail: reply.detail }
    if (reply.rcode !== 'NOERROR' && reply.rcode !== 'NXDOMAIN')
      return { server, values: null, agrees: null, note: null, detail: `answered ${reply.rcode}` }
    const found = reply.answers.filter((record) => record.type === type)
    const values = [...new Set(found.map(({ value }) => value))].sort()
    this.#remember(key, values.length === 0 ? negativeTtl(reply) : 0)
    const is_same = agrees(set, values)
    return { server, values, agrees: is_same, note: is_same ? null : 'split_horizon', detail: null }
  }

  #remember(key: string, ttl_s: number): void {
    this.#negative_until.delete(key)
    if (ttl_s === 0) return
    if (this.#negative_until.size >= MAX_KEPT) this.#negative_until.clear()
    this.#negative_until.set(key, this.#parts.clock.elapsed() + ttl_s * 1000)
  }
}

function negativeTtl({ authority }: Extract<DnsReply, { ok: true }>): number {
  const soa = authority.find(({ type }) => type === 'SOA')
  return soa === undefined ? 0 : Math.min(soa.ttl, Number(soa.value), MAX_NEGATIVE_S)
}
