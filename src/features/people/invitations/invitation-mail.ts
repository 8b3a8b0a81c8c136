/** The mail of an invitation: sent once, or a sentence that says why it is not and what to do. */
import { Failure } from '../../../kernel/failure.ts'
import type { MailState, Person } from '../records.ts'
import type { MailService } from '../../mail/service.ts'
import { defaultSender } from '../../mail/default-sender.ts'
import { type MailResult, sendMail } from '../../mail/send.ts'
import { instructionsFor } from './instructions.ts'

export interface InvitationMail {
  readonly portal_url: string | null
  readonly key: string
  readonly signal: AbortSignal
}

export interface MailEnd {
  readonly mail: MailState
  /** Why it is not out, and what to do; null where it is. */
  readonly detail: string | null
}

/** Throws a Failure where a later try may succeed. */
export async function sendInvitation(
  service: MailService,
  person: Person,
  { portal_url, key, signal }: InvitationMail,
): Promise<MailEnd> {
  if (service.mailer === null)
    return notSent('Mail is not configured, so nothing was sent: pass the instructions on yourself.')
  const { address, name } = await defaultSender(service, signal)
  const request = {
    from_address: address,
    ...(name === null ? {} : { from_name: name }),
    to: [person.email],
    ...instructionsFor(person, portal_url),
  }
  const sent = await sendMail(service, request, { key, signal }).catch(forGood)
  if (typeof sent === 'string') return notSent(`The mail was refused for good: ${sent}`)
  return endOf(sent)
}

function endOf({ state, detail, refusal }: MailResult): MailEnd {
  if (state === 'sent') return { mail: 'sent', detail: null }
  if (state === 'unknown')
    return {
      mail: 'not_known',
      detail: `Whether the mail went out is not known (${detail}). It is not sent again by itself.`,
    }
  if (refusal?.passing === true)
    throw new Failure(refusal.code, detail ?? '', { retry_after_ms: refusal.retry_after_ms })
  return notSent(`The mail was refused for good: ${detail}`)
}

const notSent = (detail: string): MailEnd => ({ mail: 'not_sent', detail })

/** No later try cures what is not allowed, such as an address in no domain that may receive mail. */
function forGood(error: unknown): string {
  if (error instanceof Failure && error.code === 'validation_failed') return error.message
  throw error
}
