/**
 * What was last seen of the SSO provider, for whoever must not wait for it. One look at a time, whoever waits for it; what it
 * found holds for a while.
 */
import type { Clock, Milliseconds } from '../../kernel/clock.ts'
import { waitAtMost } from '../../kernel/wait-at-most.ts'
import type { ProviderHealth, SsoProvider } from '../../ports/sso-provider.ts'

export interface ProviderSightParts {
  readonly provider: Pick<SsoProvider, 'health'>
  readonly clock: Clock
}

const HOLDS_MS: Milliseconds = 10_000
/** One that was started a moment ago is seen soon. */
const FAULT_HOLDS_MS: Milliseconds = 2_000
/** Who saves waits no longer than this. */
const WITHIN_MS: Milliseconds = 1_000
/** Those who share a look have signals of their own; the look itself is bounded. */
const NEVER = new AbortController().signal

export class ProviderSight implements Pick<SsoProvider, 'health'> {
  readonly #parts: ProviderSightParts
  #last: ProviderHealth | null = null
  #holds_until_ms: Milliseconds = -Infinity
  #looking: Promise<unknown> | null = null

  constructor(parts: ProviderSightParts) {
    this.#parts = parts
  }

  /** Looks now. */
  async health(signal: AbortSignal): Promise<ProviderHealth> {
    const { provider, clock } = this.#parts
    const found = await provider.health(signal)
    this.#last = found
    this.#holds_until_ms = clock.elapsed() + (found.ok === true ? HOLDS_MS : FAULT_HOLDS_MS)
    return found
  }

  /** Why the provider is not well, as a sentence; null where it is, and where nobody knows yet. */
  async fault(): Promise<string | null> {
    if (this.#parts.clock.elapsed() >= this.#holds_until_ms) {
      this.#looking ??= this.health(NEVER).finally(() => (this.#looking = null))
      await waitAtMost(this.#looking, WITHIN_MS)
    }
    return this.#last === null || this.#last.ok === true ? null : this.#last.why
  }
}
