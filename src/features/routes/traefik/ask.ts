/** One question to Traefik's API: an answer that fits its schema, or a Failure that says what came instead. */
import type { z } from 'zod'
import { Failure } from '../../../kernel/failure.ts'
import type { Secret } from '../../../kernel/secret.ts'
import type { HttpClient, HttpReply } from '../../../ports/http-client.ts'
import type { Turns } from './turns.ts'
import { parsedJson } from '../../../kernel/text/lenient.ts'

/** A header that says who we are. */
export interface Credential {
  readonly name: string
  readonly value: Secret
}

export interface Api {
  readonly http: HttpClient
  /** Without a slash at its end. */
  readonly base: string
  readonly credentials: readonly Credential[]
  /** For each request. */
  readonly deadline_ms: number
  readonly turns: Turns
}

export interface Question<T> {
  /** Below the base, with its query. */
  readonly path: string
  readonly answer: z.ZodType<T>
  readonly signal: AbortSignal
  /** Also where the proxy is known not to answer. */
  readonly insists?: boolean
}

/** A page of 1,000 routers takes half of one, and that of the middlewares names every router that uses one. */
const MAX_BYTES = 16 * 1024 * 1024

const UNREADABLE = { facts: { reason: 'unreadable' } }

/** Throws a Failure: `provider_credentials` where we are not let in, else `component_unavailable`. */
export async function ask<T>(
  api: Api,
  { path, answer, signal, insists = false }: Question<T>,
): Promise<{ readonly body: T; readonly headers: HttpReply['headers']; readonly length: number }> {
  const { http, base, deadline_ms } = api
  const reply = await http.request({
    method: 'GET',
    url: `${base}${path}`,
    headers: Object.fromEntries(api.credentials.map(({ name, value }) => [name, value.reveal()])),
    signal,
    deadline_ms,
    max_bytes: MAX_BYTES,
    ...(insists && { insists }),
  })
  if (reply.status === 401 || reply.status === 403) throw notLetIn(api, path, reply.status)
  if (reply.status !== 200)
    throw unusable(api, path, `answered with status ${reply.status}${HINTS[reply.status] ?? ''}`)
  const body = await api.turns.take(() => answer.safeParse(parsedJson(reply.text)))
  if (body.success) return { body: body.data, headers: reply.headers, length: reply.text.length }
  const at = body.error.issues[0]?.path.join('.') ?? ''
  const where = at === '' ? '' : ` (at ${at})`
  throw unusable(api, path, `answered with something that is no answer of Traefik's API${where}`)
}

const HINTS: Readonly<Record<number, string>> = {
  404: '; switch the API on (api: {}) and name its address, not that of a site',
}

/** Never with the credentials themselves. */
function notLetIn({ base, credentials }: Api, path: string, status: 401 | 403): Failure {
  const place = `${base}${path.replace(/\?.*$/, '')}`
  const [user, header] = ['PLUMBLINE_TRAEFIK_API_USER', 'PLUMBLINE_TRAEFIK_API_HEADER']
  const what =
    credentials.length === 0
      ? `lets nobody in without credentials (${status}): set ${user} and PLUMBLINE_TRAEFIK_API_PASSWORD, or ${header}`
      : status === 401
        ? `does not take our credentials (401): look at ${user} and PLUMBLINE_TRAEFIK_API_PASSWORD, or ${header}`
        : 'knows us and does not let us in (403): allow this host and these credentials to read the API'
  return new Failure('provider_credentials', `${place} ${what}.`)
}

export const unusable = ({ base }: Api, path: string, what: string): Failure =>
  new Failure('component_unavailable', `${base}${path.replace(/\?.*$/, '')} ${what}.`, UNREADABLE)
