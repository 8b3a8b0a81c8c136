/**
 * Mail through the Gmail API (users.messages.send, users.settings.sendAs). Gmail does not refuse a sender that is not
 * verified: it puts the default address in its place and answers 200. So senders are asked for before.
 */
import type { Clock, Instant, Milliseconds } from '../../../../kernel/clock.ts'
import { Failure } from '../../../../kernel/failure.ts'
import { KNOWN_DEAD } from '../../../../kernel/async/peer-gate.ts'
import type { Secret } from '../../../../kernel/secret.ts'
import type { HttpClient, HttpReply, HttpRequest } from '../../../../ports/http-client.ts'
import type { FoundMail, Mail, Mailer, Sender, SendOutcome } from '../../port.ts'
import { composeMail, previewMail } from '../compose.ts'
import { AccessTokens, objectIn } from './token.ts'
import { findFailure, readFailure, sendResult } from './result.ts'

export interface GmailOptions {
  readonly http: HttpClient
  readonly clock: Clock
  /** Without a slash at the end. */
  readonly base: string
  readonly token_url: string
  readonly client_id: string
  readonly client_secret: Secret
  readonly refresh_token: Secret
}

const SENDERS_KEPT_MS: Milliseconds = 5 * 60_000
const SEND_DEADLINE_MS: Milliseconds = 30_000

/** Failures of a connection that was never made: nothing was sent over it. */
const NEVER_CONNECTED: ReadonlySet<string> = new Set([
  KNOWN_DEAD,
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'CERT_HAS_EXPIRED',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'ERR_TLS_CERT_ALTNAME_INVALID',
])

export function gmailMailer(options: GmailOptions): Mailer {
  const tokens = new AccessTokens({ ...options, url: options.token_url })
  const user = `${options.base}/gmail/v1/users/me`
  let known: { readonly senders: readonly Sender[]; readonly at: Instant } | null = null

  /** Asks once more with a new token where the first was refused: a 401 means that nothing was done. */
  async function asked(request: MailerRequest): Promise<HttpReply> {
    const once = async (token: Secret) =>
      options.http.request({ ...request, headers: { authorization: `Bearer ${token.reveal()}` } })
    const first = await tokenFor(request.signal)
    await request.leaving?.().catch(notAsked)
    const reply = await once(first)
    if (reply.status !== 401) return reply
    tokens.drop(first)
    return once(await tokenFor(request.signal))
  }

  const tokenFor = (signal: AbortSignal) => tokens.valid(signal).catch(notAsked)

  async function freshSenders(signal: AbortSignal): Promise<readonly Sender[]> {
    const reply = await asked({ method: 'GET', url: `${user}/settings/sendAs`, signal }).catch(asFailure)
    if (reply.status !== 200) throw readFailure(reply)
    const senders = sendersIn(reply.text)
    known = { senders, at: options.clock.now() }
    return senders
  }

  return {
    provider: 'gmail',
    async senders(signal) {
      const age_ms = known === null ? Infinity : options.clock.now() - known.at
      return known !== null && age_ms >= 0 && age_ms < SENDERS_KEPT_MS ? known.senders : freshSenders(signal)
    },
    send: (mail, leaving, signal) => sendThrough(asked, `${user}/messages/send`, { mail, leaving, signal }),
    preview: (mail) => previewMail(mail, { bcc: true }),
    async find(message_id, signal) {
      const url = `${user}/messages?${searchFor(message_id)}`
      const reply = await asked({ method: 'GET', url, signal }).catch(asFailure)
      if (reply.status !== 200) throw findFailure(reply)
      return messageIn(reply.text)
    },
    async refresh(signal) {
      known = null
      await tokens.renew(signal)
      return tokens.state()
    },
    token: () => tokens.state(),
    check: async (signal) => void (await freshSenders(signal)),
  }
}

/** `leaving` comes when there is a token and nothing has gone out. */
type MailerRequest = Omit<HttpRequest, 'headers'> & { readonly leaving?: () => Promise<void> }

async function sendThrough(
  asked: (request: MailerRequest) => Promise<HttpReply>,
  url: string,
  {
    mail,
    leaving,
    signal,
  }: { readonly mail: Mail; readonly leaving: () => Promise<void>; readonly signal: AbortSignal },
): Promise<SendOutcome> {
  const raw = (await composeMail(mail, { bcc: true })).toString('base64url')
  try {
    const deadline_ms = SEND_DEADLINE_MS
    const reply = await asked({ method: 'POST', url, json: { raw }, signal, deadline_ms, leaving })
    if (reply.status !== 200) return sendResult(reply)
    const { id } = objectIn(reply.text)
    return { kind: 'sent', provider_id: typeof id === 'string' ? id.slice(0, 200) : null, rejected: [] }
  } catch (error) {
    return brokenOff(error)
  }
}

/** The API itself heard nothing of the call. */
class NotAsked extends Error {
  readonly failure: Failure

  constructor(failure: Failure) {
    super(failure.message)
    this.failure = failure
  }
}

function notAsked(error: unknown): never {
  throw error instanceof Failure ? new NotAsked(error) : error
}

function asFailure(error: unknown): never {
  throw error instanceof NotAsked ? error.failure : error
}

/** Without an answer only a connection that was never made says that nothing left. */
function brokenOff(error: unknown): SendOutcome {
  const failure = error instanceof NotAsked ? error.failure : error
  if (!(failure instanceof Failure)) return { kind: 'unknown', detail: 'gmail: the call was broken off.' }
  const { code, message, details } = failure
  const unsent = error instanceof NotAsked || NEVER_CONNECTED.has(details.inside ?? '')
  if (!unsent) return { kind: 'unknown', detail: message }
  const passing = code === 'component_unavailable'
  return { kind: 'refused', code, detail: message, passing, retry_after_ms: details.retry_after_ms ?? 0 }
}

/** Usable are the primary address, which has no status of its own, and aliases that were verified. */
function sendersIn(text: string): readonly Sender[] {
  const list: unknown = objectIn(text)['sendAs']
  if (!Array.isArray(list))
    throw new Failure(
      'component_unavailable',
      'gmail: the list of senders has no sendAs; the API has changed.',
    )
  return (list as readonly Record<string, unknown>[]).flatMap((entry) => {
    const { sendAsEmail, displayName, isPrimary, isDefault, verificationStatus } = entry
    const usable = isPrimary === true || verificationStatus === 'accepted'
    if (!usable || typeof sendAsEmail !== 'string') return []
    const name = typeof displayName === 'string' && displayName !== '' ? displayName : null
    return [{ address: sendAsEmail, name, is_default: isDefault === true }]
  })
}

/**
 * Looks for a sent message by its Message-ID, which needs a scope that reads: gmail.readonly, gmail.modify or the full one;
 * gmail.metadata takes no `q`. The query's text. Gmail wants the id without its angle brackets; somebody may have thrown the message away.
 */
const searchFor = (message_id: string): string =>
  new URLSearchParams({
    q: `rfc822msgid:${message_id.replace(/^<|>$/g, '')}`,
    maxResults: '1',
    includeSpamTrash: 'true',
  }).toString()

/** An empty result has no list at all. What is no result is not taken for an empty one. */
function messageIn(text: string): FoundMail | 'absent' {
  const { messages, resultSizeEstimate } = objectIn(text)
  const [first] = Array.isArray(messages) ? (messages as readonly ({ id?: unknown } | null)[]) : []
  if (typeof first?.id === 'string') return { provider_id: first.id.slice(0, 200) }
  if (messages === undefined && typeof resultSizeEstimate === 'number') return 'absent'
  throw new Failure('component_unavailable', 'gmail: the answer to a search is no list; the API has changed.')
}
