/** The transport to one authority: its directory, asked for once, the nonces of its answers, and its refusals as Failures. */
import type { Failure } from '../../../kernel/failure.ts'
import type { HttpClient, HttpReply, HttpRequest } from '../../../ports/http-client.ts'
import { type Directory, readDirectory } from './directory.ts'
import { refusal } from './problem.ts'
import { strange } from './read-json.ts'

/** Of one call, all of its requests together. */
export const CALL_MS = 30_000
const MAX_BYTES = 1024 * 1024
const MAX_NONCES = 8

export interface AcmeTransportParts {
  readonly http: HttpClient
  readonly directory_url: string
  /** Called before every request, so that somebody can count. */
  readonly onRequest?: (request: Pick<HttpRequest, 'method' | 'url'>) => void
}

/** What a request is a part of. */
export interface Wish {
  /** As a verb: `order a certificate for app.example.com`. */
  readonly doing: string
  readonly signal: AbortSignal
  /** True when the account itself is asked for, so that a refusal is about it. */
  readonly about_account?: boolean
}

export class AcmeTransport {
  readonly host: string
  readonly #parts: AcmeTransportParts
  #directory: Directory | null = null
  #nonces: string[] = []

  constructor(parts: AcmeTransportParts) {
    this.host = new URL(parts.directory_url).host
    this.#parts = parts
  }

  async directory(signal: AbortSignal): Promise<Directory> {
    const url = this.#parts.directory_url
    this.#directory ??= readDirectory(await this.get(url, { doing: 'show its directory', signal }), url)
    return this.#directory
  }

  /** Without a signature: for what is public. */
  async get(url: string, wish: Wish): Promise<HttpReply> {
    const reply = await this.#send({ method: 'GET', url, signal: wish.signal })
    if (!isGood(reply)) throw this.refusal(reply, wish)
    return reply
  }

  /** Any status is an answer; its nonce is not kept. @param body a flattened JWS */
  post(url: string, body: string, signal: AbortSignal): Promise<HttpReply> {
    const accept = 'application/json, application/pem-certificate-chain'
    const headers = { 'content-type': 'application/jose+json', accept }
    return this.#send({ method: 'POST', url, headers, body, signal })
  }

  async nonce(signal: AbortSignal): Promise<string> {
    const kept = this.#nonces.pop()
    if (kept !== undefined) return kept
    const { new_nonce } = await this.directory(signal)
    const { headers } = await this.get(new_nonce, { doing: 'give a nonce', signal })
    return nonceIn(headers) ?? Promise.reject(strange(this.host, 'no nonce'))
  }

  keepNonce({ headers }: HttpReply): void {
    const nonce = nonceIn(headers)
    if (nonce !== null) this.#nonces = [...this.#nonces, nonce].slice(-MAX_NONCES)
  }

  /** One bad nonce says that the others are as old: after an idle night all of them are. */
  forgetNonces(): void {
    this.#nonces = []
  }

  refusal(reply: HttpReply, { doing, about_account = false }: Wish): Failure {
    return refusal(reply, { host: this.host, doing, about_account })
  }

  #send(request: HttpRequest): Promise<HttpReply> {
    this.#parts.onRequest?.({ method: request.method, url: request.url })
    return this.#parts.http.request({ ...request, deadline_ms: CALL_MS, max_bytes: MAX_BYTES })
  }
}

export const isGood = ({ status }: HttpReply): boolean => status >= 200 && status < 300

/** One that is not base64url must be ignored (§6.5.1). */
export function nonceIn({ 'replay-nonce': nonce = '' }: HttpReply['headers']): string | null {
  return /^[\w-]{1,512}$/.test(nonce) ? nonce : null
}
