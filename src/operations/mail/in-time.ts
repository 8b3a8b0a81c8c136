/** A question to the mail provider for somebody who waits for the answer. */
import type { Milliseconds } from '../../kernel/clock.ts'
import { deadlineSignal } from '../../kernel/deadline.ts'
import { Failure } from '../../kernel/failure.ts'
import { untilAborted } from '../../kernel/until-aborted.ts'
import type { MailDesk } from './desk.ts'

/** Nobody waits longer to learn how something is. */
const ANSWER_WITHIN_MS: Milliseconds = 5_000

/** Throws `component_unavailable` where the answer does not come in time, and the reason of `signal` at its end. */
export async function askedInTime<T>(
  { clock, mailer }: Pick<MailDesk, 'clock' | 'mailer'>,
  ask: (signal: AbortSignal) => Promise<T>,
  signal: AbortSignal,
): Promise<T> {
  const deadline = deadlineSignal(clock, ANSWER_WITHIN_MS)
  const ends = AbortSignal.any([signal, deadline.signal])
  try {
    return await untilAborted(ask(ends), ends)
  } catch (error) {
    if (signal.aborted || !deadline.signal.aborted) throw error
    throw new Failure(
      'component_unavailable',
      `${mailer?.provider ?? 'mail'} did not answer within ${ANSWER_WITHIN_MS} ms.`,
    )
  } finally {
    deadline.end()
  }
}
