/** Mail over SMTP (RFC 5321). Senders are those that the operator lists: the protocol has no way to ask. */
import { Failure } from '../../../../kernel/failure.ts'
import type { PeerGate } from '../../../../kernel/async/peer-gate.ts'
import { Secret } from '../../../../kernel/secret.ts'
import type { Mail, Mailer, Sender, SendOutcome } from '../../port.ts'
import { composeMail, previewMail } from '../compose.ts'
import { type SmtpServer, smtpSession, SmtpError } from './session.ts'

export interface SmtpOptions extends SmtpServer {
  /** The first is the default. */
  readonly senders: readonly string[]
  /**
   * Stands before looks. A mail insists: a relay may greet strangers late, more than a probe waits, and a mail has a
   * deadline of its own.
   */
  readonly gate: Pick<PeerGate, 'run'>
}

const MAX_SHOWN = 300
const LATER_MS = 60_000

export function smtpMailer(options: SmtpOptions): Mailer {
  const senders: readonly Sender[] = options.senders.map((address, i) => ({
    address,
    name: null,
    is_default: i === 0,
  }))
  return {
    provider: 'smtp',
    senders: async () => senders,
    send: (mail, leaving, signal) => sendOver(options, mail, { leaving, signal }),
    preview: (mail) => previewMail(mail),
    // A relay keeps no mailbox that could be asked.
    find: async () => null,
    refresh: async () => null,
    token: () => null,
    check: (signal) => assertTakesMail(options, signal),
  }
}

async function sendOver(
  options: SmtpOptions,
  mail: Mail,
  { leaving, signal }: { readonly leaving: () => Promise<void>; readonly signal: AbortSignal },
): Promise<SendOutcome> {
  const bytes = await composeMail(mail)
  try {
    const text = { envelope: envelopeOf(mail), bytes, leaving }
    const how = { signal, insists: true }
    const accepted = await options.gate.run(() => smtpSession(options, text, signal), how)
    return { kind: 'sent', provider_id: shown(accepted!.response), rejected: accepted!.rejected }
  } catch (error) {
    if (error instanceof SmtpError) return outcomeOf(error, options)
    throw error
  }
}

async function assertTakesMail(options: SmtpOptions, signal: AbortSignal): Promise<void> {
  try {
    await options.gate.run(() => smtpSession(options, null, signal), { signal })
  } catch (error) {
    if (!(error instanceof SmtpError)) throw error
    throw new Failure(
      error.is_login ? 'provider_credentials' : 'component_unavailable',
      `${placeOf(options)} ${saidOf(error, options)}`,
      { cause: error },
    )
  }
}

const envelopeOf = ({ from, to, cc, bcc }: Mail) => ({
  from: from.address,
  to: [...new Set([...to, ...cc, ...bcc].map(({ address }) => address))],
})

const placeOf = ({ host, port }: SmtpOptions): string => `smtp: ${host}:${port}`

/** A reply is the server's word. Silence means "not taken" only as long as the text had not left. */
function outcomeOf(error: SmtpError, options: SmtpOptions): SendOutcome {
  const detail = `${placeOf(options)} ${saidOf(error, options)}`
  const { reply_code, on_its_way, is_login } = error
  if (reply_code === null && on_its_way) return { kind: 'unknown', detail }
  const passing = reply_code === null || (reply_code >= 400 && reply_code < 500)
  const code = is_login ? 'provider_credentials' : passing ? 'component_unavailable' : 'provider_refused'
  return { kind: 'refused', code, detail, passing, retry_after_ms: passing ? LATER_MS : 0 }
}

/** The library quotes replies; a server that repeats a password in one, plain or as AUTH sends it, must not bring it into a log. */
function saidOf({ message }: SmtpError, { login }: SmtpOptions): string {
  if (login === null) return `failed: ${shown(message)}`
  const { user, password } = login
  const sent = [`\u0000${user}\u0000${password.reveal()}`, password.reveal()]
  const coded = sent.map((text) => new Secret(Buffer.from(text).toString('base64')))
  return `failed: ${shown([...coded, password].reduce((text, one) => one.hideIn(text), message))}`
}

// oxlint-disable-next-line no-control-regex
const CONTROLS = /[\u0000-\u001f\u007f-\u009f]+/g

const shown = (text: string): string => text.replace(CONTROLS, ' ').slice(0, MAX_SHOWN)
