/** The mail that a call would send, and what it would leave of the budget. Nothing is sent, counted or kept. */
import { randomUUID } from 'node:crypto'
import { invalid } from '../../kernel/failure.ts'
import type { MailPreview } from './port.ts'
import { checkMessage, type MailRequest } from './check-message.ts'
import type { MailService } from './service.ts'
import { budgetLeft, mailerOf, messageFrom, messageIdFor, verifiedSender } from './send.ts'

export interface PlannedMail {
  readonly dry_run: true
  readonly provider: 'smtp' | 'gmail'
  readonly from_address: string
  /** Everybody who would get it, those in bcc among them. */
  readonly recipients: readonly string[]
  /** Date and Message-ID are made anew by each call. */
  readonly message: MailPreview
  /** How many more may go out; this one is not counted. */
  readonly budget_left: { readonly minute: number; readonly day: number }
}

/** Throws what the send would throw before it asks the provider to take the mail. */
export async function previewForCaller(
  service: MailService,
  request: MailRequest,
  signal: AbortSignal,
): Promise<PlannedMail> {
  const mailer = mailerOf(service)
  const checked = checkMessage(request, service.recipient_domains)
  if (!checked.ok) throw invalid(checked.errors)
  const { mail } = checked
  const sender = await verifiedSender(mailer, mail.from_address, signal)
  const at = service.clock.now()
  const budget_left = await budgetLeft(service.store, service, at)
  const message_id = messageIdFor(randomUUID(), mail)
  return {
    dry_run: true,
    provider: mailer.provider,
    from_address: sender.address,
    recipients: [...mail.to, ...mail.cc, ...mail.bcc],
    message: await mailer.preview(messageFrom({ ...mail, sender, record: { message_id, begun_at: at } })),
    budget_left,
  }
}
