/**
 * Restarts of the SSO provider, for its users and its rules alike: one at a time, with a least time between two, and
 * everybody who asks before one begins is served by it. The time of the last is durable, so that a daemon that is started
 * again keeps the distance, too.
 */
import type { Clock, Milliseconds } from '../../../kernel/clock.ts'
import { Failure } from '../../../kernel/failure.ts'
import { untilAborted } from '../../../kernel/async/until-aborted.ts'
import type {
  Attempt,
  Restarted,
  RestartWitness,
  SharedRestarts,
  SsoProvider,
} from '../../../ports/sso-provider.ts'
import type { Store } from '../../../ports/store.ts'
import { ssoRecords } from '../records.ts'

export interface RestartsParts {
  readonly provider: SsoProvider
  readonly store: Pick<Store, 'write' | 'of'>
  readonly clock: Clock
  readonly gap_ms: Milliseconds
  /** Whether it must be reachable from here. False: that is found out. */
  readonly reachable: boolean
}

/** How long the provider may take to answer well after a restart. */
const COMES_UP_WITHIN_MS: Milliseconds = 30_000
const ASK_EVERY_MS: Milliseconds = 250

export class Restarts implements SharedRestarts {
  readonly #parts: RestartsParts
  readonly #witnesses: RestartWitness[] = []
  /** Ends the wait for the next one, then the one under way. */
  readonly #waits = new AbortController()
  readonly #stop = new AbortController()
  #running: Promise<unknown> = Promise.resolve()
  #next: Promise<Attempt> | null = null
  #begun = 0
  #answered: boolean

  constructor(parts: RestartsParts) {
    this.#parts = parts
    this.#answered = parts.reachable
  }

  get way() {
    return this.#parts.provider.restarts
  }

  get is_under_way(): boolean {
    return this.#next !== null || this.#begun > 0
  }

  witness(witness: RestartWitness): void {
    this.#witnesses.push(witness)
  }

  isHealthy(signal: AbortSignal): Promise<boolean> {
    return this.#parts.provider.isHealthy(signal)
  }

  /** A caller who leaves does not end it: others may wait for it. */
  restart(signal: AbortSignal): Promise<Attempt> {
    this.#next ??= this.#begin()
    return untilAborted(this.#next, signal)
  }

  /** Nobody waits for a restart any more; one that is under way goes on. */
  stop(): void {
    this.#waits.abort(shuttingDown())
  }

  async close(): Promise<void> {
    this.stop()
    this.#stop.abort(shuttingDown())
    await this.#running
  }

  async #begin(): Promise<Attempt> {
    try {
      await untilAborted(this.#running, this.#waits.signal)
      await this.#keepDistance()
    } finally {
      this.#next = null
    }
    this.#begun++
    const attempt = this.#attempt().finally(() => this.#begun--)
    this.#running = attempt.catch(() => undefined)
    return attempt
  }

  async #keepDistance(): Promise<void> {
    const { store, clock, gap_ms } = this.#parts
    const last = await store.of(ssoRecords).ssoRestartedAt()
    // A time ahead of ours was kept under a wrong clock; it must not hold anybody up for longer than the gap.
    const wait_ms = last === null ? 0 : Math.min(Math.max(last + gap_ms - clock.now(), 0), gap_ms)
    if (wait_ms > 0) await clock.sleep(wait_ms, this.#waits.signal)
    this.#waits.signal.throwIfAborted()
  }

  async #attempt(): Promise<Attempt> {
    const { signal } = this.#stop
    const ends = await Promise.all(this.#witnesses.map((witness) => witness()))
    const tell = async (attempt: Attempt | null) => {
      for (const end of ends) await end(attempt, signal)
    }
    const attempt = await this.#carryOut().catch(async (error: unknown) => {
      await tell(null)
      throw error
    })
    await tell(attempt)
    return attempt
  }

  async #carryOut(): Promise<Attempt> {
    const { provider, store, clock } = this.#parts
    const { signal } = this.#stop
    this.#answered ||= await provider.isHealthy(signal)
    // Before it: a daemon that dies in the middle must not restart it again at once.
    await store.write((tx) => tx.of(ssoRecords).saveSsoRestart(clock.now()))
    const restarted = await provider.restart(signal).catch(unasked)
    const healthy = await this.#comesUp()
    return { restarted, healthy: this.#answered ? healthy : null }
  }

  async #comesUp(): Promise<boolean> {
    const { provider, clock } = this.#parts
    const { signal } = this.#stop
    const until = clock.elapsed() + COMES_UP_WITHIN_MS
    for (;;) {
      if (await provider.isHealthy(signal)) return (this.#answered = true)
      if (!this.#answered || clock.elapsed() >= until) return false
      await clock.sleep(ASK_EVERY_MS, signal)
    }
  }
}

/** Nobody could be asked to restart it. */
function unasked(error: unknown): Restarted {
  if (!(error instanceof Failure) || error.code !== 'component_unavailable') throw error
  return { ok: false, why: error.message.replace(/\.$/, '') }
}

const shuttingDown = (): Failure => new Failure('shutting_down', 'The daemon is shutting down.')
