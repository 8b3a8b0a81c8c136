/**
 * A mail as bytes (RFC 5322, MIME). Headers are encoded by the library (RFC 2047); whatever a text holds, the message has
 * exactly the headers that are named here, because line ends and controls are taken out of every value before it.
 */
import type { Mail, MailParty, MailPreview } from '../port.ts'

/** CRLF lines. Bcc is in no header: it belongs to the envelope. @param bcc for providers that read it from the header */
export async function composeMail(mail: Mail, options: { readonly bcc?: boolean } = {}): Promise<Buffer> {
  // Loaded on first use: who sends no mail does not pay for it (20 MB).
  const { default: MailComposer } = await import('nodemailer/lib/mail-composer')
  const composer = new MailComposer({
    from: partyOf(mail.from),
    to: mail.to.map(partyOf),
    cc: mail.cc.map(partyOf),
    ...(options.bcc === true && mail.bcc.length > 0 ? { bcc: mail.bcc.map(partyOf) } : {}),
    ...(mail.reply_to === null ? {} : { replyTo: partyOf(mail.reply_to) }),
    subject: oneLine(mail.subject),
    messageId: mail.message_id,
    date: new Date(mail.at),
    text: withLineEnds(mail.text),
    ...(mail.html === null ? {} : { html: withLineEnds(mail.html) }),
    // Nothing is ever fetched or read from a disk to make a message.
    disableFileAccess: true,
    disableUrlAccess: true,
    newline: 'windows',
  })
  const node = composer.compile()
  node.keepBcc = options.bcc === true
  return new Promise((resolve, reject) => {
    node.build((error, message) => (error ? reject(error) : resolve(message)))
  })
}

/** What goes before the first empty line, with folded lines put together (RFC 5322 §2.2.3). */
export async function previewMail(
  mail: Mail,
  options: { readonly bcc?: boolean } = {},
): Promise<MailPreview> {
  const bytes = await composeMail(mail, options)
  const [head = ''] = bytes.toString('latin1').split('\r\n\r\n', 1)
  const headers = head
    .replace(/\r\n(?=[ \t])/g, '')
    .split('\r\n')
    .map((line) => ({
      name: line.slice(0, line.indexOf(':')),
      value: line.slice(line.indexOf(':') + 1).trim(),
    }))
  return { headers, size_bytes: bytes.length }
}

const partyOf = ({ address, name }: MailParty) => ({ address, name: name === null ? '' : oneLine(name) })

// eslint-disable-next-line no-control-regex
const BREAKS = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g

const oneLine = (text: string): string => text.replace(BREAKS, ' ').trim()

/**
 * A CR stands only before an LF (RFC 5322 §2.3); the library sees to LF alone. A server that takes a bare CR for a line
 * end would read `\r.\r` as the end of the mail, and what follows as commands of ours that nobody has checked.
 */
const withLineEnds = (text: string): string => text.replace(/\r(?!\n)/g, '\n')
