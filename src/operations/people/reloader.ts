/**
 * Making the SSO provider read its users file again. That it is owed is durable before the file is written, so a crash
 * between the write and the restart is made good.
 *
 * The file stays as it is whatever the provider does: unlike rules, it holds what others wrote (new passwords) and who was
 * revoked, and earlier bytes would undo both.
 */
import { backoffDelay } from '../../kernel/backoff.ts'
import type { Clock, Instant, Milliseconds } from '../../kernel/clock.ts'
import { Failure } from '../../kernel/failure.ts'
import type { Attempt, SharedRestarts } from '../../ports/sso-provider.ts'
import type { Store } from '../../ports/store.ts'

const DEBT = 'sso_users_reload'
/** Between tries that nobody asked for. */
const BACKOFF = { first_ms: 30_000, most_ms: 600_000 }

export interface ReloaderParts {
  /** Null where the provider sees by itself that the file is new. */
  readonly restarts: SharedRestarts | null
  readonly store: Pick<Store, 'write' | 'debt'>
  readonly clock: Clock
}

export class Reloader {
  readonly #parts: ReloaderParts
  #last: Instant = 0
  /** What a restart was for with which the provider did not come up; null for none. */
  #down: Instant | null = null
  #failures = 0
  #not_before_ms: Milliseconds = -Infinity

  constructor(parts: ReloaderParts) {
    this.#parts = parts
    parts.restarts?.witness(async () => {
      const since = await parts.store.debt(DEBT)
      return (attempt) => this.#ended(since, attempt)
    })
  }

  /** The file is about to be written. */
  async owe(): Promise<void> {
    const { restarts, store, clock } = this.#parts
    if (restarts === null) return
    // Never the same twice: a restart settles what was owed before it, not what came in the same millisecond.
    this.#last = Math.max(clock.now(), this.#last + 1)
    const since = this.#last
    await store.write((tx) => tx.owe(DEBT, since))
  }

  /** Resolves when the provider has read whatever was written before this call. Throws a Failure when it has not. */
  async settle(signal: AbortSignal): Promise<void> {
    const { restarts, store } = this.#parts
    if (restarts === null) return
    const since = await store.debt(DEBT)
    if (since === null || (await this.#hasComeUp(since, signal))) return
    const trouble = troubleOf(await restarts.restart(signal))
    if (trouble !== null) throw new Failure('component_unavailable', trouble)
  }

  /** The same where it is still owed after a while, less and less often. */
  async retry(signal: AbortSignal): Promise<void> {
    if (this.#parts.clock.elapsed() >= this.#not_before_ms) await this.settle(signal)
  }

  /** It was only late: the file was read at that start. */
  async #hasComeUp(since: Instant, signal: AbortSignal): Promise<boolean> {
    const { restarts, store } = this.#parts
    const down = this.#down
    if (down === null || down < since || restarts === null || !(await restarts.isHealthy(signal)))
      return false
    this.#down = null
    await store.write((tx) => tx.settleDebt(DEBT, down))
    return true
  }

  async #ended(since: Instant | null, attempt: Attempt): Promise<void> {
    const { store, clock } = this.#parts
    const well = troubleOf(attempt) === null
    this.#failures = well ? 0 : this.#failures + 1
    this.#not_before_ms = well ? -Infinity : clock.elapsed() + backoffDelay(BACKOFF, this.#failures, 1)
    this.#down = attempt.restarted.ok && attempt.healthy === false ? since : null
    if (well && since !== null) await store.write((tx) => tx.settleDebt(DEBT, since))
  }
}

/** Null when the provider has read what was written before. */
function troubleOf({ restarted, healthy }: Attempt): string | null {
  if (!restarted.ok)
    return `The SSO provider could not be restarted: ${restarted.why}. It runs with its earlier users; the users file is right and waits.`
  if (healthy !== false) return null
  return 'The SSO provider does not answer well after its restart; look at its log. The users file is right and stays as it is.'
}
