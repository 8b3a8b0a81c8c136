/** An HTTP server on loopback that gives the answers of a script, bad ones most of all, and keeps what it was asked. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { afterEach } from 'vitest'

/** `body`: a text is sent as it is, anything else as JSON. */
export interface PlainAnswer {
  readonly status: number
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

export type Answer =
  | PlainAnswer
  /** The connection is closed without a word. */
  | 'hangs up'
  /** The head and the first half of a body, then nothing more; the connection stays open. */
  | 'goes silent half-way'
  /** The same, and then the connection is closed. */
  | 'breaks off half-way'
  /** Nothing at all; the connection stays open. */
  | 'says nothing'

export interface Asked {
  readonly method: string
  /** With its query. */
  readonly path: string
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

export interface MisbehavingServer {
  readonly origin: string
  readonly asked: readonly Asked[]
  /** Answers to the next requests, in order. A request without one is answered with status 599. */
  script(...answers: readonly Answer[]): void
  /** Called when a request is there, before its answer goes out. */
  onRequest(listener: () => void): void
}

/** A body for people, as proxies send it. */
export const PAGE: PlainAnswer = {
  status: 200,
  headers: { 'content-type': 'text/html' },
  body: '<!doctype html><title>Sign in</title><h1>Please sign in</h1>',
}

/** Servers that are closed after each test, open connections and all. */
export function eachMisbehavingServer(): () => Promise<MisbehavingServer> {
  const stops: (() => Promise<unknown>)[] = []
  afterEach(async () => {
    for (const stop of stops.splice(0)) await stop()
  })
  return async () => {
    const asked: Asked[] = []
    const answers: Answer[] = []
    let listener: () => void = () => undefined
    const server = createServer((request, response) => {
      void bodyOf(request).then((body) => {
        asked.push({ method: request.method ?? '', path: request.url ?? '', headers: request.headers, body })
        listener()
        give(response, answers.shift() ?? { status: 599 })
      })
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    stops.push(() => {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(resolve))
    })
    const { port } = server.address() as { port: number }
    return {
      origin: `http://127.0.0.1:${port}`,
      asked,
      script: (...more) => void answers.push(...more),
      onRequest: (to) => void (listener = to),
    }
  }
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
  return Buffer.concat(chunks).toString('utf8')
}

function give(response: ServerResponse, answer: Answer): void {
  if (answer === 'says nothing') return
  if (answer === 'hangs up') return void response.destroy()
  if (typeof answer === 'string') {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' })
    response.write('{"rrsets":[', () => {
      if (answer === 'breaks off half-way') response.destroy()
    })
    return
  }
  const { status, body, headers = {} } = answer
  const text = body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body)
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(text)
}
