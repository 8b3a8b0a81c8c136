/** Telling by mail: one mail to all recipients, within the budget of mail, under the message's own key, so never twice. */
import { Failure, type FailureCode } from '../../../kernel/failure.ts'
import type { NotificationMessage } from '../../../model/notification.ts'
import type { Notifier, NotifierOutcome } from './notifier.ts'
import { defaultSender } from '../../mail/default-sender.ts'
import type { MailService } from '../../mail/service.ts'
import { type MailResult, sendMail } from '../../mail/send.ts'

const SENDERS_WITHIN_MS = 15_000

/** @param over what is its own: another name than `mail`, and what it is told */
export const mailNotifier = (
  service: MailService,
  recipients: readonly string[],
  over: Partial<Pick<Notifier, 'name' | 'tells' | 'gathers_ms'>> = {},
): Notifier => ({
  name: 'mail',
  ...over,
  kind: 'mail',
  target: recipients.join(', '),
  async send(message, signal) {
    try {
      return outcomeOf(await post(service, recipients, message, signal))
    } catch (error) {
      signal.throwIfAborted()
      return refusedBy(error)
    }
  },
})

async function post(
  service: MailService,
  to: readonly string[],
  { id, title: subject, text }: NotificationMessage,
  signal: AbortSignal,
): Promise<MailResult> {
  const bounded = AbortSignal.any([signal, AbortSignal.timeout(SENDERS_WITHIN_MS)])
  const { address, name } = await defaultSender(service, bounded)
  const from = { from_address: address, ...(name === null ? {} : { from_name: name }) }
  return sendMail(service, { ...from, to, subject, text }, { key: `notification/${id}`, signal: bounded })
}

function outcomeOf({ state, detail, refusal, rejected }: MailResult): NotifierOutcome {
  if (state === 'sent')
    return {
      kind: 'delivered',
      detail: rejected.length === 0 ? null : `Refused for ${rejected.join(', ')}.`,
    }
  // A second one could be a double, and the next trouble is a mail of its own.
  if (state === 'unknown')
    return { kind: 'delivered', detail: `Nobody knows whether it went out: ${detail ?? ''}` }
  const why = detail ?? 'The mail was refused.'
  return refusal === null || refusal.passing
    ? { kind: 'passing', detail: why, retry_after_ms: refusal?.retry_after_ms ?? 0 }
    : { kind: 'refused', detail: why }
}

/** What no waiting cures: settings. */
const FOR_GOOD: readonly FailureCode[] = ['validation_failed', 'bad_configuration']

function refusedBy(error: unknown): NotifierOutcome {
  if (error instanceof Failure) {
    const { code, message: detail, details } = error
    return FOR_GOOD.includes(code)
      ? { kind: 'refused', detail }
      : { kind: 'passing', detail, retry_after_ms: details.retry_after_ms ?? 0 }
  }
  if (error instanceof DOMException)
    return { kind: 'passing', detail: 'The mail provider did not answer in time.', retry_after_ms: 0 }
  throw error
}
