/** A real HTTP server that keeps what is posted to it, checks its signature, and misbehaves on command. */
import { createHmac } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { NotificationMessage } from '../../../src/model/notification.ts'

export interface Posted {
  readonly path: string
  readonly delivery: string
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: string
  readonly message: NotificationMessage
}

/** `taken_then_reset`: it is kept, and the answer is lost. */
export type ReceiverTrouble =
  | 'hang'
  | 'reset'
  | 'taken_then_reset'
  | { readonly status: number; readonly headers?: Record<string, string> }

export interface WebhookReceiver {
  /** With a key in its path, as chat systems have it. */
  readonly url: string
  /** Everything that arrived whole, also what was then refused. */
  readonly posted: readonly Posted[]
  /** What was answered with 204. */
  readonly taken: readonly Posted[]
  misbehave(how: ReceiverTrouble | null): void
  close(): Promise<void>
}

export const PATH_KEY = 'T0123-hush-hush'

export async function webhookReceiver(secret: string | null = null): Promise<WebhookReceiver> {
  const posted: Posted[] = []
  const taken: Posted[] = []
  let how: ReceiverTrouble | null = null
  const server = createServer((request, response) => {
    void bodyOf(request).then(
      (body) => answer(request, response, body),
      () => undefined,
    )
  })

  function answer(request: IncomingMessage, response: ServerResponse, body: string): void {
    const headers = request.headers as Posted['headers']
    if (
      request.method !== 'POST' ||
      headers['content-type'] !== 'application/json' ||
      !isSigned(headers, body)
    )
      return void response.writeHead(400).end()
    const message = JSON.parse(body) as NotificationMessage
    const post = { path: request.url!, delivery: headers['x-plumbline-delivery']!, headers, body, message }
    posted.push(post)
    if (how === null || how === 'taken_then_reset') taken.push(post)
    if (how === null) response.writeHead(204).end()
    else if (how === 'reset' || how === 'taken_then_reset') request.socket.destroy()
    else if (how !== 'hang') response.writeHead(how.status, how.headers).end('no')
  }

  function isSigned(headers: Posted['headers'], body: string): boolean {
    if (secret === null) return headers['x-plumbline-signature'] === undefined
    const text = `v1:${headers['x-plumbline-timestamp']}.${body}`
    const expected = createHmac('sha256', secret).update(text).digest('hex')
    return headers['x-plumbline-signature'] === `v1=${expected}`
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks/${PATH_KEY}`,
    posted,
    taken,
    misbehave: (next) => void (how = next),
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of request) text += String(chunk)
  return text
}
