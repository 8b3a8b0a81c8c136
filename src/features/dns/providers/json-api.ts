/** One call to a provider's JSON API: its answer checked against a schema, its refusal told with a code and in words. */
import type { z } from 'zod'
import { Failure, type FailureCode } from '../../../kernel/failure.ts'
import type { Secret } from '../../../kernel/secret.ts'
import type { HttpClient, HttpReply, HttpRequest } from '../../../ports/http-client.ts'
import { SERVER_FAILED } from './port.ts'

export interface JsonApiOptions<E> {
  /** How messages call it: `cloudflare`. */
  readonly provider: string
  readonly http: HttpClient
  /** Without a slash at its end. */
  readonly base: string
  readonly credential: Secret
  /** The headers that carry the credential. */
  authorize(credential: string): Readonly<Record<string, string>>
  /** The shape of a refusal's body. */
  readonly refusal: z.ZodType<E>
  /** The provider's own words for it. */
  words(refusal: E): string
  /** A code for this refusal where the status alone does not tell; null leaves it to the status. */
  codeOf?(refusal: E, status: number): FailureCode | null
  /** True where a refusal may come with status 200, as one that only its body tells. */
  readonly refuses_with_ok?: boolean
  /** What would help when the credential is refused: the end of the message. */
  readonly credential_hint: string
  /** How long to stay away after a limit was hit and no time was named. */
  readonly usual_wait_ms: number
}

export interface ApiCall<T> {
  readonly method: HttpRequest['method']
  /** Below the base, with its query. */
  readonly path: string
  readonly json?: unknown
  /** What a body must be; `z.undefined()` where there is none. */
  readonly answer: z.ZodType<T>
  /** The middle of a message: `list the records of example.org`. */
  readonly what: string
  readonly signal: AbortSignal
  readonly deadline_ms?: number
}

export type ApiAnswer<T, E> =
  | { readonly ok: true; readonly body: T; readonly reply: HttpReply }
  /** Not done. `refusal` is null where it was not the API that answered. */
  | { readonly ok: false; readonly status: number; readonly refusal: E | null; readonly failure: Failure }

export interface JsonApi<E> {
  readonly provider: string
  readonly base: string
  /** For callers that know what to do about some refusals. Throws where there is no usable answer at all. */
  try<T>(call: ApiCall<T>): Promise<ApiAnswer<T, E>>
  /** For the others: throws the failure. */
  ask<T>(call: ApiCall<T>): Promise<{ readonly body: T; readonly reply: HttpReply }>
}

export function jsonApi<E>(options: JsonApiOptions<E>): JsonApi<E> {
  return {
    provider: options.provider,
    base: options.base,
    try: (call) => attempt(options, call),
    ask: async (call) => {
      const answer = await attempt(options, call)
      if (!answer.ok) throw answer.failure
      return answer
    },
  }
}

async function attempt<T, E>(options: JsonApiOptions<E>, call: ApiCall<T>): Promise<ApiAnswer<T, E>> {
  const reply = await options.http.request({
    method: call.method,
    url: `${options.base}${call.path}`,
    headers: options.authorize(options.credential.reveal()),
    signal: call.signal,
    ...(call.json === undefined ? {} : { json: call.json }),
    ...(call.deadline_ms === undefined ? {} : { deadline_ms: call.deadline_ms }),
  })
  const json = parsed(reply.text)
  if (reply.status < 200 || reply.status > 299) return refused(options, call, reply, json)
  const body = call.answer.safeParse(json)
  if (body.success) return { ok: true, body: body.data, reply }
  if (options.refuses_with_ok && options.refusal.safeParse(json).success)
    return refused(options, call, reply, json)
  throw garbled(options.provider, call, reply, body.error)
}

/** `component_unavailable`: what came is not what the API promises, so nothing is known. */
export const unusable = (provider: string, what: string, why: string): Failure =>
  new Failure('component_unavailable', `${provider}: could not ${what}: ${why}.`)

function garbled<T>(provider: string, { what }: ApiCall<T>, reply: HttpReply, error: z.ZodError): Failure {
  const [issue] = error.issues
  const at = issue === undefined || issue.path.length === 0 ? 'the body' : issue.path.join('.')
  const type = (reply.headers['content-type'] ?? 'no content type').slice(0, 60)
  return unusable(
    provider,
    what,
    `the answer (${reply.status}, ${type}) is not what the API promises, at ${at}`,
  )
}

function refused<T, E>(
  options: JsonApiOptions<E>,
  call: ApiCall<T>,
  reply: HttpReply,
  json: unknown,
): ApiAnswer<T, E> {
  const { status } = reply
  const read = options.refusal.safeParse(json)
  const refusal = read.success ? read.data : null
  const code = (refusal && options.codeOf?.(refusal, status)) ?? codeOfStatus(status, refusal !== null)
  const words = refusal === null ? '' : clean(options.words(refusal), options.credential)
  const said = words === '' ? `status ${status}` : `${words} (${status})`
  const hint = code === 'provider_credentials' ? ` ${options.credential_hint}` : ''
  const wait =
    code === 'provider_busy' ? (reply.retry_after_ms ?? options.usual_wait_ms) : reply.retry_after_ms
  const message = `${options.provider}: could not ${call.what}: ${said}.${hint}`
  const failure = new Failure(code, message, {
    ...(wait !== null && { retry_after_ms: wait }),
    ...(isOwnFailure(call, reply, code) && { facts: SERVER_FAILED }),
  })
  return { ok: false, status, refusal, failure }
}

/** True where it may be one of the sets that were sent; whoever asks to wait is not to be sent others. */
const isOwnFailure = <T>({ method }: ApiCall<T>, reply: HttpReply, code: FailureCode): boolean =>
  method !== 'GET' && reply.status >= 500 && reply.retry_after_ms === null && code === 'component_unavailable'

/** A refusal that is not in the API's form came from something on the way: it says nothing about the content. */
function codeOfStatus(status: number, from_the_api: boolean): FailureCode {
  if (status === 429) return 'provider_busy'
  if (status === 401 || (status === 403 && from_the_api)) return 'provider_credentials'
  if (status >= 400 && status < 500 && status !== 408 && from_the_api) return 'provider_refused'
  return 'component_unavailable'
}

/** What no schema takes: an answer that should have had no body at all must not pass for one. */
const NOT_JSON = Symbol('not JSON')

function parsed(text: string): unknown {
  if (text === '') return undefined
  try {
    return JSON.parse(text) as unknown
  } catch {
    return NOT_JSON
  }
}

/** Foreign words in a message: one line, short, and never the credential, should they repeat it. */
function clean(words: string, credential: Secret): string {
  const line = words.replaceAll(/[\p{C}\s]+/gu, ' ').trim()
  const hidden = line.replaceAll(credential.reveal(), '[hidden]')
  const short = hidden.length > 300 ? `${hidden.slice(0, 300)}…` : hidden
  return short.replace(/[.\s]+$/, '')
}
