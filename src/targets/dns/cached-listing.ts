/** The last complete listing of a zone, for as long as the provider's stamp says that nothing changed. */
import type { Clock, Milliseconds } from '../../kernel/clock.ts'
import type { ListedRrset } from '../../model/dns.ts'
import type { DnsProvider } from '../../ports/dns-provider.ts'

export const FULL_LIST_EVERY_MS: Milliseconds = 3_600_000

interface Kept {
  readonly account: string
  readonly stamp: string
  readonly rrsets: readonly ListedRrset[]
  /** Monotonic. */
  readonly listed_at: Milliseconds
}

export class CachedListing {
  readonly #zone: string
  readonly #clock: Clock
  #kept: Kept | null = null
  /** Raised by `forget`: a listing that began before is not kept. */
  #era = 0

  constructor(zone: string, clock: Clock) {
    this.#zone = zone
    this.#clock = clock
  }

  /** The stamp is asked for first, so that it is never newer than the listing that it stands for. */
  async look(provider: DnsProvider, signal: AbortSignal): Promise<readonly ListedRrset[]> {
    const { account, traits } = provider
    const era = this.#era
    const stamp = traits.has_stamp ? await provider.stamp(this.#zone, signal) : null
    if (stamp !== null && this.#isFresh(account, stamp)) return this.#kept!.rrsets
    const rrsets = await provider.list(this.#zone, signal)
    const kept = stamp === null || era !== this.#era ? null : { account, stamp, rrsets }
    this.#kept = kept === null ? null : { ...kept, listed_at: this.#clock.elapsed() }
    return rrsets
  }

  forget(): void {
    this.#kept = null
    this.#era++
  }

  #isFresh(account: string, stamp: string): boolean {
    const kept = this.#kept
    return (
      kept !== null &&
      kept.account === account &&
      kept.stamp === stamp &&
      this.#clock.elapsed() - kept.listed_at < FULL_LIST_EVERY_MS
    )
  }
}
