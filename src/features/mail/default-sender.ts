/** As whom mail is sent when nobody says: the first configured address that is verified, else the provider's default. */
import { Failure } from '../../kernel/failure.ts'
import { mailboxKey } from '../../model/network/mailbox.ts'
import type { Sender } from './port.ts'
import type { MailService } from './service.ts'
import { mailerOf } from './send.ts'

/** Throws `component_unavailable` where there is no sender at all. */
export async function defaultSender(service: MailService, signal: AbortSignal): Promise<Sender> {
  const senders = await mailerOf(service).senders(signal)
  const wanted = new Set(service.from.map(mailboxKey))
  const found =
    senders.find(({ address }) => wanted.has(mailboxKey(address))) ??
    senders.find(({ is_default }) => is_default) ??
    senders[0]
  if (found !== undefined) return found
  throw new Failure('component_unavailable', 'There is no verified sender: set PLUMBLINE_MAIL_FROM.')
}
