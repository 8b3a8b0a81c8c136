/** One listener an entry point, for TLS and plain text alike: the first byte says which, and the greeting for whom. */
import { createServer as httpServer, type RequestListener, type Server, ServerResponse } from 'node:http'
import { type AddressInfo, connect, createServer, type Server as NetServer, type Socket } from 'node:net'
import { type SecureContext, TLSSocket } from 'node:tls'
import type { Route } from '../build/http.ts'
import type { TcpRoute } from '../build/tcp.ts'
import { plainAddress } from '../addresses.ts'
import type { ConnectionFacts } from '../rules/tcp-matchers.ts'
import { clientHello, isTls } from '../tls/client-hello.ts'
import type { Dial } from './ask.ts'

export interface Entrance {
  readonly tcpRoutes: () => readonly TcpRoute[]
  /** HTTP routes over TLS. */
  readonly httpsRoutes: () => readonly Pick<Route, 'isNamed'>[]
  readonly contextFor: (server_name: string) => SecureContext | null
  readonly serve: (
    request: Parameters<RequestListener>[0],
    response: ServerResponse,
    head: Buffer | null,
  ) => void
  readonly dial: Dial
}

export interface Listener {
  /** `127.0.0.1:1234`. */
  readonly address: string
  stop(): Promise<void>
}

export async function listen(entrance: Entrance): Promise<Listener> {
  const sockets = new Set<Socket>()
  const http = httpServer((request, response) => entrance.serve(request, response, null))
  http.on('upgrade', (request, socket, head) => {
    const response = new ServerResponse(request)
    response.assignSocket(socket as Socket)
    socket.on('error', () => socket.destroy())
    entrance.serve(request, response, head)
  })
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket)).on('error', () => socket.destroy())
    accept(socket, http, entrance)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    async stop() {
      for (const socket of sockets) socket.destroy()
      await closed(server)
    },
  }
}

const closed = (server: NetServer): Promise<void> => new Promise((resolve) => server.close(() => resolve()))

function accept(socket: Socket, http: Server, entrance: Entrance): void {
  let seen = Buffer.alloc(0)
  const onData = (chunk: Buffer) => {
    seen = Buffer.concat([seen, chunk])
    const hello = isTls(seen) ? clientHello(seen) : undefined
    if (hello === null) return
    socket.pause().off('data', onData).unshift(seen)
    const facts: ConnectionFacts = {
      server_name: '',
      protocols: [],
      ...hello,
      address: plainAddress(socket.remoteAddress ?? ''),
    }
    const route = tcpRouteFor(facts, { entrance, is_secure: hello !== undefined })
    if (route !== undefined && route.tls !== 'terminate') return pass(socket, route, entrance.dial)
    if (hello === undefined) return handOver(http, socket)
    secured(socket, facts.server_name, entrance, (secure) => {
      if (route === undefined) handOver(http, secure)
      else pass(secure, route, entrance.dial)
    })
  }
  socket.on('data', onData)
}

/**
 * Undefined for what HTTP routes serve. Over TLS those that name the server go before all TCP routes, and the others before one
 * for every name.
 */
function tcpRouteFor(
  facts: ConnectionFacts,
  { entrance, is_secure }: { readonly entrance: Entrance; readonly is_secure: boolean },
): TcpRoute | undefined {
  const https = is_secure ? entrance.httpsRoutes() : []
  if (https.some(({ isNamed }) => isNamed?.(facts.server_name) === true)) return undefined
  const route = entrance
    .tcpRoutes()
    .find(({ tls, isMatch }) => (tls === 'none') !== is_secure && isMatch(facts))
  return route?.is_catch_all === true && https.some(({ isNamed }) => isNamed === null) ? undefined : route
}

function handOver(http: Server, socket: Socket): void {
  http.emit('connection', socket)
  socket.resume()
}

function secured(socket: Socket, name: string, entrance: Entrance, then: (secure: TLSSocket) => void): void {
  const context = entrance.contextFor(name)
  if (context === null) return void socket.destroy()
  const secure = new TLSSocket(socket, {
    isServer: true,
    secureContext: context,
    ALPNProtocols: ['http/1.1'],
    SNICallback: (_name, done) => done(null, context),
  })
  secure.on('error', () => socket.destroy())
  secure.once('secure', () => then(secure))
}

function pass(socket: Socket, { servers }: TcpRoute, dial: Dial): void {
  const [server] = servers
  if (server === undefined) return void socket.destroy()
  const { hostname, port } = new URL(dial(`tcp://${server}`))
  const theirs = connect({ host: hostname.replace(/^\[|\]$/g, ''), port: Number(port) })
  socket.on('close', () => theirs.destroy())
  theirs.on('error', () => socket.destroy()).on('close', () => socket.destroy())
  socket.pipe(theirs).pipe(socket)
}
