/** A mail that a caller sends, and what the caller is told of it: an outcome that is not known is a word of its own. */
import { randomUUID } from 'node:crypto'
import { Failure } from '../../kernel/failure.ts'
import type { MailRequest } from './check-message.ts'
import type { MailService } from './service.ts'
import { OF_CALLERS, sendMail } from './send.ts'
import type { MailAnswer } from './views.ts'

/** Throws what `sendMail` throws, and the refusal of a mail that was certainly not accepted. */
export async function sendForCaller(
  service: MailService,
  request: MailRequest,
  signal: AbortSignal,
): Promise<MailAnswer> {
  const { state, refusal, ...sent } = await sendMail(service, request, {
    key: `${OF_CALLERS}${randomUUID()}`,
    signal,
  })
  if (state !== 'refused') return { success: state === 'sent', state, ...sent }
  const { code = 'provider_refused', retry_after_ms = 0 } = refusal ?? {}
  throw new Failure(
    code,
    sent.detail ?? 'The mail was refused.',
    retry_after_ms > 0 ? { retry_after_ms } : {},
  )
}
