/** Anonymous requests through the proxy, over one pool for each of its doors. */
import { createSecureContext } from 'node:tls'
import { Agent, type Dispatcher, request as send } from 'undici'
import type { Milliseconds } from '../../../kernel/clock.ts'
import { Failure } from '../../../kernel/failure.ts'
import { type Door, type ProbeAnswer, schemeOf, type SsoProbe } from '../probe-port.ts'

const WITHIN_MS: Milliseconds = 2_000
const CONNECTIONS = 8
/** A refusal is a line; whatever is longer is none of the provider's. */
const MAX_WORDS = 1024

export interface OpenProbe extends SsoProbe {
  close(): Promise<void>
}

/**
 * @param places `192.0.2.7:443` for each door that can be asked. The certificate is not looked at: nothing that is received
 * counts but a status and where it leads, and certificates have a check of their own.
 */
export function proxyProbe(places: ReadonlyMap<Door, string>): OpenProbe {
  const dispatcher = newAgent()
  return {
    async ask(question, signal) {
      const { door } = question
      const place = places.get(door)
      if (place === undefined) throw new Failure('internal', `sso-probe: no address for the door ${door}`)
      const bounded = AbortSignal.any([signal, AbortSignal.timeout(WITHIN_MS)])
      try {
        return await answerOf(await requestOf(question, place, { dispatcher, signal: bounded }))
      } catch (cause) {
        if (signal.aborted) throw signal.reason
        throw noAnswer(question, cause)
      }
    },
    close: () => dispatcher.destroy(),
  }
}

const newAgent = (): Agent =>
  new Agent({
    connections: CONNECTIONS,
    pipelining: 1,
    allowH2: false,
    maxHeaderSize: 32 * 1024,
    connect: {
      rejectUnauthorized: false,
      timeout: WITHIN_MS,
      // Every name is a connection of its own; a context made anew for each would be most of the work.
      secureContext: createSecureContext(),
    },
  })

type Question = Parameters<SsoProbe['ask']>[0]

const requestOf = (
  { door, host, path }: Question,
  place: string,
  by: { readonly dispatcher: Agent; readonly signal: AbortSignal },
): Promise<Dispatcher.ResponseData> =>
  send(`${schemeOf(door)}://${place}${path}`, {
    ...by,
    method: 'GET',
    // As a browser asks for a page: others are told 401 instead of where to sign in.
    headers: { host, accept: 'text/html', 'user-agent': 'plumbline' },
  })

function noAnswer({ door, host, path }: Question, cause: unknown): Failure {
  const why = (cause as { code?: string; name?: string }).code ?? (cause as Error).name
  return new Failure(
    'component_unavailable',
    `the proxy did not answer for ${schemeOf(door)}://${host}${path} (${why})`,
    { cause },
  )
}

async function answerOf({ statusCode, headers, body }: Dispatcher.ResponseData): Promise<ProbeAnswer> {
  const { location } = headers
  const words = statusCode === 400 ? await beginning(body) : null
  // Whatever else it is, it is none of ours; breaking it off costs a connection and no memory.
  body.on('error', () => undefined).destroy()
  return { status: statusCode, location: typeof location === 'string' ? location : null, words }
}

async function beginning(body: AsyncIterable<Uint8Array>): Promise<string> {
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of body) {
    parts.push(part)
    size += part.length
    if (size >= MAX_WORDS) break
  }
  return Buffer.concat(parts).subarray(0, MAX_WORDS).toString('latin1')
}
