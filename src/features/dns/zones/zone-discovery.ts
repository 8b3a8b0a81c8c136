/**
 * Which zones the accounts have. Read from the store at start, asked of the providers then and every ten minutes, and
 * once more when somebody deploys a name that has no zone yet.
 *
 * An account that does not answer keeps the zones that it last showed: a failed listing says nothing of them.
 */
import type { Clock, Instant, Milliseconds } from '../../../kernel/clock.ts'
import { Failure } from '../../../kernel/failure.ts'
import type { Log } from '../../../kernel/log.ts'
import { Loop } from '../../../kernel/async/loop.ts'
import { SingleFlight } from '../../../kernel/async/single-flight.ts'
import type { DnsZone } from '../../../model/network/dns.ts'
import type { DnsProvider } from '../providers/port.ts'
import type { Store } from '../../../ports/store.ts'
import { dnsRecords } from '../records.ts'

const ASK_EVERY_MS: Milliseconds = 10 * 60_000
const ANSWER_WITHIN_MS: Milliseconds = 20_000
/** Nobody is served before an account was asked for the first time, so that wait is short. */
const FIRST_ANSWER_WITHIN_MS: Milliseconds = 5_000
/** Asking again sooner than this would tell nothing new. */
const FRESH_MS: Milliseconds = 5_000

export interface DiscoveryParts {
  readonly providers: readonly DnsProvider[]
  readonly store: Store
  readonly clock: Clock
  readonly log: Log
  /** Called with all zones whenever they may have changed. */
  readonly changed: (zones: readonly DnsZone[]) => Promise<void>
}

export interface AccountState {
  readonly account: string
  readonly provider: string
  /** Null until it was asked by this process. */
  readonly ok: boolean | null
  readonly detail: string | null
  /** When it last showed its zones. */
  readonly listed_at: Instant | null
}

export class ZoneDiscovery {
  readonly #parts: DiscoveryParts
  readonly #accounts = new Map<string, AccountState>()
  #zones: ReadonlyMap<string, readonly DnsZone[]> = new Map()
  readonly #asking = new SingleFlight(() => this.#askAll())
  readonly #rechecks = new Map<string, Promise<void>>()
  readonly #loop: Loop

  constructor(parts: DiscoveryParts) {
    this.#parts = parts
    this.#loop = new Loop({
      clock: parts.clock,
      round: async () => {
        await this.refresh()
        return ASK_EVERY_MS
      },
      failed: (error) => {
        parts.log.warn('zones not read', { error })
        return ASK_EVERY_MS
      },
    })
    for (const { account, kind } of parts.providers)
      this.#accounts.set(account, { account, provider: kind, ok: null, detail: null, listed_at: null })
  }

  /** In the order of the accounts, each account's by name. */
  zones(): readonly DnsZone[] {
    return this.#parts.providers.flatMap(({ account }) => this.#zones.get(account) ?? [])
  }

  accounts(): readonly AccountState[] {
    return [...this.#accounts.values()]
  }

  /** What an earlier process knew; an account that is new is asked at once. */
  async prepare(): Promise<void> {
    const stored = Map.groupBy(await this.#parts.store.of(dnsRecords).dnsZones(), ({ account }) => account)
    this.#zones = new Map([...stored].filter(([account]) => this.#accounts.has(account)))
    const unknown = this.#parts.providers.filter(({ account }) => !this.#zones.has(account))
    if (unknown.length > 0) await this.#ask(unknown, AbortSignal.timeout(FIRST_ANSWER_WITHIN_MS))
    await this.#parts.changed(this.zones())
  }

  start(): void {
    this.#loop.start()
  }

  /** Resolves when nothing runs any more. */
  async stop(): Promise<void> {
    await this.#loop.stop()
    await this.#asking.running
  }

  /** Asks all accounts, unless that was just done. Several callers share one asking; trouble is kept and never thrown. */
  async refresh(): Promise<void> {
    const now = this.#parts.clock.now()
    const is_fresh = this.accounts().every(
      ({ ok, listed_at }) => ok === true && listed_at !== null && now - listed_at < FRESH_MS,
    )
    if (is_fresh) return
    await this.#asking.join()
  }

  /** Asks one account, and no more than once at a time; trouble is kept and never thrown. */
  async recheck(account: string): Promise<void> {
    const provider = this.#parts.providers.find((one) => one.account === account)
    if (provider === undefined) return
    const asking = this.#rechecks.get(account) ?? this.#recheck(provider)
    this.#rechecks.set(account, asking)
    await asking.finally(() => this.#rechecks.delete(account))
  }

  async #recheck(provider: DnsProvider): Promise<void> {
    const { account } = provider
    const before = { zones: this.#zones, ok: this.#accounts.get(account)!.ok }
    await this.#ask([provider], AbortSignal.any(this.#ends()))
    // Whether a zone may be made depends on who answers, too.
    if (this.#zones !== before.zones || this.#accounts.get(account)!.ok !== before.ok)
      await this.#parts.changed(this.zones())
  }

  #ends(): AbortSignal[] {
    const ends = [AbortSignal.timeout(ANSWER_WITHIN_MS)]
    if (this.#loop.signal !== null) ends.push(this.#loop.signal)
    return ends
  }

  async #askAll(): Promise<void> {
    await this.#ask(this.#parts.providers, AbortSignal.any(this.#ends()))
    await this.#parts.changed(this.zones())
  }

  async #ask(providers: readonly DnsProvider[], signal: AbortSignal): Promise<void> {
    await Promise.all(providers.map((provider) => this.#askOne(provider, signal)))
  }

  async #askOne(provider: DnsProvider, signal: AbortSignal): Promise<void> {
    const { store, clock, log } = this.#parts
    const { account } = provider
    const before = this.#accounts.get(account)!
    try {
      const zones = await provider.zones(signal)
      const at = clock.now()
      // The same zones as before are no change: nobody has to be told, nor anything to be written.
      if (JSON.stringify(zones) !== JSON.stringify(this.#zones.get(account))) {
        await store.write((tx) => tx.of(dnsRecords).saveDnsZones(account, zones, at))
        this.#zones = new Map(this.#zones).set(account, zones)
      }
      if (before.ok === false) log.info('zones of an account are read again', { account })
      this.#accounts.set(account, { ...before, ok: true, detail: null, listed_at: at })
    } catch (error) {
      const detail = error instanceof Failure ? error.message : this.#wordsOf(error, account)
      this.#accounts.set(account, { ...before, ok: false, detail })
      // Its part of the health page tells how long it lasts.
      const level = before.ok === false && before.detail === detail ? 'debug' : 'warn'
      log[level]('zones of an account not read', { account, provider: before.provider, reason: detail })
    }
  }

  #wordsOf(error: unknown, account: string): string {
    if (error instanceof DOMException) return `${account} did not show its zones in time.`
    this.#parts.log.error('zones of an account not read', { account, error })
    return `${account}: its zones could not be read; the log has the reason.`
  }
}
