/** A running daemon's API over HTTP: Node's own client, since any other takes longer to load than the answer to come. */
import type { Agent, ClientRequest, IncomingMessage, RequestOptions } from 'node:http'
import { text } from 'node:stream/consumers'
import { Failure } from '../kernel/failure.ts'
import type { Secret } from '../kernel/secret.ts'
import { type Api, type ApiAnswer, type ApiRequest, parsed } from './api.ts'

const ANSWER_WITHIN_MS = 120_000

/** What both protocols' clients have in common. */
interface Client {
  readonly agent: Agent
  request(url: URL, options: RequestOptions): ClientRequest
}

/** @param base `http://127.0.0.1:8080`, without a path. */
export async function remoteApi(base: string, key: Secret | null): Promise<Api> {
  const client = await clientFor(new URL(base))
  return {
    where: base,
    call: (request) => call(client, { base, key }, request),
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
  readonly base: string
  readonly key: Secret | null
}

async function call(client: Client, { base, key }: Daemon, asked: ApiRequest): Promise<ApiAnswer> {
  const body = asked.body === undefined ? null : JSON.stringify(asked.body)
  try {
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      const sent = client.request(new URL(asked.path, base), {
        method: asked.method,
        agent: client.agent,
        headers: {
          accept: 'application/json',
          ...asked.headers,
          ...(key === null ? {} : { 'x-api-key': key.reveal() }),
          ...(body === null
            ? // Without a body its length must be said, or it is sent in chunks.
              asked.method === 'GET'
              ? {}
              : { 'content-length': '0' }
            : { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(body)) }),
        },
        signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
      })
      sent.once('response', resolve).once('error', reject)
      sent.end(body ?? undefined)
    })
    return {
      status: answer.statusCode ?? 0,
      headers: flat(answer.headers),
      body: parsed(await text(answer)),
    }
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    throw new Failure(
      'component_unavailable',
      `No answer from ${base}: ${message === '' ? (code ?? 'unknown') : message}. Is it running there? "plumbline health" asks.`,
      { cause: error },
    )
  }
}

function flat(headers: IncomingMessage['headers']): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.join(', ') : (value ?? ''),
    ]),
  )
}
