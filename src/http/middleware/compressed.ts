/**
 * JSON and text above 1 kB go out as gzip to whoever takes that (RFC 9110 §8.4, §12.5.3): never a stream of events, and never
 * an answer with a secret that is shown once, whose length would tell of it. An answer whose tag callers send back, in
 * If-Match or as the name of what they run, keeps its bytes and its tag; any other tag is weak then, as two encodings
 * share it.
 */
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { headerValues, type RequestFacts } from '../access/request-facts.ts'
import type { Endpoint } from '../contract.ts'
import type { Plain } from '../plain.ts'
import type { Middleware } from './way.ts'

const MIN_BYTES = 1024
const TEXT = /^(?:text\/|application\/(?:json|yaml|javascript)|[a-z./-]+\+json)/

/** Whether answers of an endpoint may be sent smaller. */
export const isCompressible = ({ secret_reply, weak_tag, reply_headers = {} }: Endpoint): boolean =>
  secret_reply !== true && (weak_tag === true || reply_headers['ETag'] === undefined)

export const compressed: Middleware = async (c, next) => {
  await next()
  const answer = c.get('answer')
  if (!(answer instanceof Response)) c.set('answer', await encoded(answer, c.get('arrival').facts))
}

async function encoded(plain: Plain, facts: RequestFacts): Promise<Plain> {
  const { status, headers, body } = plain
  if (body.length < MIN_BYTES || !TEXT.test(headers['content-type'] ?? '')) return plain
  const vary = [headers['vary'] ?? [], 'Accept-Encoding'].flat().join(', ')
  if (!takesGzip(facts)) return { status, headers: { ...headers, vary }, body }
  return {
    status,
    headers: { ...headers, ...weak(headers['etag']), vary, 'content-encoding': 'gzip' },
    body: await zipped(body),
  }
}

const weak = (etag: string | undefined): Record<string, string> =>
  etag === undefined || etag.startsWith('W/') ? {} : { etag: `W/${etag}` }

/** The first of `gzip` and `*` that is named decides, unless its weight is 0. */
function takesGzip(facts: RequestFacts): boolean {
  const codings = headerValues(facts, 'accept-encoding').join(',').toLowerCase().split(',')
  const weights = new Map(codings.map(weightOf))
  return (weights.get('gzip') ?? weights.get('x-gzip') ?? weights.get('*') ?? 0) > 0
}

function weightOf(coding: string): [name: string, weight: number] {
  const [name = '', ...parameters] = coding.split(';').map((part) => part.trim())
  const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? '1'
  return [name, Number.parseFloat(weight) || 0]
}

const zip = promisify(gzip)
/** Of bodies that are the same bytes for everybody: a description of a megabyte is not made small again and again. */
const known = new WeakMap<Uint8Array, Promise<Uint8Array>>()

function zipped(body: string | Uint8Array): Promise<Uint8Array> {
  if (typeof body === 'string') return zip(body)
  const made = known.get(body) ?? zip(body)
  known.set(body, made)
  return made
}
