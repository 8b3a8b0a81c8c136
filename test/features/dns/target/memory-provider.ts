/**
 * A DNS provider in memory that holds its callers to the contract of `ports/dns-provider.ts`: a change that the contract
 * forbids throws an error that no caller expects. It can be told to misbehave in every way that the contract allows.
 */
import { Failure } from '../../../../src/kernel/failure.ts'
import { type DnsZone, isInZone, type ListedRrset, rrsetKey } from '../../../../src/model/network/dns.ts'
import type {
  ChangeOutcome,
  DnsProvider,
  DnsTraits,
  RrsetChange,
} from '../../../../src/features/dns/providers/port.ts'
import { PROFILES, type ProfileName } from './profiles.ts'

export type Fault =
  | 'unavailable'
  | 'busy'
  | 'credentials'
  | 'refused'
  | 'applied_then_unavailable'
  | 'applied_then_aborted'
  /** Some of the sets are applied, then the connection breaks. */
  | 'half_then_unavailable'
  /** Some of the sets are applied, the others are told to have failed. */
  | 'half_told'
  /** A listing from an earlier time. */
  | 'stale'
  /** A change is told as done, and nothing is done. */
  | 'promised'

export type Verb = 'zones' | 'stamp' | 'list' | 'change'

export class MemoryProvider implements DnsProvider {
  readonly account = 'default'
  readonly kind: string
  readonly traits: DnsTraits
  readonly calls: Record<Verb, number> = { zones: 0, stamp: 0, list: 0, change: 0 }
  /** Sets of type A and AAAA that were taken away, or replaced by nothing. */
  readonly deleted: string[] = []
  /** Asked before every call. */
  fault: (verb: Verb) => Fault | null = () => null
  /** Names whose sets the provider never takes. */
  readonly refuses = new Set<string>()
  /** Names at whose sets the provider's server fails. */
  readonly fails_at = new Set<string>()
  /** Called when a call is to end by an abort. */
  abort: () => void = () => undefined
  readonly #zone: string
  readonly #has_ids: boolean
  #sets = new Map<string, ListedRrset>()
  #stale: ReadonlyMap<string, ListedRrset> | null = null
  #serial = 1
  #next_id = 1
  #in_flight = 0
  #exists = true

  constructor(profile: ProfileName, zone = 'example.com', { exists = true } = {}) {
    const { has_ids, ...traits } = PROFILES[profile]
    this.kind = profile
    this.traits = traits
    this.#has_ids = has_ids
    this.#zone = zone
    this.#exists = exists
  }

  async zones(signal: AbortSignal): Promise<DnsZone[]> {
    this.#enter('zones', signal)
    return this.#exists ? [zoneOf(this.#zone)] : []
  }

  async makeZone(zone: string, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted()
    if (zone !== this.#zone || this.#exists) throw new Error('this zone is not to be made')
    this.#exists = true
  }

  async stamp(zone: string, signal: AbortSignal): Promise<string | null> {
    this.#enter('stamp', signal)
    this.#mustHave(zone)
    return this.traits.has_stamp ? `${this.#serial}` : null
  }

  async list(zone: string, signal: AbortSignal): Promise<ListedRrset[]> {
    const fault = this.#enter('list', signal)
    this.#mustHave(zone)
    const sets = fault === 'stale' && this.#stale !== null ? this.#stale : this.#sets
    return structuredClone([...sets.values()])
  }

  async change(zone: string, changes: readonly RrsetChange[], signal: AbortSignal): Promise<ChangeOutcome[]> {
    if (this.#in_flight > 0) throw new Error('two writes in flight for one zone')
    this.#in_flight++
    try {
      await Promise.resolve()
      const fault = this.#enter('change', signal)
      this.#mustHave(zone)
      this.#checkAll(changes)
      return this.#carryOut(changes, fault, signal)
    } finally {
      this.#in_flight--
    }
  }

  /** The world as it is, for assertions. */
  now(): ReadonlyMap<string, ListedRrset> {
    return new Map(this.#sets)
  }

  /** What a stranger does: puts a set there, or with no values takes it away. */
  stranger(
    set: Partial<ListedRrset> & Pick<ListedRrset, 'name' | 'type' | 'values'>,
    { past_the_serial = false } = {},
  ): void {
    const key = rrsetKey(set)
    this.#stale = null
    if (!past_the_serial) this.#serial++
    if (set.values.length === 0) return void this.#sets.delete(key)
    const usual = { ttl: 3600, comment: null, proxied: this.traits.has_proxy ? false : null }
    this.#sets.set(key, { ...usual, ...set, ids: set.values.map(() => this.#id()) })
  }

  /** The zone is taken away, as by a mount that is not there, and what stood in it is not to be seen. */
  lose(): void {
    this.#exists = false
  }

  #enter(verb: Verb, signal: AbortSignal): Fault | null {
    signal.throwIfAborted()
    this.calls[verb]++
    const fault = this.fault(verb)
    if (fault === 'unavailable')
      throw new Failure('component_unavailable', 'memory: the provider is not there.')
    if (fault === 'busy')
      throw new Failure('provider_busy', 'memory: the provider asks to wait.', { retry_after_ms: 7000 })
    if (fault === 'credentials') throw new Failure('provider_credentials', 'memory: the token is refused.')
    if (fault === 'refused' && verb !== 'change')
      throw new Failure('provider_refused', 'memory: the call is refused.')
    return fault
  }

  #mustHave(zone: string): void {
    if (zone !== this.#zone || !this.#exists)
      throw new Failure('provider_refused', `memory: there is no zone ${zone}.`)
  }

  #carryOut(changes: readonly RrsetChange[], fault: Fault | null, signal: AbortSignal): ChangeOutcome[] {
    if (fault === 'refused') throw new Failure('provider_refused', 'memory: the batch is refused.')
    if (fault === 'promised') return changes.map(() => ({ ok: true, ids: [] }))
    const half = (fault === 'half_then_unavailable' || fault === 'half_told') && !this.traits.atomic
    const before = new Map(this.#sets)
    const outcomes = changes.map((change, i) =>
      half && i % 2 === this.#serial % 2 ? refusedOutcome('not this one') : this.#one(change, changes),
    )
    if (
      this.traits.atomic &&
      outcomes.some((outcome) => !outcome.ok && outcome.code === 'provider_refused')
    ) {
      this.#sets = before
      throw new Failure('provider_refused', `memory: ${JSON.stringify(outcomes.find(({ ok }) => !ok))}`)
    }
    if (outcomes.some((outcome) => !outcome.ok && outcome.server_failed !== undefined)) {
      if (this.traits.atomic) this.#sets = before
      if (this.traits.atomic || outcomes.every(({ ok }) => !ok)) throw serverFailure()
    }
    this.#noteChange(before)
    if (fault === 'applied_then_aborted') {
      this.abort()
      signal.throwIfAborted()
    }
    if (fault === 'applied_then_unavailable' || fault === 'half_then_unavailable')
      throw new Failure('component_unavailable', 'memory: the connection broke.')
    return outcomes
  }

  #noteChange(before: ReadonlyMap<string, ListedRrset>): void {
    this.#stale = before
    this.#serial++
    for (const [key, { type }] of before)
      if ((type === 'A' || type === 'AAAA') && !this.#sets.has(key)) this.deleted.push(key)
  }

  #one(change: RrsetChange, all: readonly RrsetChange[]): ChangeOutcome {
    const { name, type, wanted, seen } = change
    const key = rrsetKey(change)
    if (this.refuses.has(name)) return refusedOutcome(`${name} is not to our taste`)
    if (this.fails_at.has(name) || this.fails_at.has('*')) return failedOutcome
    const there = this.#sets.get(key)
    if (wanted === null) return this.#remove(key, seen)
    const goes = all.some((other) => other.wanted === null && other.name === name && other.type === 'CNAME')
    if (type !== 'CNAME' && !goes && this.#sets.has(rrsetKey({ name, type: 'CNAME' })))
      return refusedOutcome(`${name} is an alias`)
    const kept = this.#has_ids ? this.#unseen(there, seen) : []
    if (kept.some((value) => wanted.values.includes(value))) return refusedOutcome('an identical record')
    const values = [...kept, ...wanted.values].sort()
    const ids = values.map(() => this.#id())
    this.#sets.set(key, { name, type, ...wanted, values, ids })
    return { ok: true, ids }
  }

  /** Where single records are known, those that were not listed stay. */
  #unseen(there: ListedRrset | undefined, seen: ListedRrset | null): string[] {
    if (there === undefined) return []
    return there.values.filter((_, i) => seen === null || !seen.ids.includes(there.ids[i]!))
  }

  #remove(key: string, seen: ListedRrset | null): ChangeOutcome {
    const there = this.#sets.get(key)
    if (this.#has_ids && there !== undefined && !there.ids.every((id) => seen!.ids.includes(id)))
      return refusedOutcome('no such record')
    this.#sets.delete(key)
    return { ok: true, ids: [] }
  }

  #id(): string {
    return this.#has_ids ? `id${this.#next_id++}` : ''
  }

  #checkAll(changes: readonly RrsetChange[]): void {
    const { batch_most } = this.traits
    must(changes.length > 0 && changes.length <= batch_most, `${changes.length} changes of ${batch_most}`)
    must(new Set(changes.map(rrsetKey)).size === changes.length, 'one set twice in a batch')
    for (const change of changes) this.#check(change)
  }

  #check({ name, type, wanted, seen }: RrsetChange): void {
    const { ttl, comment_most, has_proxy } = this.traits
    must(isInZone(name, this.#zone) && name === name.toLowerCase() && name.length <= 253, `name ${name}`)
    must(seen === null || (seen.name === name && seen.type === type), 'seen is another set')
    must(wanted !== null || seen !== null, `${name}: nothing is taken away from nothing`)
    if (wanted === null) return
    must(wanted.values.length > 0 && isSortedSet(wanted.values), `values ${wanted.values.join()}`)
    must((wanted.proxied === null) === !has_proxy, `proxied ${wanted.proxied}`)
    must(wanted.ttl === null ? ttl.automatic : isWithin(wanted.ttl, ttl), `ttl ${wanted.ttl}`)
    must(wanted.proxied !== true || wanted.ttl === null, 'a TTL behind the proxy')
    must(
      wanted.comment === null || wanted.comment.length <= (comment_most ?? -1),
      `comment ${wanted.comment}`,
    )
  }
}

function must(holds: boolean, what: string): void {
  if (!holds) throw new Error(`the contract forbids: ${what}`)
}

const isWithin = (ttl: number, { least, most }: DnsTraits['ttl']): boolean => ttl >= least && ttl <= most

const isSortedSet = (values: readonly string[]): boolean =>
  values.every((value, i) => i === 0 || values[i - 1]! < value)

const refusedOutcome = (message: string): ChangeOutcome => ({ ok: false, code: 'provider_refused', message })

const FAILED = 'memory: the server failed.'
const serverFailure = () => new Failure('component_unavailable', FAILED, { facts: { server_failed: true } })
const failedOutcome: ChangeOutcome = {
  ok: false,
  code: 'component_unavailable',
  message: FAILED,
  server_failed: 'at_this_set',
}

export const zoneOf = (name: string, over: Partial<DnsZone> = {}): DnsZone => ({
  name,
  account: 'default',
  writable: true,
  detail: null,
  ...over,
})
