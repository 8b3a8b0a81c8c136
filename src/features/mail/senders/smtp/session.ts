/** One SMTP session for one mail: what happened is told by how far it came, since only that says whether it may have left. */
import { Readable } from 'node:stream'
import { tlsWords } from '../../../../kernel/text/tls-words.ts'
import type { Secret } from '../../../../kernel/secret.ts'

export interface SmtpServer {
  readonly host: string
  readonly port: number
  /** `starttls` is required, never only tried: an attacker in between would take it away. */
  readonly tls: 'starttls' | 'implicit' | 'none'
  readonly login: { readonly user: string; readonly password: Secret } | null
  /** Certificates that are trusted beside the system's; null for none. */
  readonly ca: string | null
}

export interface Envelope {
  readonly from: string
  readonly to: readonly string[]
}

/** Trouble in a session. */
export class SmtpError extends Error {
  /** What the server answered; null where it said nothing. */
  readonly reply_code: number | null
  /** Whether the text was on its way already. */
  readonly on_its_way: boolean
  readonly is_login: boolean

  constructor(message: string, facts: Pick<SmtpError, 'reply_code' | 'on_its_way' | 'is_login'>) {
    super(message)
    this.reply_code = facts.reply_code
    this.on_its_way = facts.on_its_way
    this.is_login = facts.is_login
  }
}

export interface Accepted {
  /** The last words of the server. */
  readonly response: string
  readonly rejected: readonly string[]
}

export interface OutgoingText {
  readonly envelope: Envelope
  readonly bytes: Buffer
  /** Awaited when the server is ready for the text and has none of it. */
  readonly leaving: () => Promise<void>
}

const STEP_MS = 15_000

/** Ends by the signal. Throws SmtpError. With null for the message it ends after the login. */
export async function smtpSession(
  server: SmtpServer,
  message: OutgoingText | null,
  signal: AbortSignal,
): Promise<Accepted | null> {
  const { default: SMTPConnection } = await import('nodemailer/lib/smtp-connection')
  const connection = new SMTPConnection({
    host: server.host,
    port: server.port,
    secure: server.tls === 'implicit',
    requireTLS: server.tls === 'starttls',
    ignoreTLS: server.tls === 'none',
    connectionTimeout: STEP_MS,
    greetingTimeout: STEP_MS,
    dnsTimeout: STEP_MS,
    socketTimeout: 2 * STEP_MS,
    socketCloseTimeout: 500,
    ...(server.ca === null ? {} : { tls: { ca: server.ca } }),
  })
  let on_its_way = false
  const broken = Promise.withResolvers<never>()
  broken.promise.catch(() => undefined)
  const asSmtpError = (error: unknown, is_login = false) => smtpErrorOf(error, { on_its_way, is_login })
  // It goes on telling of errors after the first; without a listener one would end the process.
  connection.on('error', (error: unknown) => broken.reject(asSmtpError(error)))
  const abort = () => broken.reject(asSmtpError(new Error('was broken off')))
  signal.addEventListener('abort', abort, { once: true })
  const step = <T>(work: Promise<T>) => Promise.race([work, broken.promise])
  try {
    if (signal.aborted) abort()
    await step(called((done) => connection.connect(done)))
    if (server.login !== null) {
      const { user, password } = server.login
      const auth = { user, pass: password.reveal() }
      await step(
        called((done) => connection.login(auth, done)).catch((error) =>
          Promise.reject(asSmtpError(error, true)),
        ),
      )
    }
    if (message === null) return null
    const { envelope, bytes, leaving } = message
    const text = announced(bytes, async () => {
      await leaving()
      on_its_way = true
    })
    const info = await step(
      new Promise<Accepted>((resolve, reject) => {
        connection.send({ from: envelope.from, to: [...envelope.to] }, text, (error, info) =>
          error
            ? reject(error)
            : resolve({ response: String(info?.response), rejected: info?.rejected ?? [] }),
        )
      }),
    )
    return info
  } catch (error) {
    throw error instanceof SmtpError ? error : asSmtpError(error)
  } finally {
    signal.removeEventListener('abort', abort)
    connection.quit()
    connection.close()
  }
}

const called = (start: (done: (error?: unknown) => void) => void): Promise<void> =>
  new Promise((resolve, reject) =>
    start((error) => (error === null || error === undefined ? resolve() : reject(error))),
  )

/** The bytes as a stream that asks before it gives any. */
function announced(bytes: Buffer, leaving: () => Promise<void>): Readable {
  let asked = false
  return new Readable({
    read() {
      if (asked) return
      asked = true
      leaving().then(
        () => {
          this.push(bytes)
          this.push(null)
        },
        (error: Error) => this.destroy(error),
      )
    },
  })
}

function smtpErrorOf(
  error: unknown,
  { on_its_way, is_login }: { readonly on_its_way: boolean; readonly is_login: boolean },
): SmtpError {
  const { message, responseCode, code, originalCode } = error as {
    readonly [name in 'message' | 'code' | 'originalCode']?: string
  } & { readonly responseCode?: number }
  const words = tlsWords(originalCode ?? code ?? null, 'PLUMBLINE_SMTP_CA_FILE')
  const reply_code = typeof responseCode === 'number' && responseCode > 0 ? responseCode : null
  return new SmtpError(words ?? String(message), { reply_code, on_its_way, is_login })
}
