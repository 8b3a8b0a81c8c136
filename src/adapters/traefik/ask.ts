/** One question to Traefik's API: an answer that fits its schema, or a Failure that says what came instead. */
import type { z } from 'zod'
import { Failure } from '../../kernel/failure.ts'
import type { HttpClient, HttpReply } from '../../ports/http-client.ts'

export interface Api {
  readonly http: HttpClient
  /** Without a slash at its end. */
  readonly base: string
  /** For each request. */
  readonly deadline_ms: number
}

export interface Question<T> {
  /** Below the base, with its query. */
  readonly path: string
  readonly answer: z.ZodType<T>
  readonly signal: AbortSignal
}

const MOST_BYTES = 64 * 1024 * 1024

/** Throws a Failure (`component_unavailable`). */
export async function ask<T>(
  api: Api,
  { path, answer, signal }: Question<T>,
): Promise<{ readonly body: T; readonly headers: HttpReply['headers'] }> {
  const { http, base, deadline_ms } = api
  const reply = await http.request({
    method: 'GET',
    url: `${base}${path}`,
    signal,
    deadline_ms,
    most_bytes: MOST_BYTES,
  })
  if (reply.status !== 200)
    throw unusable(api, path, `answered with status ${reply.status}${HINTS[reply.status] ?? ''}`)
  const body = answer.safeParse(parsed(reply.text))
  if (body.success) return { body: body.data, headers: reply.headers }
  const at = body.error.issues[0]?.path.join('.') ?? ''
  const where = at === '' ? '' : ` (at ${at})`
  throw unusable(api, path, `answered with something that is no answer of Traefik's API${where}`)
}

const HINTS: Readonly<Record<number, string>> = {
  401: '; reach the API without a password, on an address that only this host has',
  403: '; let this host reach the API',
  404: '; switch the API on (api: {}) and name its address, not that of a site',
}

export const unusable = ({ base }: Api, path: string, what: string): Failure =>
  new Failure('component_unavailable', `${base}${path.replace(/\?.*$/, '')} ${what}.`)

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}
