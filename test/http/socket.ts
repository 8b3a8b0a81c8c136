/** Raw conversations with a server on loopback: bytes in, bytes out, nothing that a client library would tidy up. */
import { connect, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'
import type { App } from '../../src/http/app.ts'
import { httpServer, type HttpServer, type ServerLimits } from '../../src/http/socket/server.ts'

export interface Running {
  readonly server: HttpServer
  readonly port: number
}

/** A server that is stopped when the test is over. */
export async function serving(
  app: App,
  limits: Partial<ServerLimits> = {},
  host = '127.0.0.1',
): Promise<Running> {
  const isTrustedProxy = (address: string) => address === '127.0.0.9'
  const server = httpServer({
    app,
    host,
    port: 0,
    isTrustedProxy,
    limits: { drain_ms: 500, ...limits },
  })
  const { port } = await server.listen()
  onTestFinished(() => server.stop())
  return { server, port }
}

export interface Wire {
  readonly socket: Socket
  /** Everything the server has sent, as Latin-1. */
  readonly received: () => string
  /** Resolves when the connection is closed, with everything that came. */
  readonly closed: Promise<string>
  /** Resolves when what came matches; rejects when the connection closes before. */
  readonly until: (pattern: RegExp) => Promise<string>
}

/** Opens a connection; `from` is the loopback address to call from. `::1` needs a server that listens on `::`. */
export function wire(port: number, from = '127.0.0.1'): Wire {
  const socket = connect({ port, host: from.includes(':') ? '::1' : '127.0.0.1', localAddress: from })
  let text = ''
  socket.setEncoding('latin1')
  socket.on('data', (chunk) => (text += String(chunk)))
  // A reset is one of the ways in which a server ends a conversation.
  socket.on('error', () => undefined)
  const closed = new Promise<string>((resolve) => socket.once('close', () => resolve(text)))
  const until = (pattern: RegExp) =>
    new Promise<string>((resolve, reject) => {
      const look = () => void (pattern.test(text) && resolve(text))
      socket.on('data', look)
      socket.once('close', () => reject(new Error(`closed before ${pattern}: ${text}`)))
      look()
    })
  onTestFinished(() => void socket.destroy())
  return { socket, received: () => text, closed, until }
}

/** Says something and listens until the server closes. */
export function talk(port: number, said: string, from?: string): Promise<string> {
  const { socket, closed } = wire(port, from)
  socket.write(said, 'latin1')
  return closed
}

export const request = (line: string, headers: readonly string[] = [], body = ''): string =>
  [`${line} HTTP/1.1`, ...headers, '', body].join('\r\n')

/** Status codes of all answers in a conversation, in order. */
export const statusesIn = (text: string): number[] =>
  [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status))

export const chunked = (piece: string, times: number): string =>
  `${piece.length.toString(16)}\r\n${piece}\r\n`.repeat(times) + '0\r\n\r\n'
