/** What an answer of the Gmail API means for a mail. Pure. Source: Google's error format (`error.errors[].reason`). */
import { Failure } from '../../../../kernel/failure.ts'
import type { HttpReply } from '../../../../ports/http-client.ts'
import type { SendOutcome } from '../../port.ts'
import { objectIn, shown } from './token.ts'

const BUSY: ReadonlySet<string> = new Set([
  'rateLimitExceeded',
  'userRateLimitExceeded',
  'dailyLimitExceeded',
  'quotaExceeded',
])
const BUSY_MS = 60_000

interface Complaint {
  readonly reason: string
  readonly message: string
}

function complaintOf({ status, text }: HttpReply): Complaint {
  const error = (objectIn(text)['error'] ?? {}) as { message?: unknown; errors?: unknown }
  const first: unknown = Array.isArray(error.errors) ? error.errors[0] : null
  const reason = (first as { reason?: unknown } | null)?.reason
  return {
    reason: shown(typeof reason === 'string' ? reason : `HTTP ${status}`),
    message: shown(typeof error.message === 'string' ? error.message : ''),
  }
}

/** For an answer that is no success. A 5xx says nothing: the mail may have been taken before the answer failed. */
export function sendResult(reply: HttpReply): SendOutcome {
  const { status, retry_after_ms } = reply
  const { reason, message } = complaintOf(reply)
  const detail = `gmail: the API answered ${status} (${reason}) ${message}`.trim()
  if (status >= 500 || status < 400) return { kind: 'unknown', detail }
  if (isBusy(status, reason)) {
    const wait_ms = retry_after_ms ?? BUSY_MS
    return { kind: 'refused', code: 'provider_busy', detail, passing: true, retry_after_ms: wait_ms }
  }
  const denied = status === 401 || status === 403
  return {
    kind: 'refused',
    code: denied ? 'provider_credentials' : 'provider_refused',
    detail: denied ? `${detail} ${SCOPES}` : detail,
    passing: false,
    retry_after_ms: 0,
  }
}

const SCOPES = 'The refresh token needs the scopes gmail.send and gmail.settings.basic.'

const isBusy = (status: number, reason: string): boolean =>
  status === 429 || (status === 403 && BUSY.has(reason))

/** The same for listing senders. */
export const readFailure = (reply: HttpReply): Failure => failureOf(reply, SCOPES)

/** The same for a search, which needs more than sending does. */
export const findFailure = (reply: HttpReply): Failure =>
  failureOf(
    reply,
    'To find out what became of a mail, the refresh token also needs the scope gmail.readonly.',
  )

function failureOf(reply: HttpReply, scopes: string): Failure {
  const { status, retry_after_ms } = reply
  const { reason, message } = complaintOf(reply)
  const said = `gmail: the API answered ${status} (${reason}) ${message}`.trim()
  if (isBusy(status, reason))
    return new Failure('provider_busy', said, { retry_after_ms: retry_after_ms ?? BUSY_MS })
  return status === 401 || status === 403
    ? new Failure('provider_credentials', `${said} ${scopes}`)
    : new Failure('component_unavailable', said)
}
