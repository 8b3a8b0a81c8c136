/**
 * The façade on a socket: Node's HTTP server with limits on what a slow or greedy client can hold, and an orderly end.
 *
 * Node's own defaults let a client that sends one header byte a second hold its connection for 90 seconds.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { type Clock, systemClock } from '../../kernel/clock.ts'
import { systemErrorCode } from '../../kernel/failure.ts'
import type { App } from '../app.ts'
import { type ConnectionLimits, Connections } from './connections.ts'
import { listenOn } from './listen-on.ts'
import { serveCall } from './over-socket.ts'
import { SECURITY_HEADERS } from '../plain.ts'
import { refuseRaw } from './raw-refusal.ts'
import { paceRequests } from '../access/request-pacing.ts'

export interface ServerLimits extends ConnectionLimits {
  /** For the header section to arrive. */
  readonly headers_timeout_ms: number
  /** For the whole request to arrive. */
  readonly request_timeout_ms: number
  /** How often all limits of time are looked at. */
  readonly check_every_ms: number
  readonly header_bytes: number
  /** Requests of one connection that are worked on at once; the others stay unread. */
  readonly requests_per_connection: number
  /** How long running requests may go on after `stop`. */
  readonly drain_ms: number
}

export const SERVER_LIMITS: ServerLimits = {
  headers_timeout_ms: 5000,
  request_timeout_ms: 7000,
  check_every_ms: 1000,
  keep_alive_ms: 5000,
  unread_ms: 30_000,
  header_bytes: 8 * 1024,
  requests_per_connection: 8,
  connections: 512,
  connections_per_address: 64,
  drain_ms: 8000,
}

export interface ServerOptions {
  readonly app: App
  readonly host: string
  /** 0 for any free port. */
  readonly port: number
  /** The setting that says so: it is named where that cannot be done. Default: that of the main listener. */
  readonly setting?: string
  /** Addresses that may hold any number of connections. */
  readonly isTrustedProxy: (address: string) => boolean
  readonly limits?: Partial<ServerLimits>
  /** Default: that of the system. */
  readonly clock?: Clock
}

export interface HttpServer {
  /** Throws `bad_configuration` when the address cannot be listened on. */
  listen(): Promise<AddressInfo>
  /** Accepts nothing more, lets running requests end, and resolves when the last connection is closed. */
  stop(): Promise<void>
}

export function httpServer(options: ServerOptions): HttpServer {
  const limits = { ...SERVER_LIMITS, ...options.limits }
  const { app, isTrustedProxy, clock = systemClock } = options
  const server = bareServer(limits)
  const connections = new Connections({ limits, isExempt: isTrustedProxy, clock })
  let stopping: Promise<void> | null = null
  const isLast = () => stopping !== null
  server.on('connection', (socket: Socket) => {
    const connection = connections.enter(socket)
    if (connection === null) return void socket.destroy()
    connection.onSettled = paceRequests(socket, {
      owed: () => connection.owed,
      most: limits.requests_per_connection,
    })
  })
  /** False where the connection has lost its place and closes. */
  const owes = ({ socket }: IncomingMessage, outgoing: ServerResponse): boolean => {
    const connection = connections.get(socket)
    if (connection === null) {
      outgoing.destroy()
      return false
    }
    connection.owe(outgoing, clock.elapsed())
    outgoing.once('close', () => connection.settle(outgoing, clock.elapsed()))
    return true
  }
  const accept = (waiting: boolean) => (incoming: IncomingMessage, outgoing: ServerResponse) => {
    if (!owes(incoming, outgoing)) return
    serveCall(app, { incoming, outgoing, waiting, isLast }).catch(() => outgoing.destroy())
  }
  server.on('request', accept(false))
  server.on('checkContinue', accept(true))
  server.on('checkExpectation', (incoming: IncomingMessage, outgoing: ServerResponse) => {
    if (owes(incoming, outgoing)) outgoing.writeHead(417, SECURITY_HEADERS).end()
  })
  refuseBroken(server, {
    isAnswering: (socket) => connections.get(socket)?.answering === true,
    header_bytes: limits.header_bytes,
  })
  return {
    listen: async () => {
      const address = await listenOn(server, options)
      const sweep = setInterval(() => connections.sweep(), limits.check_every_ms).unref()
      server.once('close', () => clearInterval(sweep))
      return address
    },
    stop: () => (stopping ??= drain(server, limits.drain_ms)),
  }
}

/** Of the time that an idle connection is kept. */
const KEEP_ALIVE_ADVERTISED = 0.8

function bareServer(limits: ServerLimits): Server {
  const server = createServer({
    headersTimeout: limits.headers_timeout_ms,
    requestTimeout: limits.request_timeout_ms,
    connectionsCheckingInterval: limits.check_every_ms,
    // Told to clients: one that keeps to it does not begin a request on a connection that is about to close.
    keepAliveTimeout: limits.keep_alive_ms * KEEP_ALIVE_ADVERTISED,
    maxHeaderSize: limits.header_bytes,
    // The policy refuses a missing Host itself, as a problem answer.
    requireHostHeader: false,
  })
  // One that gives up its place for another is open a little longer.
  server.maxConnections = limits.connections * 2
  // Node drops the lines beyond this number without a word; the byte limit above bounds them already.
  server.maxHeadersCount = 0
  return server
}

/**
 * Nothing here is tunnelled, and what is not HTTP is told so once. A wish to upgrade is ignored, as RFC 9110 §7.8 lets a server
 * do: Node answers such a request as any other while nobody listens for `upgrade`. Java's client wishes for h2c by default.
 */
function refuseBroken(
  server: Server,
  {
    isAnswering,
    header_bytes,
  }: { readonly isAnswering: (socket: Socket) => boolean; readonly header_bytes: number },
): void {
  server.on('connect', (_request, socket) => socket.destroy())
  server.on('clientError', (error, socket) => {
    // Writing here would corrupt the response in flight.
    if (isAnswering(socket as Socket) || !socket.writable) socket.destroy()
    else refuseRaw(socket, { code: systemErrorCode(error), header_bytes })
  })
}

/** Between two looks for connections that have become idle: a busy keep-alive client never leaves by itself. */
const SWEEP_EVERY_MS = 100

/** Resolves when every connection is closed, at the latest shortly after `max_ms`. */
async function drain(server: Server, max_ms: number): Promise<void> {
  if (!server.listening) return
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  const sweep = setInterval(() => server.closeIdleConnections(), SWEEP_EVERY_MS)
  const cut = setTimeout(() => server.closeAllConnections(), max_ms)
  await closed
  clearInterval(sweep)
  clearTimeout(cut)
}
