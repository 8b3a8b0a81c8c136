/**
 * The last complete listing of a zone.
 *
 * The timer believes it for as long as the provider's stamp says that nothing changed, and never longer than
 * `FULL_LIST_EVERY_MS`: a change past the stamp (SQL, replication) moves no stamp. Callers are given a listing of their
 * own moment: the one that is under way, also where others have given up waiting for it, or one that ended within
 * `SHARED_MS`. Where nobody counts our reads they share it only while the stamp stands, too. One that began before a write
 * of ours is shared with nobody, however late it ends.
 */
import { deadlineSignal } from '../../../../kernel/async/deadline.ts'
import { untilAborted } from '../../../../kernel/async/until-aborted.ts'
import type { Clock, Milliseconds } from '../../../../kernel/clock.ts'
import { Failure } from '../../../../kernel/failure.ts'
import type { ListedRrset } from '../../../../model/network/dns.ts'
import type { DnsProvider } from '../../providers/port.ts'

/** With the time until its next look, and that of the look itself, a zone is listed every ten minutes. */
export const FULL_LIST_EVERY_MS: Milliseconds = 540_000
/** A listing that ended no longer ago than this answers the next caller, too. */
const SHARED_MS: Milliseconds = 2000

type Rrsets = readonly ListedRrset[]

interface Kept {
  readonly account: string
  /** Null where nobody asked for it, or where there is none. */
  readonly stamp: string | null
  readonly rrsets: Rrsets
  /** Monotonic: when the listing began, and when it was whole. */
  readonly began_at: Milliseconds
  readonly ended_at: Milliseconds
}

interface Flight extends Pick<Kept, 'account' | 'stamp'> {
  readonly era: number
  readonly work: JoinedWork<Rrsets>
}

export interface LookFor {
  /** A caller asks: no stamp is believed. */
  readonly afresh: boolean
  readonly signal: AbortSignal
}

export interface CachedListingOptions {
  readonly clock: Clock
  /** For a whole listing, whether or not anybody waits for it. */
  readonly deadline_ms: Milliseconds
}

export class CachedListing {
  readonly #zone: string
  readonly #clock: Clock
  readonly #deadline_ms: Milliseconds
  readonly #end = new AbortController()
  #kept: Kept | null = null
  #flight: Flight | null = null
  /** Raised by `forget`: a listing that began before is neither kept nor shared. */
  #era = 0

  constructor(zone: string, { clock, deadline_ms }: CachedListingOptions) {
    this.#zone = zone
    this.#clock = clock
    this.#deadline_ms = deadline_ms
  }

  look(provider: DnsProvider, { afresh, signal }: LookFor): Promise<Rrsets> {
    return afresh ? this.#forCaller(provider, signal) : this.#forTimer(provider, signal)
  }

  /** Something was written, or there is reason to doubt: the next look lists in full. */
  forget(): void {
    this.#kept = null
    this.#era++
  }

  /** Ends what is under way for callers. */
  close(): void {
    this.#end.abort(new Failure('shutting_down', 'The daemon is shutting down.'))
  }

  /** The stamp is asked for first, so that it is never newer than the listing that it stands for. */
  async #forTimer(provider: DnsProvider, signal: AbortSignal): Promise<Rrsets> {
    const { account, traits } = provider
    const era = this.#era
    const stamp = traits.has_stamp ? await provider.stamp(this.#zone, signal) : null
    const kept = this.#keptFor(account)
    const is_believed =
      stamp !== null && kept?.stamp === stamp && this.#clock.elapsed() - kept.began_at < FULL_LIST_EVERY_MS
    if (is_believed) return kept.rrsets
    const began_at = this.#clock.elapsed()
    const rrsets = await this.#list(provider, signal)
    return this.#keep({ account, stamp, rrsets, began_at, ended_at: this.#clock.elapsed() }, era)
  }

  async #forCaller(provider: DnsProvider, signal: AbortSignal): Promise<Rrsets> {
    const { account } = provider
    const era = this.#era
    const stamp = hasFreeStamp(provider) ? await provider.stamp(this.#zone, signal) : null
    const serves = (listing: Pick<Kept, 'stamp'>) =>
      !hasFreeStamp(provider) || (stamp !== null && listing.stamp === stamp)
    const kept = this.#keptFor(account)
    const is_fresh = kept !== null && this.#clock.elapsed() - kept.ended_at < SHARED_MS
    if (is_fresh && serves(kept)) return kept.rrsets
    const flight = this.#flight
    const is_joined =
      flight?.account === account && flight.era === this.#era && serves(flight) && !flight.work.is_over
    const { work } = is_joined ? flight : this.#begin(provider, { stamp, era })
    return work.join(signal)
  }

  /** @param asked the stamp that was asked for before, null for none, and the era of that moment */
  #begin(provider: DnsProvider, asked: { readonly stamp: string | null; readonly era: number }): Flight {
    const { account } = provider
    const { era } = asked
    const began_at = this.#clock.elapsed()
    const parts = { clock: this.#clock, deadline_ms: this.#deadline_ms, ends: this.#end.signal }
    const work = new JoinedWork(parts, async (signal) => {
      const rrsets = await this.#list(provider, signal)
      const kept = this.#keptFor(account)
      // A stamp that stood for this content still does.
      const is_same = kept !== null && isSame(kept.rrsets, rrsets)
      const stamp = asked.stamp ?? (is_same ? kept.stamp : null)
      const ended_at = this.#clock.elapsed()
      return this.#keep({ account, stamp, rrsets: is_same ? kept.rrsets : rrsets, began_at, ended_at }, era)
    })
    this.#flight = { account, stamp: asked.stamp, era, work }
    return this.#flight
  }

  /**
   * One that fails or is cut short takes what was kept with it: nobody deletes by an older listing after a newer one was not
   * whole. A caller who leaves cuts nothing short.
   */
  async #list(provider: DnsProvider, signal: AbortSignal): Promise<Rrsets> {
    try {
      return await provider.list(this.#zone, signal)
    } catch (error) {
      this.forget()
      throw error
    }
  }

  /** A listing that a write or a later one overtook is only told to whoever asked for it. */
  #keep(kept: Kept, era: number): Rrsets {
    if (era === this.#era && (this.#kept === null || this.#kept.began_at <= kept.began_at)) this.#kept = kept
    return kept.rrsets
  }

  #keptFor(account: string): Kept | null {
    return this.#kept?.account === account ? this.#kept : null
  }
}

const hasFreeStamp = ({ traits }: DnsProvider): boolean => traits.has_stamp && traits.limit === null

const isSame = (a: Rrsets, b: Rrsets): boolean =>
  a.length === b.length && JSON.stringify(a) === JSON.stringify(b)

// Work that several callers wait for. Nobody ends it by leaving: whoever comes next finds it further on. It ends by its
// deadline, or with whatever it belongs to.

interface JoinedWorkParts {
  readonly clock: Clock
  readonly deadline_ms: Milliseconds
  /** Ends it before. */
  readonly ends: AbortSignal
}

class JoinedWork<T> {
  readonly #done: Promise<T>
  /** True once it has ended or was given up: whoever comes now begins anew. */
  is_over = false

  constructor({ clock, deadline_ms, ends }: JoinedWorkParts, work: (signal: AbortSignal) => Promise<T>) {
    const deadline = deadlineSignal(clock, deadline_ms)
    const end = AbortSignal.any([ends, deadline.signal])
    const over = () => {
      this.is_over = true
      deadline.end()
    }
    // Work that does not heed its signal is left.
    end.addEventListener('abort', over, { once: true })
    this.#done = work(end)
    this.#done.then(over, over)
  }

  /** Throws what the work throws, or the reason of `signal` as soon as it aborts. */
  join(signal: AbortSignal): Promise<T> {
    return untilAborted(this.#done, signal)
  }
}
