/** Sends batches of changes to one zone and says of every item what became of it. One bad set never sinks the rest. */
import { Failure, type FailureCode } from '../../../../kernel/failure.ts'
import { rrsetItem, rrsetKey } from '../../../../model/network/dns.ts'
import type { RefusedRepair } from '../../../../model/report.ts'
import type { ChangeOutcome, DnsProvider, RrsetChange } from '../../providers/port.ts'
import { changeKey, distinct } from './batches.ts'

export interface Sendable {
  readonly changes: readonly RrsetChange[]
}

export type Fate =
  /** The provider's ids, by `rrsetKey`, where it told them. */
  | { readonly kind: 'done'; readonly ids: ReadonlyMap<string, readonly string[]> }
  /** Certainly nothing of it was applied. */
  | { readonly kind: 'refused'; readonly failure: RefusedRepair }
  /** It may have been applied, or in part. */
  | { readonly kind: 'unclear'; readonly failure: RefusedRepair }

/** The provider is in no state to go on: asking more would only make it worse. */
const ENDS: ReadonlySet<FailureCode> = new Set([
  'provider_busy',
  'component_unavailable',
  'provider_credentials',
])

export class Sender {
  readonly #provider: DnsProvider
  readonly #zone: string
  readonly #signal: AbortSignal
  /** Changes that several items share are sent once. */
  readonly #applied = new Map<string, readonly string[]>()
  /** Why nothing more is sent; null while it goes on. */
  ended: RefusedRepair | null = null

  constructor(provider: DnsProvider, zone: string, signal: AbortSignal) {
    this.#provider = provider
    this.#zone = zone
    this.#signal = signal
  }

  /**
   * Fates in the order of the items. A batch that is refused as a whole is halved down to the item that is at fault;
   * after the end of the work the rest is refused unsent. Throws what is no Failure, an abort above all.
   */
  async send(items: readonly Sendable[]): Promise<readonly Fate[]> {
    if (this.ended !== null) return items.map(() => ({ kind: 'refused', failure: this.ended! }))
    const changes = this.#fresh(items)
    try {
      const failures = await this.#sendAll(changes)
      return items.map((item) => this.#fateOf(item, failures))
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      const failure = refusalOf(error)
      if (error.code === 'provider_refused' && items.length > 1) return this.#halves(items)
      if (ENDS.has(error.code)) this.ended = failure
      const kind = error.code === 'provider_refused' && !this.#isBegun(items) ? 'refused' : 'unclear'
      return items.map(() => ({ kind, failure }))
    }
  }

  async #halves(items: readonly Sendable[]): Promise<readonly Fate[]> {
    const middle = Math.ceil(items.length / 2)
    const first = await this.send(items.slice(0, middle))
    return [...first, ...(await this.send(items.slice(middle)))]
  }

  #fresh(items: readonly Sendable[]): RrsetChange[] {
    return distinct(items.flatMap(({ changes }) => changes)).filter(
      (change) => !this.#applied.has(changeKey(change)),
    )
  }

  /** More than one request only where a single item does not fit into one. A failed change ends its item. */
  async #sendAll(changes: readonly RrsetChange[]): Promise<ReadonlyMap<string, RefusedRepair>> {
    const failures = new Map<string, RefusedRepair>()
    const most = this.#provider.traits.batch_most
    for (let from = 0; from < changes.length && failures.size === 0; from += most) {
      const slice = changes.slice(from, from + most)
      const outcomes = await this.#provider.change(this.#zone, slice, this.#signal)
      if (outcomes.length !== slice.length) throw this.#miscounted(slice, outcomes)
      slice.forEach((change, i) => this.#note(change, outcomes[i]!, failures))
    }
    return failures
  }

  #note(change: RrsetChange, outcome: ChangeOutcome, failures: Map<string, RefusedRepair>): void {
    if (outcome.ok) return void this.#applied.set(changeKey(change), outcome.ids)
    const { code, message } = outcome
    const failure = { code, message: `${rrsetItem(change)}: ${message}`, retry_after_ms: 0 }
    failures.set(changeKey(change), failure)
    if (ENDS.has(code)) this.ended ??= failure
  }

  #fateOf(item: Sendable, failures: ReadonlyMap<string, RefusedRepair>): Fate {
    const keys = item.changes.map(changeKey)
    const failed = keys.map((key) => failures.get(key)).find((failure) => failure !== undefined)
    if (failed !== undefined)
      return {
        kind: failed.code === 'provider_refused' && !this.#isBegun([item]) ? 'refused' : 'unclear',
        failure: failed,
      }
    const ids = item.changes.map(
      (change) => [rrsetKey(change), this.#applied.get(changeKey(change)) ?? []] as const,
    )
    return { kind: 'done', ids: new Map(ids) }
  }

  #isBegun(items: readonly Sendable[]): boolean {
    return items.some(({ changes }) => changes.some((change) => this.#applied.has(changeKey(change))))
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
