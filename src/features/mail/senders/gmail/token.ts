/**
 * The access token of the Gmail API, from a refresh token (RFC 6749 §6). One refresh at a time, five minutes before the
 * end; a refresh token that Google takes no more is not presented again until a person asks for it.
 */
import type { Clock, Instant, Milliseconds } from '../../../../kernel/clock.ts'
import { Failure } from '../../../../kernel/failure.ts'
import { Secret } from '../../../../kernel/secret.ts'
import { SingleFlight } from '../../../../kernel/async/single-flight.ts'
import { untilAborted } from '../../../../kernel/async/until-aborted.ts'
import type { HttpClient, HttpReply } from '../../../../ports/http-client.ts'
import type { TokenState } from '../../port.ts'

export interface TokenOptions {
  readonly http: HttpClient
  readonly clock: Clock
  readonly url: string
  readonly client_id: string
  readonly client_secret: Secret
  readonly refresh_token: Secret
}

interface AccessToken {
  readonly secret: Secret
  readonly expires_at: Instant
}

const EARLY_MS: Milliseconds = 5 * 60_000
/** They live an hour. A slip of the other side must not become a time that cannot be written down. */
const MAX_MS: Milliseconds = 24 * 3_600_000
const DEADLINE_MS: Milliseconds = 15_000

const RENEW =
  'Grant access again (a consent with access_type=offline) and set the new PLUMBLINE_GMAIL_REFRESH_TOKEN. ' +
  'A refresh token ends when access is taken back, after six months without use, after a change of the password, ' +
  'and after seven days while the consent screen is in "Testing".'

export class AccessTokens {
  readonly #options: TokenOptions
  #token: AccessToken | null = null
  #refused: string | null = null
  #failing: string | null = null
  /** Callers share one refresh, and none of them can end it for the others. */
  readonly #refreshing = new SingleFlight(() => this.#refresh())

  constructor(options: TokenOptions) {
    this.#options = options
  }

  /** One that is good for minutes. Throws `provider_credentials` without asking where a person has to act first. */
  async valid(signal: AbortSignal): Promise<Secret> {
    const { clock } = this.#options
    if (this.#token !== null && clock.now() < this.#token.expires_at - EARLY_MS) return this.#token.secret
    if (this.#refused !== null) throw new Failure('provider_credentials', this.#refused)
    return (await untilAborted(this.#refreshing.join(), signal)).secret
  }

  /** A new one now, also after a refusal: a person has asked. */
  async renew(signal: AbortSignal): Promise<Secret> {
    this.#refused = null
    return (await untilAborted(this.#refreshing.join(), signal)).secret
  }

  /** The API refused this one: it is not used again. */
  drop(secret: Secret): void {
    if (this.#token?.secret === secret) this.#token = null
  }

  state(): TokenState {
    const { clock } = this.#options
    const expires_at = this.#token?.expires_at ?? null
    if (this.#refused !== null) return { state: 'needs_consent', expires_at, reason: this.#refused }
    if (expires_at !== null && clock.now() < expires_at) return { state: 'valid', expires_at, reason: null }
    if (this.#failing !== null) return { state: 'failing', expires_at, reason: this.#failing }
    return expires_at === null
      ? { state: 'never_asked', expires_at, reason: 'No access token was asked for yet.' }
      : { state: 'expired', expires_at, reason: 'The access token has ended; the next call gets a new one.' }
  }

  async #refresh(): Promise<AccessToken> {
    const { http, clock, url } = this.#options
    try {
      const asked_at = clock.now()
      const reply = await http.request({
        method: 'POST',
        url,
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: this.#form(),
        signal: AbortSignal.timeout(DEADLINE_MS),
        deadline_ms: DEADLINE_MS,
        max_bytes: 64 * 1024,
      })
      this.#token = this.#tokenIn(reply, asked_at)
      this.#failing = null
      return this.#token
    } catch (error) {
      this.#failing = (error as Error).message
      throw error
    }
  }

  #form(): string {
    const { client_id, client_secret, refresh_token } = this.#options
    return new URLSearchParams({
      client_id,
      client_secret: client_secret.reveal(),
      refresh_token: refresh_token.reveal(),
      grant_type: 'refresh_token',
    }).toString()
  }

  #tokenIn({ status, text, retry_after_ms }: HttpReply, asked_at: Instant): AccessToken {
    const body = objectIn(text)
    if (status === 200 && typeof body['access_token'] === 'string') {
      const seconds = Number(body['expires_in'])
      const lives_ms = seconds > 0 ? Math.min(seconds * 1000, MAX_MS) : EARLY_MS * 2
      return { secret: new Secret(body['access_token']), expires_at: asked_at + lives_ms }
    }
    const { client_secret, refresh_token } = this.#options
    const error_code = typeof body['error'] === 'string' ? body['error'] : `HTTP ${status}`
    const error = client_secret.hideIn(refresh_token.hideIn(error_code))
    if (REFUSALS.has(error)) {
      this.#refused = `gmail: Google refuses the credentials (${error}). ${remedyFor(error)}`
      throw new Failure('provider_credentials', this.#refused)
    }
    throw new Failure(
      'component_unavailable',
      `gmail: the token endpoint answered ${status} (${shown(error)}).`,
      retry_after_ms === null ? {} : { retry_after_ms },
    )
  }
}

const REFUSALS: ReadonlySet<string> = new Set(['invalid_grant', 'invalid_client', 'unauthorized_client'])

const remedyFor = (error: string): string =>
  error === 'invalid_grant'
    ? RENEW
    : 'Check PLUMBLINE_GMAIL_CLIENT_ID and PLUMBLINE_GMAIL_CLIENT_SECRET: they must belong to the client of the refresh token.'

/** An empty object where the text is no JSON object. */
export function objectIn(text: string): Record<string, unknown> {
  try {
    const data: unknown = JSON.parse(text)
    return typeof data === 'object' && data !== null && !Array.isArray(data)
      ? (data as Record<string, unknown>)
      : {}
  } catch {
    return {}
  }
}

/** Words of a stranger, short and without anything that could be a secret or a control. */
export const shown = (text: string): string => text.replace(/[^\x20-\x7e]+/g, ' ').slice(0, 120)
