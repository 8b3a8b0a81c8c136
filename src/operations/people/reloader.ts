/**
 * Making the SSO provider read its users file again. That it is owed is durable before the file is written, so a crash
 * between the write and the restart is made good. Callers at the same time share one restart; one that had begun before
 * a caller asked is not his, since it may have read the older file.
 */
import type { Clock, Instant } from '../../kernel/clock.ts'
import type { Restarter } from '../../ports/restarter.ts'
import type { Store } from '../../ports/store.ts'

const DEBT = 'sso_users_reload'

export interface ReloaderParts {
  /** Null where the provider sees by itself that the file is new. */
  readonly restarter: Restarter | null
  readonly store: Store
  readonly clock: Clock
  /** Ends a restart under way. */
  readonly signal: AbortSignal
}

export class Reloader {
  readonly #parts: ReloaderParts
  #running: Promise<void> | null = null
  #next: Promise<void> | null = null
  #last: Instant = 0

  constructor(parts: ReloaderParts) {
    this.#parts = parts
  }

  /** The file is about to be written. */
  async owe(): Promise<void> {
    const { restarter, store, clock } = this.#parts
    if (restarter === null) return
    // Never the same twice: a restart settles what was owed before it, not what came in the same millisecond.
    this.#last = Math.max(clock.now(), this.#last + 1)
    const since = this.#last
    await store.write((tx) => tx.owe(DEBT, since))
  }

  /** Resolves when the provider has read whatever was written before this call. Throws a Failure when it has not. */
  async settle(): Promise<void> {
    if (this.#parts.restarter === null) return
    if (this.#next !== null) return this.#next
    if (this.#running === null) return this.#begin()
    this.#next = this.#running
      .catch(() => undefined)
      .then(() => {
        this.#next = null
        return this.#begin()
      })
    return this.#next
  }

  #begin(): Promise<void> {
    this.#running = this.#restart().finally(() => (this.#running = null))
    return this.#running
  }

  async #restart(): Promise<void> {
    const { restarter, store, signal } = this.#parts
    const since = await store.debt(DEBT)
    if (since === null || restarter === null) return
    await restarter.restart(signal)
    await store.write((tx) => tx.settleDebt(DEBT, since))
  }
}
