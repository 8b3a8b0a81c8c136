/**
 * A mail as a caller asks for it, and whether it may be sent. Pure. Headers cannot be injected: no text that becomes part
 * of one holds a line end or another control, and each address is exactly one.
 */
import { type FieldError, fieldError } from '../../kernel/failure.ts'
import { mailboxKey, mailDomain, parseMailAddress } from '../../model/network/mailbox.ts'
import { textFault } from '../../model/text/text.ts'

export interface MailRequest {
  readonly from_address: string
  readonly from_name?: string | undefined
  readonly to: readonly string[]
  readonly cc?: readonly string[] | undefined
  readonly bcc?: readonly string[] | undefined
  readonly reply_to?: string | undefined
  readonly subject: string
  readonly text?: string | undefined
  readonly html?: string | undefined
}

/** Addresses in the form in which they are sent. */
export interface CheckedMail {
  readonly from_address: string
  readonly from_name: string | null
  readonly to: readonly string[]
  readonly cc: readonly string[]
  readonly bcc: readonly string[]
  readonly reply_to: string | null
  readonly subject: string
  readonly text: string
  readonly html: string | null
}

export const MAX_RECIPIENTS = 50
const MAX_SUBJECT = 500
const MAX_NAME = 100

export type Checked =
  | { readonly ok: true; readonly mail: CheckedMail }
  | { readonly ok: false; readonly errors: readonly FieldError[] }

/** What is wrong with a mail by its grammar, whoever may receive it. */
export function mailFaults(request: MailRequest): readonly FieldError[] {
  const checked = checkMessage(request, null)
  return checked.ok ? [] : checked.errors
}

/** @param recipient_domains the only ones, or null for any */
export function checkMessage(request: MailRequest, recipient_domains: readonly string[] | null): Checked {
  const errors: FieldError[] = []
  const note = (loc: readonly (string | number)[], msg: string, type: string) =>
    errors.push(fieldError(['body', ...loc], msg, type))
  const address = (text: string, loc: readonly (string | number)[]): string => {
    const parsed = parseMailAddress(text)
    if (parsed.ok) return parsed.value
    note(loc, parsed.msg, parsed.type)
    return ''
  }
  const list = (name: 'to' | 'cc' | 'bcc') =>
    (request[name] ?? []).map((text, i) => recipient(text, [name, i]))
  const recipient = (text: string, loc: readonly (string | number)[]): string => {
    const found = address(text, loc)
    const allowed = recipient_domains === null || recipient_domains.includes(mailDomain(found))
    if (found !== '' && !allowed) note(loc, 'is in no domain that may receive mail', 'recipient_domain')
    return found
  }
  const text = (name: 'subject' | 'from_name', most: number) => {
    const fault = headerFault(request[name] ?? '', most)
    if (fault !== null) note([name], fault, 'text')
  }
  const mail: CheckedMail = {
    from_address: address(request.from_address, ['from_address']),
    from_name: request.from_name ?? null,
    to: list('to'),
    cc: list('cc'),
    bcc: list('bcc'),
    reply_to: request.reply_to === undefined ? null : address(request.reply_to, ['reply_to']),
    subject: request.subject,
    text: request.text ?? '',
    html: request.html ?? null,
  }
  text('subject', MAX_SUBJECT)
  text('from_name', MAX_NAME)
  const recipients = [...mail.to, ...mail.cc, ...mail.bcc]
  if (mail.to.length === 0) note(['to'], 'must name at least one recipient', 'recipients')
  if (recipients.length > MAX_RECIPIENTS)
    note(['to'], `and cc and bcc must hold at most ${MAX_RECIPIENTS} recipients`, 'recipients')
  if (
    new Set(recipients.map(mailboxKey)).size < recipients.length &&
    !errors.some(({ type }) => type === 'mail_address')
  )
    note(['to'], 'and cc and bcc must not hold a recipient twice', 'recipients')
  if (request.text === undefined && request.html === undefined)
    note(['text'], 'or html must be given', 'missing')
  return errors.length > 0 ? { ok: false, errors } : { ok: true, mail }
}

/** Go template marks are no danger in a mail; everything else that no stored text may hold is. */
function headerFault(text: string, most: number): string | null {
  return textFault(text.replaceAll('{{', '').replaceAll('}}', ''), most) ?? textTooLong(text, most)
}

const textTooLong = (text: string, most: number): string | null =>
  text.length > most ? `must be at most ${most} characters` : null
