/** A real SMTP server that keeps what it is given and misbehaves on command. */
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'

export interface Caught {
  readonly from: string
  readonly to: readonly string[]
  readonly raw: Buffer
  readonly email: Email
}

export interface SmtpSink {
  readonly port: number
  readonly mails: readonly Caught[]
  /** What happens to the next mails: null for acceptance. */
  misbehave(how: Misbehaviour | null): void
  /** Called when a mail is complete, before the answer. */
  onMail(listener: () => Promise<void>): void
  close(): Promise<void>
}

/** `vanish`: the connection ends after the text, without an answer. `forget`: as that, and the mail is kept all the same. */
export type Misbehaviour =
  | { readonly reply: number; readonly at: 'from' | 'to' | 'data' }
  | 'vanish'
  | 'forget'

export async function smtpSink(options: SMTPServerOptions = {}): Promise<SmtpSink> {
  const mails: Caught[] = []
  let how: Misbehaviour | null = null
  let listener = async () => {}
  const refusal = (at: string): Error | null =>
    typeof how === 'object' && how?.at === at
      ? Object.assign(new Error(`no at ${at}`), { responseCode: how.reply })
      : null
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: options.onAuth === undefined ? ['AUTH', 'STARTTLS'] : [],
    hideSTARTTLS: options.secure !== true && options.cert === undefined,
    logger: false,
    onMailFrom: (_address, _session, done) => done(refusal('from')),
    onRcptTo: (_address, _session, done) => done(refusal('to')),
    onData(stream, session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        void keep(Buffer.concat(chunks))
          .then(() => refusal('data'))
          .catch((error: Error) => error)
          // oxlint-disable-next-line no-callback-in-promise
          .then((answer) => done(answer))
      })
      const keep = async (raw: Buffer) => {
        if (refusal('data') !== null) return
        const { mailFrom, rcptTo } = session.envelope
        if (how !== 'vanish') {
          const from = mailFrom === false ? '' : mailFrom.address
          mails.push({
            from,
            to: rcptTo.map(({ address }) => address),
            raw,
            email: await PostalMime.parse(raw),
          })
        }
        await listener()
        if (how === 'vanish' || how === 'forget') {
          for (const connection of server.connections) connection._socket?.destroy()
          throw new Error('gone')
        }
      }
    },
    ...options,
  })
  // A client that is killed ends its connection in the middle.
  server.on('error', () => undefined)
  const listening = server.listen(0, '127.0.0.1')
  await once(listening, 'listening')
  return {
    port: (listening.address() as AddressInfo).port,
    mails,
    misbehave: (next) => (how = next),
    onMail: (next) => (listener = next),
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}
