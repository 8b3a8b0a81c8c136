/**
 * One UniFi controller's private API: the prefix of its flavour, the API key or the cookie of a login, the CSRF token that
 * comes with any answer, and the envelope around every list.
 *
 * With a key there is nothing to log in to. Without one, a login is made at the first call and once more when it is
 * refused; a controller that has had enough of logins is left alone for a while, because each further one prolongs it.
 */
import { untilAborted } from '../../../kernel/async/until-aborted.ts'
import type { Clock, Instant, Milliseconds } from '../../../kernel/clock.ts'
import { parsedLargeJson } from '../../../kernel/text/large-json.ts'
import { asRecord, asRecords, asText, type Json } from '../../../kernel/text/lenient.ts'
import type { Secret } from '../../../kernel/secret.ts'
import type { HttpClient, HttpReply } from '../../../ports/http-client.ts'
import { Unusable } from '../model/unusable.ts'
import { NEVER_ABORTED } from '../../../kernel/async/never-aborted.ts'

export type UnifiCredential =
  | { readonly kind: 'key'; readonly key: Secret }
  | { readonly kind: 'login'; readonly user: string; readonly password: Secret }

export interface SessionOptions {
  readonly name: string
  /** `https://192.168.1.1`, without a slash at its end. */
  readonly base: string
  readonly credential: UnifiCredential
  readonly http: HttpClient
  readonly clock: Clock
}

interface Flavour {
  readonly prefix: string
  readonly login: string
}

const UNIFI_OS: Flavour = { prefix: '/proxy/network', login: '/api/auth/login' }
const CLASSIC: Flavour = { prefix: '', login: '/api/login' }

const MAX_BYTES = 64 * 1024 * 1024
/** Every client that a controller remembers has some hundred. */
const MAX_VALUES = 2_000_000
const DEADLINE_MS = 10_000
const STAY_AWAY_MS: Milliseconds = 60_000
/** No controller may keep us from looking for longer, whatever it asks for. */
const MAX_AWAY_MS: Milliseconds = 15 * 60_000

interface UnifiRequest {
  readonly method: 'GET' | 'POST' | 'PUT'
  readonly path: string
  readonly json?: unknown
  readonly signal: AbortSignal
  readonly deadline_ms?: Milliseconds
}

export interface Entries {
  readonly rows: readonly Json[]
  readonly unreadable: number
}

export class UnifiSession {
  readonly #options: SessionOptions
  #flavour: Flavour | null
  #cookies = new Map<string, string>()
  #csrf: string | null = null
  #logging_in: Promise<void> | null = null
  #logins = 0
  #stay_away_until: Instant = -Infinity

  constructor(options: SessionOptions) {
    this.#options = options
    this.#flavour = options.credential.kind === 'key' ? UNIFI_OS : null
  }

  /** The `data` of the answer to a call below the prefix. Throws `Unusable`, a Failure, or the signal's reason. */
  async data(call: UnifiRequest): Promise<readonly Json[]> {
    return (await this.entries(call)).rows
  }

  /** The same, with how many entries of it are no objects. */
  async entries(call: UnifiRequest): Promise<Entries> {
    const reply = await this.#authorised(call)
    const body = asRecord(await parsedLargeJson(reply.text))
    const meta = asRecord(body['meta'])
    const data = asRecords(body['data'])
    if (reply.status < 300 && asText(meta['rc']) === 'ok' && data !== null)
      return { rows: data, unreadable: (body['data'] as readonly unknown[]).length - data.length }
    throw this.#refusal(call.path, reply, meta, body)
  }

  /** The entries of a bare list, as the `/v2/api` family answers. Throws like `data`. */
  async list(call: UnifiRequest): Promise<readonly Json[]> {
    const entries = asRecords(await this.body(call))
    if (entries !== null) return entries
    throw new Unusable('unreadable', `${call.path} was not answered with a list`)
  }

  /** The JSON of an answer without an envelope. Throws like `data`. */
  async body(call: UnifiRequest): Promise<unknown> {
    const reply = await this.#authorised(call)
    const body = await parsedLargeJson(reply.text)
    if (reply.status < 300 && body !== undefined) return body
    throw this.#refusal(call.path, reply, {}, asRecord(body))
  }

  /** The official API takes nothing but a key. */
  get has_key(): boolean {
    return this.#options.credential.kind === 'key'
  }

  async #authorised(call: UnifiRequest): Promise<HttpReply> {
    if (this.#options.credential.kind === 'key') return this.#send(UNIFI_OS.prefix, call)
    if (this.#cookies.size === 0) await this.#login(call.signal)
    const logins = this.#logins
    const first = await this.#send(this.#flavour!.prefix, call)
    if (first.status !== 401 && !saysLoginRequired(first)) return first
    // Somebody who was refused at the same time may have logged in meanwhile.
    if (logins === this.#logins) await this.#login(call.signal)
    return this.#send(this.#flavour!.prefix, call)
  }

  /** Several calls that find the session ended log in once. Whoever began it may go away: it ends by its own time. */
  async #login(signal: AbortSignal): Promise<void> {
    this.#logging_in ??= this.#logIn(NEVER_ABORTED).finally(() => (this.#logging_in = null))
    await untilAborted(this.#logging_in, signal)
  }

  async #logIn(signal: AbortSignal): Promise<void> {
    const { credential, clock } = this.#options
    if (credential.kind === 'key') return
    const wait_ms = this.#stay_away_until - clock.now()
    if (wait_ms > 0 && wait_ms <= MAX_AWAY_MS) {
      const minutes = Math.ceil(wait_ms / 60_000)
      const when = minutes === 1 ? 'a minute' : `${minutes} minutes`
      throw new Unusable('refused', `it asks to wait between logins; the next one is tried within ${when}`)
    }
    this.#cookies.clear()
    this.#csrf = null
    this.#flavour ??= await this.#findFlavour(signal)
    const remember = this.#flavour === UNIFI_OS ? { rememberMe: true } : { remember: true }
    const json = { username: credential.user, password: credential.password.reveal(), ...remember }
    const reply = await this.#send('', { method: 'POST', path: this.#flavour.login, json, signal })
    if (reply.status < 300 && this.#cookies.size > 0) return void this.#logins++
    if (reply.status === 429)
      this.#stay_away_until =
        clock.now() + Math.min(Math.max(STAY_AWAY_MS, reply.retry_after_ms ?? 0), MAX_AWAY_MS)
    throw new Unusable(reply.status >= 500 ? 'unreachable' : 'refused', loginRefusal(reply))
  }

  /** UniFi OS answers its own page; a classic controller sends the caller on to `/manage`. */
  async #findFlavour(signal: AbortSignal): Promise<Flavour> {
    const { status } = await this.#send('', { method: 'GET', path: '/', signal })
    if (status === 200) return UNIFI_OS
    if (status >= 300 && status < 400) return CLASSIC
    throw new Unusable('unreadable', `what answers (${status}) is neither UniFi OS nor a classic controller`)
  }

  async #send(
    prefix: string,
    { method, path, json, signal, deadline_ms = DEADLINE_MS }: UnifiRequest,
  ): Promise<HttpReply> {
    const { http, base } = this.#options
    const reply = await http.request({
      method,
      url: base + prefix + path,
      headers: this.#headers(method),
      ...(json === undefined ? {} : { json }),
      signal,
      deadline_ms,
      max_bytes: MAX_BYTES,
      max_values: MAX_VALUES,
    })
    this.#learn(reply)
    return reply
  }

  #headers(method: string): Record<string, string> {
    const { credential } = this.#options
    if (credential.kind === 'key') return { 'x-api-key': credential.key.reveal() }
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    return {
      ...(cookie === '' ? {} : { cookie }),
      ...(method === 'GET' || this.#csrf === null ? {} : { 'x-csrf-token': this.#csrf }),
    }
  }

  #learn({ headers }: HttpReply): void {
    this.#csrf = headers['x-updated-csrf-token'] ?? headers['x-csrf-token'] ?? this.#csrf
    for (const [, name, value] of (headers['set-cookie'] ?? '').matchAll(COOKIES))
      this.#cookies.set(name!, value!)
    this.#csrf ??= this.#cookies.get('csrf_token') ?? null
  }

  /** A password may be plain words. */
  #hidden(said: string): string {
    const { credential } = this.#options
    return (credential.kind === 'key' ? credential.key : credential.password).hideIn(said)
  }

  #refusal(path: string, reply: HttpReply, meta: Json, body: Json): Unusable {
    const { status } = reply
    const said = asText(meta['msg']) ?? asText(body['message']) ?? asText(body['code'])
    const words = `${path} was answered with ${said === null ? '' : `${harmless(this.#hidden(said))}, `}status ${status}`
    if (status === 401 || status === 403 || said === 'api.err.NoPermission' || saysLoginRequired(reply))
      return new Unusable('refused', `${words}; the credential is not accepted or may not read`, status)
    const page = reply.text.trimStart().startsWith('<')
    const what =
      page && status < 300 ? `${path} was answered with a page for people, such as that of a login` : words
    return new Unusable(status >= 500 ? 'unreachable' : 'unreadable', what, status)
  }
}

const WORD = /^["'(]*[A-Za-z][a-z]*(?:[-'’][a-z]+)*["'),.:;!?]*$/
const CODE = /^(?:api(?:\.[A-Za-z-]{2,40}){1,4}|[A-Z]{2,20}(?:_[A-Z]{2,20}){0,5})$/

/**
 * The views in which it stands need no key, and a message may repeat anything, a secret with it: plain words and names of
 * errors are passed on, and all else is left out.
 */
const harmless = (said: string): string =>
  said
    .slice(0, 200)
    .split(/\s+/)
    .map((word) => (word.length <= 40 && (WORD.test(word) || CODE.test(word)) ? word : '…'))
    .join(' ')

/** Only the names that carry a session; attributes of a cookie look like cookies where several are joined by commas. */
const COOKIES = /(?:^|,\s*)(TOKEN|unifises|csrf_token)=([^;,\s]*)/g

const saysLoginRequired = ({ text }: HttpReply): boolean =>
  text.length < 1000 && text.includes('api.err.LoginRequired')

function loginRefusal({ status, text }: HttpReply): string {
  if (status === 499 || text.includes('2fa') || text.includes('MFA'))
    return 'the account asks for a second factor; use an API key instead'
  if (status === 429) return 'it has had too many logins and asks to wait'
  if (status === 400 || status === 401 || status === 403) return 'it does not accept the user and password'
  return `the login was answered with status ${status}`
}
