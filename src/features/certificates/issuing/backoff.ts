/** How long to wait after something went wrong. Pure; what comes of it is a row, so that no restart resets it. */
import { type Instant, isFromAhead, type Milliseconds } from '../../../kernel/clock.ts'
import type { FailureCode } from '../../../kernel/failure.ts'
import type { CertificateFailure, InstalledCertificate } from '../records.ts'
import { isAtItsEnd } from './renewal.ts'

const MINUTE: Milliseconds = 60_000
const HOUR: Milliseconds = 60 * MINUTE

/** `authority`: it refused, and counts refusals. `here`: nothing was refused; the network, the DNS or the disk failed. */
export type Ladder = 'authority' | 'here'

const LADDERS: Readonly<Record<Ladder, { readonly first_ms: Milliseconds; readonly max_ms: Milliseconds }>> =
  {
    authority: { first_ms: HOUR, max_ms: 24 * HOUR },
    here: { first_ms: MINUTE, max_ms: HOUR },
  }
/** So that many that failed together do not come back together; only ever later than the ladder says. */
const JITTER = 0.1
/** A longer `Retry-After` is a mistake of the one who sent it. */
const MAX_ASKED: Milliseconds = 7 * 24 * HOUR
const MAX_AT_THE_END: Milliseconds = HOUR

export interface AttemptFailure {
  readonly name: string
  readonly directory: string
  readonly code: FailureCode
  readonly message: string
  readonly ladder: Ladder
  readonly retry_after_ms: Milliseconds | null
  /** The next try is to be rehearsed. */
  readonly rehearse: boolean
}

/** @param random in [0, 1) */
export function failureAfter(
  previous: CertificateFailure | null,
  failure: AttemptFailure,
  { now, random }: { readonly now: Instant; readonly random: number },
): CertificateFailure {
  const { name, directory, code, message, rehearse } = failure
  const failures = previous !== null && sameKind(previous.code, code) ? previous.failures + 1 : 1
  const next_try_at = now + waitAfter(failure, failures, random)
  return { name, failures, directory, code, message, failed_at: now, next_try_at, rehearse }
}

/** What the other side asked for wins when it is longer; an authority that is merely busy knows best how long it is. */
export function waitAfter(
  { code, ladder, retry_after_ms }: Pick<AttemptFailure, 'code' | 'ladder' | 'retry_after_ms'>,
  failures: number,
  random: number,
): Milliseconds {
  const asked = Math.min(retry_after_ms ?? 0, MAX_ASKED)
  const { first_ms, max_ms } = LADDERS[code === 'provider_busy' && asked > 0 ? 'here' : ladder]
  const step = Math.min(max_ms, first_ms * 2 ** Math.min(Math.max(failures, 1) - 1, 40))
  return Math.max(asked, Math.round(step * (1 + JITTER * random)))
}

const REFUSALS: readonly FailureCode[] = ['provider_refused', 'provider_credentials', 'provider_busy']

/** A refusal after a week of a broken network is the first refusal. */
export const sameKind = (a: FailureCode, b: FailureCode): boolean =>
  REFUSALS.includes(a) === REFUSALS.includes(b)

/**
 * When the next try may be; null for now. A certificate that is about to end waits no longer than an hour, but for an
 * authority's ban. Trouble that lies ahead of the clock is from before it was set back: it holds nobody up.
 */
export function waitsUntil(
  failure: CertificateFailure | null,
  standing: Pick<InstalledCertificate, 'not_before' | 'not_after'> | null,
  now: Instant,
): Instant | null {
  if (failure === null || isFromAhead(failure.failed_at, now)) return null
  const hurried = standing !== null && isAtItsEnd(standing, now) && failure.code !== 'provider_busy'
  const until = hurried
    ? Math.min(failure.next_try_at, failure.failed_at + MAX_AT_THE_END)
    : failure.next_try_at
  return until > now ? until : null
}
