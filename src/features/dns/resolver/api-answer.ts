/** One call to a resolver's API: its answer checked against a schema, or the trouble as a value. */
import type { z } from 'zod'
import { Failure } from '../../../kernel/failure.ts'
import type { HttpClient, HttpRequest } from '../../../ports/http-client.ts'
import type { ResolverRead } from './port.ts'
import { parsedJson } from '../../../kernel/text/lenient.ts'

export type ReadFailure = Extract<ResolverRead, { ok: false }>

/** What ends a reading early. It is caught where the reading began. */
export class ReadingFailed extends Error {
  readonly failure: ReadFailure
  /** The status of the answer, or null where there was none. */
  readonly status: number | null

  constructor(failure: ReadFailure, status: number | null = null) {
    super(failure.detail)
    this.failure = failure
    this.status = status
  }
}

export interface Api {
  readonly http: HttpClient
  /** For messages: `pihole:http://pi.hole`. */
  readonly source: string
  /** Without a slash at its end. */
  readonly base: string
}

export interface Call<T> extends Pick<HttpRequest, 'method' | 'headers' | 'json' | 'signal'> {
  /** Below the base. */
  readonly path: string
  readonly answer: z.ZodType<T>
  /** The setting to look at when the credential is refused. */
  readonly credential: string
}

const MAX_BYTES = 16 * 1024 * 1024
const DEADLINE_MS = 5000

/** Throws ReadingFailed, and the signal's reason. */
export async function callApi<T>(api: Api, call: Call<T>): Promise<T> {
  const { path, answer, credential, ...request } = call
  const reply = await sent(api, { ...request, url: `${api.base}${path}` })
  if (reply.status === 401 || reply.status === 403)
    throw failed(api, 'refused', `refused the credential (${reply.status}). See ${credential}`, reply.status)
  if (reply.status === 429) throw failed(api, 'refused', 'asks to come later (429)', 429)
  if (reply.status < 200 || reply.status > 299)
    throw failed(api, 'unreadable', `answered ${path} with status ${reply.status}`, reply.status)
  const body = answer.safeParse(parsedJson(reply.text))
  if (body.success) return body.data
  const at = body.error.issues[0]?.path.join('.') || 'the body'
  throw failed(api, 'unreadable', `answered ${path} with something else than its API promises, at ${at}`)
}

export const failed = (
  { source }: Api,
  reason: ReadFailure['reason'],
  what: string,
  status: number | null = null,
): ReadingFailed => new ReadingFailed({ ok: false, reason, detail: `${source} ${what}.` }, status)

/** The trouble instead of an exception. */
export async function reading(work: () => Promise<ResolverRead>): Promise<ResolverRead> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof ReadingFailed) return error.failure
    throw error
  }
}

async function sent(api: Api, request: HttpRequest) {
  try {
    return await api.http.request({ deadline_ms: DEADLINE_MS, max_bytes: MAX_BYTES, ...request })
  } catch (error) {
    request.signal.throwIfAborted()
    if (!(error instanceof Failure)) throw error
    throw failed(api, 'unreachable', `cannot be reached: ${error.message.replace(/\.$/, '')}`)
  }
}
