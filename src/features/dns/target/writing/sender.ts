/** Sends batches of changes to one zone and says of every item what became of it. One bad set never sinks the rest. */
import type { Milliseconds } from '../../../../kernel/clock.ts'
import { Failure, type FailureCode } from '../../../../kernel/failure.ts'
import { rrsetItem, rrsetKey } from '../../../../model/network/dns.ts'
import type { RefusedRepair } from '../../../../model/report.ts'
import {
  type ChangeOutcome,
  type DnsProvider,
  isServerFailure,
  MAX_FAILED_IN_A_ROW,
  type RrsetChange,
} from '../../providers/port.ts'
import { changeKey, distinct } from './batches.ts'
import type { TimeLeft } from './time-left.ts'

export interface Sendable {
  readonly changes: readonly RrsetChange[]
}

export type WriteOutcome =
  /** The provider's ids, by `rrsetKey`, where it told them. */
  | { readonly kind: 'done'; readonly ids: ReadonlyMap<string, readonly string[]> }
  /** Certainly nothing of it was applied. */
  | { readonly kind: 'refused'; readonly failure: RefusedRepair }
  /** It may have been applied, or in part. */
  | {
      readonly kind: 'unclear'
      readonly failure: RefusedRepair
      /** The provider took it, and no listing afterwards shows it. */
      readonly is_unseen?: true
      /** It was in a request that failed, and there was no time to try it again with fewer. */
      readonly is_untried?: true
    }
  /** Certainly nothing of it was applied: there was no time left to send it. */
  | { readonly kind: 'untried'; readonly failure: RefusedRepair }

/** The provider is in no state to go on: asking more would only make it worse. */
const ENDS: ReadonlySet<FailureCode> = new Set([
  'provider_busy',
  'component_unavailable',
  'provider_credentials',
])

/** Where only time ran out, the next pass begins soon. */
const UNTRIED_WAIT_MS: Milliseconds = 1_000
/** Longer than it takes until the others of the key are tried again. */
const UNDIVIDED_WAIT_MS: Milliseconds = 60_000

export interface SendTo {
  readonly provider: DnsProvider
  readonly zone: string
  readonly signal: AbortSignal
  /** True where other work of the zone came before: what was listed may be another by now. */
  readonly comes_later: boolean
  readonly time: TimeLeft
  /** Asked right before anything is sent late, or after the server failed: what is somebody else's by now, with what says so. */
  readonly takenSince: (items: readonly Sendable[]) => Promise<ReadonlyMap<Sendable, RefusedRepair>>
}

interface SetFailure {
  readonly failure: RefusedRepair
  /** The server failed at a request with others in it: sent again with fewer, it may go through. */
  readonly is_shared: boolean
}

export class Sender {
  readonly #provider: DnsProvider
  readonly #zone: string
  readonly #signal: AbortSignal
  readonly #time: TimeLeft
  readonly #comes_later: boolean
  readonly #takenSince: SendTo['takenSince']
  /** Changes that several items share are sent once. */
  readonly #applied = new Map<string, readonly string[]>()
  /** The server failed at a request that had them in it: nobody knows what it did. */
  readonly #unclear = new Set<string>()
  /** Single items at which the server failed, one after the other. */
  #failed_in_a_row = 0
  #server_failure: RefusedRepair | null = null
  /** Why nothing more is sent; null while it goes on. */
  ended: RefusedRepair | null = null

  constructor({ provider, zone, signal, time, comes_later, takenSince }: SendTo) {
    this.#time = time
    this.#comes_later = comes_later
    this.#provider = provider
    this.#zone = zone
    this.#signal = signal
    this.#takenSince = takenSince
  }

  /**
   * Outcomes in the order of the items. A batch that is refused as a whole, or at which the server fails, is halved down to
   * the item that is at fault; after the end of the work the rest is refused unsent. Where the server fails at several items
   * in a row nothing is halved any more, and when nothing of the rest goes through either, the work ends. Where the time is
   * short nothing is halved or sent any more, either. Throws what is no Failure, an abort above all.
   */
  async send(items: readonly Sendable[]): Promise<readonly WriteOutcome[]> {
    const outcomes = await this.#sendOwn(items)
    if (this.#isAtFaultItself()) this.ended ??= this.#server_failure
    return outcomes
  }

  /** What is sent late, or after the server failed, is asked for once more, and left where it is somebody else's by now. */
  async #sendOwn(items: readonly Sendable[]): Promise<readonly WriteOutcome[]> {
    if (this.ended !== null) return items.map((item) => this.#unsent(item, this.ended!))
    if (this.#time.isShort()) return items.map((item) => this.#untried(item))
    if (this.#server_failure === null && !this.#comes_later) return this.#send(items)
    let taken: ReadonlyMap<Sendable, RefusedRepair>
    try {
      taken = await this.#takenSince(items)
    } catch (error) {
      return this.#afterFailure(items, error)
    }
    const ours = items.filter((item) => !taken.has(item))
    const sent = ours.length === 0 ? [] : await this.#send(ours)
    const outcomes = new Map(ours.map((item, i) => [item, sent[i]!]))
    return items.map((item) => outcomes.get(item) ?? this.#unsent(item, taken.get(item)!))
  }

  async #send(items: readonly Sendable[]): Promise<readonly WriteOutcome[]> {
    let failures: ReadonlyMap<string, SetFailure>
    try {
      failures = await this.#sendAll(this.#fresh(items))
    } catch (error) {
      return this.#afterFailure(items, error)
    }
    return this.#withShared(items, failures)
  }

  async #afterFailure(items: readonly Sendable[], error: unknown): Promise<readonly WriteOutcome[]> {
    if (!(error instanceof Failure)) throw error
    const is_servers = isServerFailure(error)
    if (is_servers) this.#noteServerFailure(this.#fresh(items), refusalOf(error))
    if (items.length > 1 && this.#isHalved(error))
      return this.#time.isShort() ? this.#undivided(items, error) : this.#halves(items)
    if (is_servers) this.#failed_in_a_row++
    else if (ENDS.has(error.code)) this.ended = refusalOf(error)
    const failure = is_servers || error.code === 'provider_refused' ? named(items, error) : refusalOf(error)
    return items.map(() => this.#failed(items, failure))
  }

  #isHalved(failure: Failure): boolean {
    return failure.code === 'provider_refused' || (isServerFailure(failure) && !this.#isAtFaultItself())
  }

  #isAtFaultItself(): boolean {
    return this.#failed_in_a_row >= MAX_FAILED_IN_A_ROW
  }

  async #halves(items: readonly Sendable[]): Promise<readonly WriteOutcome[]> {
    const middle = Math.ceil(items.length / 2)
    const first = await this.#sendOwn(items.slice(0, middle))
    return [...first, ...(await this.#sendOwn(items.slice(middle)))]
  }

  /** The outcomes, after those items were sent again that were in a request with others at which the server failed. */
  async #withShared(
    items: readonly Sendable[],
    failures: ReadonlyMap<string, SetFailure>,
  ): Promise<readonly WriteOutcome[]> {
    const isShared = ({ changes }: Sendable) =>
      changes.some((change) => failures.get(changeKey(change))?.is_shared === true)
    const shared = items.filter(isShared)
    if (shared.length < 2 || this.#isAtFaultItself() || this.#time.isShort())
      return items.map((item) => this.#outcomeOf(item, failures))
    const again = await this.#halves(shared)
    const outcomes = new Map(shared.map((item, i) => [item, again[i]!]))
    return items.map((item) => outcomes.get(item) ?? this.#outcomeOf(item, failures))
  }

  #fresh(items: readonly Sendable[]): RrsetChange[] {
    return distinct(items.flatMap(({ changes }) => changes)).filter(
      (change) => !this.#applied.has(changeKey(change)),
    )
  }

  /** More than one request only where a single item does not fit into one. A failed change ends its item. */
  async #sendAll(changes: readonly RrsetChange[]): Promise<ReadonlyMap<string, SetFailure>> {
    const failures = new Map<string, SetFailure>()
    const most = this.#provider.traits.batch_most
    for (let from = 0; from < changes.length && failures.size === 0; from += most) {
      const slice = changes.slice(from, from + most)
      const outcomes = await this.#time.measured(() => this.#provider.change(this.#zone, slice, this.#signal))
      if (outcomes.length !== slice.length) throw this.#miscounted(slice, outcomes)
      slice.forEach((change, i) => this.#note(change, outcomes[i]!, failures))
    }
    return failures
  }

  #note(change: RrsetChange, outcome: ChangeOutcome, failures: Map<string, SetFailure>): void {
    const key = changeKey(change)
    if (outcome.ok) {
      this.#failed_in_a_row = 0
      return void this.#applied.set(key, outcome.ids)
    }
    const { code, message, server_failed } = outcome
    const failure = { code, message: `${rrsetItem(change)}: ${message}`, retry_after_ms: 0 }
    failures.set(key, { failure, is_shared: server_failed === 'at_its_request' })
    if (server_failed !== undefined) this.#noteServerFailure([change], { code, message, retry_after_ms: 0 })
    else if (ENDS.has(code)) this.ended ??= failure
    if (server_failed === 'at_this_set') this.#failed_in_a_row++
  }

  #outcomeOf(item: Sendable, failures: ReadonlyMap<string, SetFailure>): WriteOutcome {
    const keys = item.changes.map(changeKey)
    const failed = keys.map((key) => failures.get(key)).find((failure) => failure !== undefined)
    if (failed !== undefined) return this.#failed([item], failed.failure)
    const ids = item.changes.map(
      (change) => [rrsetKey(change), this.#applied.get(changeKey(change)) ?? []] as const,
    )
    return { kind: 'done', ids: new Map(ids) }
  }

  #failed(items: readonly Sendable[], failure: RefusedRepair): WriteOutcome {
    const is_untouched = failure.code === 'provider_refused' && !this.#isBegun(items)
    return { kind: is_untouched ? 'refused' : 'unclear', failure }
  }

  #unsent(item: Sendable, failure: RefusedRepair): WriteOutcome {
    return { kind: this.#isUnclear(item) ? 'unclear' : 'refused', failure }
  }

  /** What was sent with others and failed with them stays unknown, for all that it was not sent again. */
  #untried(item: Sendable): WriteOutcome {
    const { kind } = this.#provider
    const what = item.changes.map(rrsetItem).join(', ')
    const failure = {
      code: 'component_unavailable',
      message: `${what}: ${kind} takes so long that there was no time left for it in this pass. It is tried in the next one.`,
      retry_after_ms: UNTRIED_WAIT_MS,
    } as const
    return this.#isUnclear(item)
      ? { kind: 'unclear', failure, is_untried: true }
      : { kind: 'untried', failure }
  }

  /** Some of the items is at fault and nobody knows which. They wait longer than a pass, so that others are not held up by them. */
  #undivided(items: readonly Sendable[], error: Failure): readonly WriteOutcome[] {
    const message = `${error.message} It was one request for ${items.length} sets, and there was no time left to find out at which of them it failed.`
    const failure = { code: 'component_unavailable', message, retry_after_ms: UNDIVIDED_WAIT_MS } as const
    return items.map((item) => ({ kind: this.#isBegun([item]) ? 'unclear' : 'refused', failure }))
  }

  #isUnclear({ changes }: Sendable): boolean {
    return changes.some((change) => this.#unclear.has(changeKey(change)))
  }

  #noteServerFailure(changes: readonly RrsetChange[], failure: RefusedRepair): void {
    for (const change of changes) this.#unclear.add(changeKey(change))
    this.#server_failure = failure
  }

  #isBegun(items: readonly Sendable[]): boolean {
    return items.some(({ changes }) =>
      changes.map(changeKey).some((key) => this.#applied.has(key) || this.#unclear.has(key)),
    )
  }

  #miscounted(slice: readonly RrsetChange[], outcomes: readonly ChangeOutcome[]): Failure {
    const { kind, account } = this.#provider
    return new Failure(
      'component_unavailable',
      `${kind}: account ${account} told ${outcomes.length} outcomes for ${slice.length} changes in ${this.#zone}.`,
    )
  }
}

export const refusalOf = ({ code, message, details }: Failure): RefusedRepair => ({
  code,
  message,
  retry_after_ms: details.retry_after_ms ?? 0,
})

/** The message of a request says how many sets it had, and not which. */
function named(items: readonly Sendable[], failure: Failure): RefusedRepair {
  const refusal = refusalOf(failure)
  const [item, ...more] = items
  if (item === undefined || more.length > 0) return refusal
  const what = item.changes.map(rrsetItem).join(', ')
  return refusal.message.includes(what) ? refusal : { ...refusal, message: `${what}: ${refusal.message}` }
}
