/**
 * Making the SSO provider read its users file again. That it is owed is durable before the file is written, so a crash
 * between the write and the restart is made good; a restart that begins while a write is under way may read the older
 * file, and leaves that one owed.
 *
 * The file stays as it is whatever the provider does: unlike rules, it holds what others wrote (new passwords) and who was
 * revoked, and earlier bytes would undo both.
 */
import { backoffDelay } from '../../kernel/async/backoff.ts'
import type { Clock, Instant, Milliseconds } from '../../kernel/clock.ts'
import { Failure } from '../../kernel/failure.ts'
import { untilAborted } from '../../kernel/async/until-aborted.ts'
import type { Attempt, RestartEnds, SharedRestarts } from '../../ports/sso-provider.ts'
import type { Store } from '../../ports/store.ts'
import { debtRecords } from '../sso/records.ts'

const DEBT = 'sso_users_reload'
/** Between tries that nobody asked for. */
const BACKOFF = { first_ms: 30_000, max_ms: 600_000 }

export interface ReloaderParts {
  /** Null where the provider sees by itself that the file is new. */
  readonly restarts: SharedRestarts | null
  /**
   * Why the provider would refuse the file as it stands now, as a sentence; null for nothing. It is not restarted into such
   * a file: it would not come up, and nobody could sign in.
   */
  readonly refused?: (signal: AbortSignal) => Promise<string | null>
  readonly store: Pick<Store, 'write' | 'of'>
  readonly clock: Clock
}

interface UnderWay {
  /** It settles what was owed until then. */
  readonly until: Instant
  readonly done: PromiseWithResolvers<Attempt | null>
}

/** What was written and is not read yet. */
export interface Owed {
  readonly since: Instant
  /** Why the last restart did not help; null where none has gone wrong. */
  readonly failure: string | null
}

export class Reloader {
  readonly #parts: ReloaderParts
  #last: Instant = 0
  /** Since when each write is owed that is not done yet. */
  readonly #writes = new Set<Instant>()
  #under_way: UnderWay | null = null
  /** What a restart was for with which the provider did not come up; null for none. */
  #down: Instant | null = null
  #failures = 0
  #failure: string | null = null
  /** Whether somebody saw the restart that settled last. */
  #proven: true | null
  #not_before_ms: Milliseconds = -Infinity

  constructor(parts: ReloaderParts) {
    this.#parts = parts
    // Of an earlier process: where restarts are somebody else's, it may not have seen the one that settled its debt.
    this.#proven = parts.restarts?.way === 'watched' ? null : true
    parts.restarts?.witness(() => this.#begins())
  }

  /** False where the provider sees by itself that the file is new. */
  get restarts_provider(): boolean {
    return this.#parts.restarts !== null
  }

  /** Whether what was settled last is proven to have been read; null where nothing can prove it. */
  get proven(): true | null {
    return this.restarts_provider ? this.#proven : null
  }

  /** Null where the provider has read what was written last. */
  async owed(): Promise<Owed | null> {
    const since = this.restarts_provider ? await this.#parts.store.of(debtRecords).debt(DEBT) : null
    return since === null ? null : { since, failure: this.#failure }
  }

  /** The file is about to be written. What it answers is to be called when it is, or is not after all. */
  async owe(): Promise<() => void> {
    const { restarts, store, clock } = this.#parts
    if (restarts === null) return () => undefined
    // Never the same twice: a restart settles what was owed before it, not what came in the same millisecond.
    this.#last = Math.max(clock.now(), this.#last + 1)
    const since = this.#last
    this.#writes.add(since)
    try {
      await store.write((tx) => tx.of(debtRecords).owe(DEBT, since))
    } catch (error) {
      this.#writes.delete(since)
      throw error
    }
    return () => void this.#writes.delete(since)
  }

  /**
   * Resolves when the provider has read whatever was written before this call; null where nothing can prove that it has.
   * Throws a Failure when it has not.
   */
  async settle(signal: AbortSignal): Promise<true | null> {
    const { restarts, store, refused } = this.#parts
    const refusal = (await refused?.(signal)) ?? null
    if (refusal !== null) {
      this.#failure = refusal
      throw new Failure('component_unavailable', refusal)
    }
    if (restarts === null) return null
    const since = await store.of(debtRecords).debt(DEBT)
    if (since === null || (await this.#hasComeUp(since, signal))) return this.#proven
    const attempt = await this.#restarted(since, restarts, signal)
    const failure = failureOf(attempt)
    if (failure !== null) throw new Failure('component_unavailable', failure)
    return provenBy(attempt)
  }

  /** The same where it is still owed after a while, less and less often. */
  async retry(signal: AbortSignal): Promise<void> {
    if (this.#parts.clock.elapsed() < this.#not_before_ms || (await this.owed()) === null) return
    await this.settle(signal)
  }

  /** By the restart that is under way where it began late enough. */
  #restarted(since: Instant, restarts: SharedRestarts, signal: AbortSignal): Promise<Attempt | null> {
    const under_way = this.#under_way
    return under_way !== null && under_way.until >= since
      ? untilAborted(under_way.done.promise, signal)
      : restarts.restart(signal)
  }

  /** It was only late: the file was read at that start. */
  async #hasComeUp(since: Instant, signal: AbortSignal): Promise<boolean> {
    const { restarts, store } = this.#parts
    const down = this.#down
    if (down === null || down < since || restarts === null || !(await restarts.isHealthy(signal)))
      return false
    this.#down = null
    await store.write((tx) => tx.of(debtRecords).settleDebt(DEBT, down))
    return true
  }

  async #begins(): Promise<RestartEnds> {
    const owed = await this.#parts.store.of(debtRecords).debt(DEBT)
    // What is written from now on is owed later than what this settles, also where that is of a clock that was ahead.
    this.#last = Math.max(this.#last, owed ?? 0)
    const until = Math.min(owed ?? -Infinity, ...[...this.#writes].map((since) => since - 1))
    const under_way: UnderWay = { until, done: Promise.withResolvers() }
    this.#under_way = under_way
    return async (attempt) => {
      this.#under_way = null
      try {
        await this.#ended(until, attempt)
      } finally {
        under_way.done.resolve(attempt)
      }
    }
  }

  async #ended(until: Instant, attempt: Attempt | null): Promise<void> {
    const { store, clock } = this.#parts
    this.#failure = failureOf(attempt)
    const well = this.#failure === null
    this.#failures = well ? 0 : this.#failures + 1
    this.#not_before_ms = well ? -Infinity : clock.elapsed() + backoffDelay(BACKOFF, this.#failures, 1)
    this.#down = attempt?.restarted.ok === true && attempt.healthy === false ? until : null
    if (well) this.#proven = provenBy(attempt)
    if (well && until > -Infinity) await store.write((tx) => tx.of(debtRecords).settleDebt(DEBT, until))
  }
}

/** Null where nobody saw it stop. */
const provenBy = (attempt: Attempt | null): true | null =>
  attempt?.restarted.ok === true && attempt.restarted.proven ? true : null

/** Null when the provider has read what was written before. */
function failureOf(attempt: Attempt | null): string | null {
  if (attempt === null)
    return 'The restart of the SSO provider was broken off; the users file is right and waits.'
  const { restarted, healthy } = attempt
  if (!restarted.ok)
    return `The SSO provider could not be restarted: ${restarted.why}. It runs with its earlier users; the users file is right and waits.`
  if (healthy !== false) return null
  return 'The SSO provider does not answer well after its restart; look at its log. The users file is right and stays as it is.'
}
