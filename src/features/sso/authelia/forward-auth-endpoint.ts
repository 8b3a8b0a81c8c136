/**
 * Whether the SSO provider has the endpoint at which the check before routes asks: Authelia has it since 4.38, and answers 404
 * before. One question at a time, whoever waits for it; its answer holds for a while, and that there was none for a moment.
 */
import { Cached } from '../../../kernel/async/cached.ts'
import type { Clock, Milliseconds } from '../../../kernel/clock.ts'
import { Failure } from '../../../kernel/failure.ts'
import { waitAtMost } from '../../../kernel/async/wait-at-most.ts'
import type { SsoProbe } from '../probe-port.ts'
import { NEVER_ABORTED } from '../../../kernel/async/never-aborted.ts'

export interface EndpointParts {
  readonly url: string
  readonly probe: SsoProbe
  readonly clock: Clock
  /** For whom it is asked: a provider that knows the host writes no complaint into its log. Null: there is nobody to ask for. */
  readonly host: () => Promise<string | null>
}

export interface ForwardAuthEndpoint {
  /** Why there is none, as a sentence; null where there is one, or where that is not known. Never throws. */
  fault(): Promise<string | null>
}

const HOLDS_MS: Milliseconds = 10_000
const UNKNOWN_HOLDS_MS: Milliseconds = 2_000
/** A provider that only the proxy reaches holds nobody up. */
const WITHIN_MS: Milliseconds = 1_000
export function forwardAuthEndpoint(parts: EndpointParts): ForwardAuthEndpoint {
  const { clock } = parts
  const answers = new Cached({
    clock,
    ask: async () => ({ status: await statusOf(parts) }),
    keepFor: ({ status }) => (status === null ? UNKNOWN_HOLDS_MS : HOLDS_MS),
  })
  return {
    async fault() {
      await waitAtMost(answers.get(), WITHIN_MS)
      return answers.last?.status === 404 ? notThere(parts.url) : null
    },
  }
}

const notThere = (url: string): string =>
  `${url} answers 404, as Authelia before 4.38 does, so the proxy answers 404 to everybody.`

/** Null where nobody answers, or there is nobody to ask for, or nobody can say for whom. */
async function statusOf({ probe, host }: EndpointParts): Promise<number | null> {
  try {
    const name = await host()
    if (name === null) return null
    return (await probe.ask({ door: 'tls', host: name, path: '/' }, NEVER_ABORTED)).status
  } catch (error) {
    if (error instanceof Failure) return null
    throw error
  }
}
