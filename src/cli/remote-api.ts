/** A running daemon's API over HTTP: Node's own client, since any other takes longer to load than the answer to come. */
import type { Agent, ClientRequest, IncomingMessage, RequestOptions } from 'node:http'
import { text } from 'node:stream/consumers'
import { type Clock, type Milliseconds, systemClock } from '../kernel/clock.ts'
import { Failure } from '../kernel/failure.ts'
import type { Secret } from '../kernel/secret.ts'
import {
  type Api,
  type ApiAnswer,
  type ApiRequest,
  isWrite,
  type OnSilence,
  outcomeUnknown,
  parsed,
} from './api.ts'
import { silenceEnds } from './silence.ts'

/** Of a daemon that lives. */
const ANSWER_WITHIN_MS: Milliseconds = 120_000
/** Of one that shows no sign of life. Giving up a change too early leaves somebody with an unknown. */
const READ_SILENT_MS: Milliseconds = 10_000
const CHANGE_SILENT_MS: Milliseconds = 30_000

/** What both protocols' clients have in common. */
interface Client {
  readonly agent: Agent
  request(url: URL, options: RequestOptions): ClientRequest
}

/** @param base `http://127.0.0.1:8080`, without a path. */
export async function remoteApi(base: string, key: Secret | null, clock: Clock = systemClock): Promise<Api> {
  const client = await clientFor(new URL(base))
  return {
    where: base,
    call: (request, onSilence = () => undefined) => call({ client, base, key, clock }, request, onSilence),
    close: async () => client.agent.destroy(),
  }
}

/** Calls of one command share a connection. */
async function clientFor({ protocol }: URL): Promise<Client> {
  const options = { keepAlive: true, maxSockets: 4 }
  if (protocol === 'https:') {
    const { Agent: SecureAgent, request } = await import('node:https')
    return { agent: new SecureAgent(options), request }
  }
  const { Agent: PlainAgent, request } = await import('node:http')
  return { agent: new PlainAgent(options), request }
}

interface Daemon {
  readonly client: Client
  readonly base: string
  readonly key: Secret | null
  readonly clock: Clock
}

async function call(daemon: Daemon, asked: ApiRequest, onSilence: OnSilence): Promise<ApiAnswer> {
  const { base, clock } = daemon
  const over = new AbortController()
  const sent = { is_sent: false }
  const max_silent_ms = asked.method === 'GET' ? READ_SILENT_MS : CHANGE_SILENT_MS
  const isAlive = (signal: AbortSignal) => answersHealth(daemon, signal)
  const given_up = silenceEnds(
    { clock, isAlive, max_silent_ms, max_ms: ANSWER_WITHIN_MS, onSilence },
    over.signal,
  ).then((end) => {
    throw unanswered(base, end, max_silent_ms)
  })
  try {
    return await Promise.race([answerTo(daemon, asked, { sent, signal: over.signal }), given_up])
  } catch (error) {
    const failure = error instanceof Failure ? error : broken(base, error as NodeJS.ErrnoException)
    throw sent.is_sent && isWrite(asked) ? outcomeUnknown(failure) : failure
  } finally {
    over.abort()
    given_up.catch(() => undefined)
  }
}

interface Sending {
  /** From then on it may have been carried out. */
  readonly sent: { is_sent: boolean }
  readonly signal: AbortSignal
}

async function answerTo(
  { client, base, key }: Daemon,
  asked: ApiRequest,
  { sent, signal }: Sending,
): Promise<ApiAnswer> {
  const body = asked.body === undefined ? null : JSON.stringify(asked.body)
  const headers = headersOf(asked, body, key)
  const options = { method: asked.method, agent: client.agent, headers, signal }
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    const request = client.request(new URL(asked.path, base), options)
    request.once('finish', () => (sent.is_sent = true))
    request.once('response', resolve).once('error', reject)
    request.end(body ?? undefined)
  })
  return { status: answer.statusCode ?? 0, headers: flat(answer.headers), body: parsed(await text(answer)) }
}

function headersOf(asked: ApiRequest, body: string | null, key: Secret | null): Record<string, string> {
  const common = { accept: 'application/json', ...asked.headers, ...keyHeader(key) }
  const length = String(Buffer.byteLength(body ?? ''))
  if (body !== null) return { ...common, 'content-type': 'application/json', 'content-length': length }
  // Without a body its length must be said, or it is sent in chunks.
  return asked.method === 'GET' ? common : { ...common, 'content-length': length }
}

const keyHeader = (key: Secret | null): Record<string, string> =>
  key === null ? {} : { 'x-api-key': key.reveal() }

/** On a connection of its own. What a proxy says of a daemon that does not answer it is no sign of life. */
const answersHealth = ({ client, base, key }: Daemon, signal: AbortSignal): Promise<boolean> =>
  new Promise((resolve) => {
    const request = client.request(new URL('/health', base), {
      agent: false,
      headers: keyHeader(key),
      signal,
    })
    request.once('error', () => resolve(false))
    request.once('response', (answer) => {
      answer.resume().once('error', () => undefined)
      resolve((answer.statusCode ?? 0) < 500)
    })
    request.end()
  })

const unanswered = (base: string, end: 'silent' | 'late', silent_ms: Milliseconds): Failure =>
  new Failure(
    'component_unavailable',
    end === 'late'
      ? `No answer: the daemon at ${base} lives, and has not answered within ${ANSWER_WITHIN_MS / 1000} s. Its log says what it does.`
      : `No answer: the daemon at ${base} has not answered for ${silent_ms / 1000} s and shows no sign of life. Start it again where "plumbline health" says the same.`,
  )

function broken(base: string, error: NodeJS.ErrnoException): Failure {
  const { code, message } = error
  return new Failure(
    'component_unavailable',
    `No answer from ${base}: ${message === '' ? (code ?? 'unknown') : message}. Is it running there? "plumbline health" asks.`,
    { cause: error },
  )
}

function flat(headers: IncomingMessage['headers']): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.join(', ') : (value ?? ''),
    ]),
  )
}
