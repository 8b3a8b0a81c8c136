/** The HTTP client: one pool of connections, every wait bounded, nothing followed, nothing inflated. */
import type { Readable } from 'node:stream'
import { Agent, type Dispatcher, request as send } from 'undici'
import type { Clock, Instant, Milliseconds } from '../../kernel/clock.ts'
import { Failure } from '../../kernel/failure.ts'
import { JSON_BOUNDS, jsonExcess } from '../../kernel/text/json-bounds.ts'
import type { HttpClient, HttpReply, HttpRequest } from '../../ports/http-client.ts'
import { type ConnectOptions, connectorOf } from './connect-options.ts'
import { noAnswer, parsedUrl, placeOf, Unreadable } from './errors.ts'

/** Nobody waits longer to learn how something is. */
const READ_DEADLINE_MS = 5000
const DEADLINE_MS = 15_000
const MAX_BYTES = 16 * 1024 * 1024
const MAX_HEADER_BYTES = 32 * 1024
const CONNECTIONS_PER_ORIGIN = 8

export interface HttpClientOptions extends ConnectOptions {
  readonly clock: Clock
}

export function createHttpClient({ clock, ...options }: HttpClientOptions): HttpClient {
  const agent = agentFor(options)
  let closed = false
  return {
    request: async (request) => {
      const place = placeOf(parsedUrl(request.url))
      if (closed) throw new Failure('shutting_down', `${place} is not asked any more.`)
      return withinDeadline(request, place, clock, (signal) => ask(agent, { ...request, signal }, clock))
    },
    close: async () => {
      closed = true
      await agent.destroy()
    },
  }
}

const agentFor = (options: ConnectOptions): Agent =>
  new Agent({
    connections: CONNECTIONS_PER_ORIGIN,
    pipelining: 1,
    allowH2: false,
    maxHeaderSize: MAX_HEADER_BYTES,
    // The one deadline of a call stands above all of its parts.
    headersTimeout: 0,
    bodyTimeout: 0,
    connect: connectorOf(options),
  })

async function ask(dispatcher: Dispatcher, request: HttpRequest, clock: Clock): Promise<HttpReply> {
  const answer = await send(request.url, {
    dispatcher,
    method: request.method,
    headers: headersOf(request),
    body: request.json === undefined ? (request.body ?? null) : JSON.stringify(request.json),
    signal: request.signal,
  })
  const headers = flat(answer.headers)
  const bytes = await readBody(answer.body, headers, request.max_bytes ?? MAX_BYTES)
  const excess = jsonExcess(bytes, { ...JSON_BOUNDS, values: request.max_values ?? JSON_BOUNDS.values })
  if (excess !== null) throw new Unreadable(`answered with JSON that ${excess}`)
  return {
    status: answer.statusCode,
    status_text: answer.statusText,
    headers,
    text: new TextDecoder().decode(bytes),
    retry_after_ms: retryAfter(headers['retry-after'], clock.now()),
  }
}

/**
 * Runs `work` with a signal that ends with the caller's or with the deadline. An abort by the caller is thrown as its
 * reason; everything else that goes wrong is a Failure.
 */
async function withinDeadline<T>(
  request: HttpRequest,
  place: string,
  clock: Clock,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const { signal, deadline_ms = request.method === 'GET' ? READ_DEADLINE_MS : DEADLINE_MS } = request
  const done = new AbortController()
  const late = new AbortController()
  clock.sleep(deadline_ms, done.signal).then(
    () => late.abort(),
    () => undefined,
  )
  try {
    signal.throwIfAborted()
    return await work(AbortSignal.any([signal, late.signal]))
  } catch (error) {
    if (signal.aborted) throw signal.reason
    if (late.signal.aborted)
      throw new Failure('component_unavailable', `${place} did not answer within ${deadline_ms} ms.`)
    throw noAnswer(place, error)
  } finally {
    done.abort()
  }
}

function headersOf({ headers, json }: HttpRequest): Record<string, string> {
  const given = Object.entries(headers ?? {}).map(([name, value]) => [name.toLowerCase(), value] as const)
  return {
    'user-agent': 'plumbline',
    accept: 'application/json',
    ...(json === undefined ? {} : { 'content-type': 'application/json' }),
    ...Object.fromEntries(given),
    // A compressed body can be a thousand times its size on the wire: none is asked for, none is inflated.
    'accept-encoding': 'identity',
  }
}

function flat(headers: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> {
  const names = Object.entries(headers).map(
    ([name, value]) => [name, Array.isArray(value) ? value.join(', ') : (value ?? '')] as const,
  )
  return Object.fromEntries(names)
}

// `Retry-After` (RFC 9110 §10.2.3): seconds, or a date in one of the three forms of HTTP.

// Longer than any published ban; a slip of the other side must not switch a provider off for good.
const MAX_MS = 24 * 60 * 60 * 1000

const DATE = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? /

/** Milliseconds from `now`, at most a day; null when the header is missing or makes no sense. A date gone by is 0. */
export function retryAfter(value: string | undefined, now: Instant): Milliseconds | null {
  const text = value?.trim() ?? ''
  if (/^\d+$/.test(text)) return Math.min(MAX_MS, Number(text) * 1000)
  if (!DATE.test(text)) return null
  // The asctime form has no zone, and is UTC all the same.
  const at = Date.parse(text.endsWith('GMT') ? text : `${text} GMT`)
  return Number.isNaN(at) ? null : Math.min(MAX_MS, Math.max(0, at - now))
}

// Reads an answer's body up to a limit, and stops the sender there.

/**
 * The whole body, at most `most` bytes. Throws an `Unreadable` for a longer one and for one that was compressed though nobody
 * asked for that; the connection is then closed, so an endless body ends here.
 */
async function readBody(
  body: Readable,
  headers: Readonly<Record<string, string>>,
  most: number,
): Promise<Uint8Array> {
  const coding = headers['content-encoding']?.trim().toLowerCase() ?? ''
  if (coding !== '' && coding !== 'identity') return stop(body, 'answered with a compressed body')
  if (Number(headers['content-length'] ?? 0) > most) return stop(body, tooLong(most))
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of body as AsyncIterable<Buffer>) {
    size += chunk.byteLength
    if (size > most) return stop(body, tooLong(most))
    chunks.push(chunk)
  }
  return Buffer.concat(chunks, size)
}

const tooLong = (most: number): string => `answered with more than ${most} bytes`

function stop(body: Readable, what: string): never {
  body.on('error', () => undefined)
  body.destroy()
  throw new Unreadable(what)
}
