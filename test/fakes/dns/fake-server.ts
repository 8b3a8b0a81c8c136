/** The loopback HTTP server under every fake provider: it records what is asked, and can misbehave when it is told to. */
import { createServer as createTlsServer } from 'node:https'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Fault } from './faults.ts'

export interface Asked {
  readonly method: string
  /** Without the query. */
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly text: string
  /** Undefined where the text is no JSON. */
  readonly json: unknown
}

export interface Answer {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  /** Sent as JSON; left out for no body. */
  readonly json?: unknown
}

export interface FakeServer {
  readonly origin: string
  /** Everything that was asked, in order. */
  readonly asked: readonly Asked[]
  /** How many requests there were, of a method and a path where those are given. */
  count(method?: string, path?: RegExp): number
  forgetRequests(): void
  /** The next `times` requests that fit `when` go wrong. */
  misbehave(
    fault: Fault,
    options?: { readonly times?: number; readonly when?: (asked: Asked) => boolean },
  ): void
  /** Nothing goes wrong any more; who was left without an answer is cut off. */
  behave(): void
  stop(): Promise<void>
}

/** @param answer what the provider would do, with its state in hand. */
export async function startFakeServer(
  answer: (asked: Asked) => Answer,
  tls?: { readonly key: string; readonly cert: string },
): Promise<FakeServer> {
  const asked: Asked[] = []
  let faults: { fault: Fault; left: number; readonly when: (asked: Asked) => boolean }[] = []

  const serve = async (request: IncomingMessage, response: ServerResponse) => {
    const one = await read(request)
    asked.push(one)
    const due = faults.find(({ when }) => when(one))
    if (due !== undefined && --due.left === 0) faults = faults.filter((other) => other !== due)
    if (due === undefined) return send(response, answer(one))
    due.fault({ asked: one, before: asked.slice(0, -1), answer, response, send })
  }
  const served = (request: IncomingMessage, response: ServerResponse) => void serve(request, response)
  const server = tls === undefined ? createServer(served) : createTlsServer(tls, served)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    origin: `${tls === undefined ? 'http' : 'https'}://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    count: (method, path) =>
      asked.filter((one) => (method ?? one.method) === one.method && (path?.test(one.path) ?? true)).length,
    forgetRequests: () => void asked.splice(0),
    misbehave: (fault, { times = 1, when = () => true } = {}) =>
      void faults.push({ fault, left: times, when }),
    behave: () => {
      faults = []
      server.closeAllConnections()
    },
    stop: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

async function read(request: IncomingMessage): Promise<Asked> {
  let text = ''
  for await (const chunk of request.setEncoding('utf8')) text += String(chunk)
  const url = new URL(request.url!, 'http://fake')
  const headers = request.headers as Record<string, string | undefined>
  return {
    method: request.method!,
    path: url.pathname,
    query: url.searchParams,
    headers,
    text,
    json: parsed(text),
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

function send(response: ServerResponse, { status, headers, json }: Answer): void {
  const type = json === undefined ? {} : { 'content-type': 'application/json' }
  response.writeHead(status, { ...type, ...headers })
  response.end(json === undefined ? undefined : JSON.stringify(json))
}
