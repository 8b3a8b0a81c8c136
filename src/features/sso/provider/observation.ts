/**
 * What was last seen of the SSO provider, for whoever must not wait for it. One look at a time, whoever waits for it; what it
 * found holds for a while.
 */
import { Cached } from '../../../kernel/async/cached.ts'
import type { Clock, Milliseconds } from '../../../kernel/clock.ts'
import { untilAborted } from '../../../kernel/async/until-aborted.ts'
import { waitAtMost } from '../../../kernel/async/wait-at-most.ts'
import type { ProviderHealth, SsoProvider } from '../../../ports/sso-provider.ts'
import { NEVER_ABORTED } from '../../../kernel/async/never-aborted.ts'

export interface ProviderObservationParts {
  readonly provider: Pick<SsoProvider, 'health'>
  readonly clock: Clock
}

const HOLDS_MS: Milliseconds = 10_000
/** One that was started a moment ago is seen soon. */
const FAULT_HOLDS_MS: Milliseconds = 2_000
/** Who saves waits no longer than this. */
const WITHIN_MS: Milliseconds = 1_000
export class ProviderObservation implements Pick<SsoProvider, 'health'> {
  readonly #seen: Cached<ProviderHealth>

  constructor({ provider, clock }: ProviderObservationParts) {
    this.#seen = new Cached({
      clock,
      ask: () => provider.health(NEVER_ABORTED),
      keepFor: ({ ok }) => (ok === true ? HOLDS_MS : FAULT_HOLDS_MS),
    })
  }

  /** By a look that begins now. */
  health(signal: AbortSignal): Promise<ProviderHealth> {
    this.#seen.forget()
    return untilAborted(this.#seen.get(), signal)
  }

  /** Why the provider is not well, as a sentence; null where it is, and where nobody knows yet. */
  async fault(): Promise<string | null> {
    let found: ProviderHealth | null = null
    const looking = this.#seen.get().then((seen) => (found = seen))
    looking.catch(() => undefined)
    await waitAtMost(looking, WITHIN_MS)
    const last = found ?? this.#seen.last
    return last === null || last.ok === true ? null : last.why
  }
}
