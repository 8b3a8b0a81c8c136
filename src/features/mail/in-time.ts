/** A question to the mail provider for somebody who waits for the answer. */
import type { Milliseconds } from '../../kernel/clock.ts'
import { Failure } from '../../kernel/failure.ts'
import { withTimeout } from '../../kernel/async/with-timeout.ts'
import type { MailService } from './service.ts'

/** Nobody waits longer to learn how something is. */
const ANSWER_WITHIN_MS: Milliseconds = 5_000

/** Throws `component_unavailable` where the answer does not come in time, and the reason of `signal` at its end. */
export async function askedInTime<T>(
  { clock, mailer }: Pick<MailService, 'clock' | 'mailer'>,
  ask: (signal: AbortSignal) => Promise<T>,
  signal: AbortSignal,
): Promise<T> {
  return withTimeout({ clock, ms: ANSWER_WITHIN_MS, signal }, ask, () => {
    throw new Failure(
      'component_unavailable',
      `${mailer?.provider ?? 'mail'} did not answer within ${ANSWER_WITHIN_MS} ms.`,
    )
  })
}
