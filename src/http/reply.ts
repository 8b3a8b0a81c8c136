/** From what a handler gives to an answer that can be sent: JSON, conditional GET, and the check of a reply's shape. */
import { z } from 'zod'
import { canonicalJson } from '../kernel/digest.ts'
import { Failure } from '../kernel/failure.ts'
import type { Answer, Call, Endpoint, RawReply } from './contract.ts'
import type { Plain } from './plain.ts'
import { headerValues, type RequestFacts } from './access/request-facts.ts'
import type { Middleware } from './middleware/way.ts'

export interface ReplyOptions {
  /** Compare every reply with its schema; a difference is answered as 500. For tests. */
  readonly check: boolean
}

/** Runs the handler. A `Response` of the handler's own is passed on as it is. */
export async function replyOf(
  endpoint: Endpoint,
  call: Call,
  options: ReplyOptions,
): Promise<Plain | Response> {
  const answer = await endpoint.handler(call)
  if (answer instanceof Response) return answer
  const raw = rawReply(endpoint, answer)
  const fault = options.check ? replyFault(endpoint, answer) : null
  if (fault !== null)
    throw new Failure('internal', `${endpoint.id} answered what it does not describe: ${fault}`)
  return {
    status: answer.status,
    headers: { 'content-type': raw?.content_type ?? 'application/json', ...lowerCase(answer.headers) },
    body: raw === null ? (answer.json ?? JSON.stringify(answer.body)) : (answer.body as string | Uint8Array),
  }
}

function rawReply(endpoint: Endpoint, answer: Answer): RawReply | null {
  const reply = endpoint.replies[answer.status]
  return reply === undefined || reply instanceof z.ZodType ? null : reply
}

const lowerCase = (headers: Readonly<Record<string, string>> = {}): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))

/** What the body has and the schema does not, or the other way round; null when they agree in every member. */
function replyFault(endpoint: Endpoint, answer: Answer): string | null {
  const schema = endpoint.replies[answer.status]
  if (schema === undefined) return `status ${answer.status} has no reply`
  if (!(schema instanceof z.ZodType)) return null
  const sent: unknown = JSON.parse(JSON.stringify(answer.body))
  const parsed = schema.safeParse(sent)
  if (!parsed.success) return z.prettifyError(parsed.error)
  return canonicalJson(parsed.data) === canonicalJson(sent) ? null : 'members that the schema does not name'
}

/** 304 for a GET or HEAD that holds this very answer (RFC 9110 §13.1.2, weak comparison), else the answer. */
export const conditional: Middleware = async (c, next) => {
  await next()
  const answer = c.get('answer')
  if (!(answer instanceof Response)) c.set('answer', unlessHeld(c.get('arrival').facts, answer))
}

function unlessHeld(request: RequestFacts, plain: Plain): Plain {
  const etag = plain.headers['etag']
  if (etag === undefined || plain.status !== 200) return plain
  const held = headerValues(request, 'if-none-match').join(',')
  const same = [...held.matchAll(/\*|(?:W\/)?("[^"]*")/g)].some(
    ([all, tag]) => all === '*' || tag === opaque(etag),
  )
  if (!same) return plain
  const { 'content-type': _, 'content-encoding': __, ...headers } = plain.headers
  return { status: 304, headers, body: '' }
}

const opaque = (etag: string) => etag.replace(/^W\//, '')
