/** Servers on loopback that answer with exactly the bytes that a test says, and remember what they were sent. */
import { createServer, type Server, type Socket } from 'node:net'
import { afterEach } from 'vitest'

export interface RawServer {
  readonly origin: string
  /** What came in, connection after connection. */
  readonly received: string[]
  /** Connections that are open now. */
  open(): number
  /** Resolves when the client has left all of its connections. */
  left(): Promise<void>
}

/** @param serve called once per connection, as soon as a request's head is there. */
export type Serve = (socket: Socket, head: string) => void

export function eachRawServer(): (serve: Serve) => Promise<RawServer> {
  const stops: (() => Promise<void>)[] = []
  afterEach(async () => {
    for (const stop of stops.splice(0)) await stop()
  })
  return async (serve) => {
    const sockets = new Set<Socket>()
    const received: string[] = []
    const waiting: (() => void)[] = []
    const server = createServer((socket) => {
      sockets.add(socket)
      socket.on('error', () => undefined)
      socket.on('close', () => {
        sockets.delete(socket)
        if (sockets.size === 0) for (const wake of waiting.splice(0)) wake()
      })
      let text = ''
      socket.on('data', (chunk) => {
        text += chunk.toString('latin1')
        if (!text.includes('\r\n\r\n')) return
        received.push(text)
        serve(socket, text)
        text = ''
      })
    })
    await listening(server)
    stops.push(async () => {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    })
    const address = server.address() as { port: number }
    return {
      origin: `http://127.0.0.1:${address.port}`,
      received,
      open: () => sockets.size,
      left: () => (sockets.size === 0 ? Promise.resolve() : new Promise((resolve) => waiting.push(resolve))),
    }
  }
}

const listening = (server: Server): Promise<void> =>
  new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))

/** A whole answer with a body of the right length. */
export const answer = (status: string, headers: Readonly<Record<string, string>> = {}, body = ''): string =>
  [
    `HTTP/1.1 ${status}`,
    ...Object.entries({ 'content-length': String(Buffer.byteLength(body)), ...headers }).map(
      ([name, value]) => `${name}: ${value}`,
    ),
    '',
    body,
  ].join('\r\n')
