/** The HTTP client for authorities: HTTPS only, with roots of its own beside the system's where a file names them. */
import { JSON_BOUNDS, jsonExcess } from '../../../kernel/text/json-bounds.ts'
import { tlsWords } from '../../../kernel/text/tls-words.ts'
import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { Agent, request as send } from 'node:https'
import { createSecureContext, getCACertificates } from 'node:tls'
import type { Clock, Instant, Milliseconds } from '../../../kernel/clock.ts'
import { Failure, systemErrorCode } from '../../../kernel/failure.ts'
import type { HttpClient, HttpReply, HttpRequest } from '../../../ports/http-client.ts'
import { withinDeadline } from './deadline.ts'

const DEADLINE_MS = 15_000
const MAX_BYTES = 1024 * 1024
const MAX_HEADER_BYTES = 32 * 1024
/** A connection that lay idle for longer may be closed by the other side just as it is used again. */
const MAX_IDLE_MS = 4000
const MAX_WAIT_MS = 24 * 60 * 60 * 1000

export interface HttpsClientOptions {
  readonly clock: Clock
  /** A PEM file of further roots; null for the system's alone. */
  readonly ca_file: string | null
}

/** Throws a Failure (`bad_configuration`) when the file cannot be read or holds no certificate. */
export function httpsClient({ clock, ca_file }: HttpsClientOptions): HttpClient {
  // Read once: given as `ca`, all 150 roots would be parsed for every connection.
  const roots = ca_file === null ? null : [...getCACertificates('default'), rootsIn(ca_file)]
  const agent = new Agent({
    ...(roots !== null && { secureContext: createSecureContext({ ca: roots }) }),
    keepAlive: true,
    timeout: MAX_IDLE_MS,
    maxSockets: 4,
    rejectUnauthorized: true,
  })
  return {
    request: (request) => {
      const place = placeOf(request.url)
      const ms = request.deadline_ms ?? DEADLINE_MS
      const late = () => new Failure('component_unavailable', `${place} did not answer within ${ms} ms.`)
      return withinDeadline({ clock, signal: request.signal, ms, late }, (signal) =>
        ask({ ...request, signal }, agent, clock).catch((error: unknown) => {
          throw noAnswer(place, error)
        }),
      )
    },
    close: async () => agent.destroy(),
  }
}

function rootsIn(path: string): string {
  try {
    const text = readFileSync(path, 'utf8')
    new X509Certificate(text)
    return text
  } catch (error) {
    const why = systemErrorCode(error) ?? 'no certificate in it'
    throw new Failure('bad_configuration', `The roots of the ACME authority cannot be read: ${path}: ${why}.`)
  }
}

function placeOf(text: string): string {
  const url = URL.parse(text)
  if (url?.protocol !== 'https:')
    throw new Failure('bad_configuration', 'The address of an ACME authority must begin with https://.')
  return `${url.origin}${url.pathname}`
}

function ask(request: HttpRequest, agent: Agent, clock: Clock): Promise<HttpReply> {
  const { method, url, signal, json } = request
  const body = json === undefined ? (request.body ?? '') : JSON.stringify(json)
  const headers = {
    'user-agent': 'plumbline',
    accept: 'application/json',
    ...(json === undefined ? {} : { 'content-type': 'application/json' }),
    ...request.headers,
    // None is asked for, none is inflated.
    'accept-encoding': 'identity',
    ...(method === 'GET' ? {} : { 'content-length': String(Buffer.byteLength(body)) }),
  }
  return new Promise((resolve, reject) => {
    const sent = send(url, { method, headers, agent, signal, maxHeaderSize: MAX_HEADER_BYTES })
    sent.once('error', reject)
    sent.once('response', (answer: IncomingMessage) => {
      replyOf(answer, request.max_bytes ?? MAX_BYTES, clock.now()).then(resolve, reject)
    })
    sent.end(method === 'GET' ? undefined : body)
  })
}

async function replyOf(answer: IncomingMessage, most: number, now: Instant): Promise<HttpReply> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    size += chunk.byteLength
    // Leaving the loop closes the connection.
    if (size > most) throw new Failure('component_unavailable', `answered with more than ${most} bytes`)
    chunks.push(chunk)
  }
  const bytes = Buffer.concat(chunks, size)
  const excess = jsonExcess(bytes, JSON_BOUNDS)
  if (excess !== null) throw new Failure('component_unavailable', `answered with JSON that ${excess}`)
  const headers = Object.fromEntries(
    Object.entries(answer.headersDistinct).map(([name, values]) => [name, (values ?? []).join(', ')]),
  )
  return {
    status: answer.statusCode ?? 0,
    headers,
    text: bytes.toString('utf8'),
    retry_after_ms: retryAfter(headers['retry-after'], now),
  }
}

/** RFC 9110 §10.2.3: seconds or a date; at most a day. */
function retryAfter(value: string | undefined, now: Instant): Milliseconds | null {
  const text = value?.trim() ?? ''
  if (/^\d+$/.test(text)) return Math.min(MAX_WAIT_MS, Number(text) * 1000)
  const at = text.endsWith('GMT') ? Date.parse(text) : NaN
  return Number.isNaN(at) ? null : Math.min(MAX_WAIT_MS, Math.max(0, at - now))
}

const WORDS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'refused the connection',
  ECONNRESET: 'broke the connection',
  ENOTFOUND: 'has a host name that does not resolve',
  EAI_AGAIN: 'has a host name that does not resolve now',
  EHOSTUNREACH: 'cannot be reached',
  ENETUNREACH: 'cannot be reached',
}
function noAnswer(place: string, error: unknown): Failure {
  if (error instanceof Failure) return new Failure(error.code, `${place} ${error.message}.`)
  const code = systemErrorCode(error) ?? 'no code'
  const words = WORDS[code] ?? tlsWords(code, 'PLUMBLINE_ACME_CA_FILE') ?? `broke off (${code})`
  return new Failure('component_unavailable', `${place} ${words}.`, { inside: code })
}
