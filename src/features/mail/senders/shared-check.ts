/**
 * A mailer that is asked whether it takes mail at most once in a while, for all who want to know: anybody on the network may
 * ask, and each question is a login at the provider. A refusal is kept, too, so that nobody makes the provider lock us out.
 */
import { Cached } from '../../../kernel/async/cached.ts'
import { untilAborted } from '../../../kernel/async/until-aborted.ts'
import { withTimeout } from '../../../kernel/async/with-timeout.ts'
import type { Clock, Milliseconds } from '../../../kernel/clock.ts'
import { Failure } from '../../../kernel/failure.ts'
import type { Mailer } from '../port.ts'

export interface SharedCheck {
  readonly mailer: Mailer
  /** Ends a check that is under way. */
  stop(): void
}

const KEPT_MS: Milliseconds = 15_000
/** Those who share a check have signals of their own; it is bounded by itself. */
const MAX_CHECK_MS: Milliseconds = 5_000

interface Checked {
  /** Why it takes no mail; null where it does. */
  readonly failure: Failure | null
}

export function withSharedCheck(mailer: Mailer, clock: Clock): SharedCheck {
  const end = new AbortController()
  const bound = { clock, ms: MAX_CHECK_MS, signal: end.signal }
  const checks = new Cached<Checked>({
    clock,
    ask: () =>
      withTimeout(
        bound,
        (signal) => checked(mailer, signal),
        () => tooLate(mailer),
      ),
    keepFor: () => KEPT_MS,
  })
  /** What it does says more than the last answer. */
  const outdating = async <T>(work: Promise<T>): Promise<T> => work.finally(() => checks.outdate())
  const shared: Mailer = {
    ...mailer,
    send: (mail, leaving, signal) => outdating(mailer.send(mail, leaving, signal)),
    refresh: (signal) => outdating(mailer.refresh(signal)),
    async check(signal, { afresh = false } = {}) {
      if (afresh) checks.outdate()
      const { failure } = await untilAborted(checks.get(), signal)
      if (failure !== null) throw failure
    },
  }
  return { mailer: shared, stop: () => end.abort(new Error('stopped')) }
}

async function checked(mailer: Mailer, signal: AbortSignal): Promise<Checked> {
  try {
    await mailer.check(signal)
    return { failure: null }
  } catch (error) {
    if (error instanceof Failure) return { failure: error }
    throw error
  }
}

const tooLate = ({ provider }: Mailer): Checked => ({
  failure: new Failure('component_unavailable', `${provider} did not answer within ${MAX_CHECK_MS} ms.`),
})
