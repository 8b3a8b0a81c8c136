/**
 * A stand-in for the proxy on real sockets, one for HTTPS and one for plain http: it takes the routers of the routes file as
 * they are, asks the SSO provider where one lists a forwardAuth, and else answers with content. It misbehaves on command.
 */
import { readFileSync, statSync } from 'node:fs'
import {
  createServer as plainServer,
  type IncomingMessage,
  request as ask,
  type ServerResponse,
} from 'node:http'
import { createServer as tlsServer } from 'node:https'
import type { AddressInfo, Server } from 'node:net'
import { certificateAuthority } from '../certificate-authority.ts'
import { type Router, type Routing, routerFor, routingOf } from './routing.ts'

export interface FakeProxy {
  /** `127.0.0.1:1234`, where it serves HTTPS. */
  readonly address: string
  /** Where it serves plain http. */
  readonly plain_address: string
  /** Questions over HTTPS. */
  readonly asked: readonly Seen[]
  readonly asked_plain: readonly Seen[]
  /** Every header that any question had. */
  readonly headers: readonly string[]
  /** Hosts whose check it forgets, as a second middleware of the same name would. */
  readonly clash: Set<string>
  /** Names of routers whose check it forgets. */
  readonly forgotten: Set<string>
  /** Hosts that another router of somebody else's serves over plain http. */
  readonly strangers: Set<string>
  /** What an open route answers. */
  backend: { readonly status: number; readonly location?: string; readonly text?: string }
  /** Answers nothing at all. */
  silent: boolean
  /** Takes the asker for somebody from outside. */
  outside: boolean
  stop(): Promise<void>
}

export interface Seen {
  readonly host: string
  readonly sni: string | false
  readonly path: string
}

export async function startProxy(options: {
  readonly routes: () => string
  readonly authelia: string
}): Promise<FakeProxy> {
  const authority = certificateAuthority()
  const { cert, key } = authority.issue({ names: ['*.example.com'] })
  authority.close()
  const asked: Seen[] = []
  const asked_plain: Seen[] = []
  const headers: string[] = []
  const fake = {
    address: '',
    plain_address: '',
    asked,
    asked_plain,
    headers,
    clash: new Set<string>(),
    forgotten: new Set<string>(),
    strangers: new Set<string>(),
    backend: { status: 200 } as FakeProxy['backend'],
    silent: false,
    outside: false,
    stop: async () => {
      for (const server of servers) {
        server.closeAllConnections()
        await new Promise((resolve) => server.close(resolve))
      }
    },
  }
  const serve = (entrypoint: 'web' | 'websecure') => (request: IncomingMessage, response: ServerResponse) => {
    const host = request.headers.host ?? ''
    const path = request.url ?? '/'
    const sni = (request.socket as { servername?: string }).servername ?? false
    ;(entrypoint === 'web' ? asked_plain : asked).push({ host, sni, path })
    headers.push(...request.rawHeaders.filter((_, i) => i % 2 === 0).map((name) => name.toLowerCase()))
    if (fake.silent) return
    const turn: Turn = { entrypoint, host, path, request, response, fake, authelia: options.authelia }
    if (entrypoint === 'web' && fake.strangers.has(host)) return answerAsBackend(turn)
    const routing = routingNow(options.routes())
    const router = routerFor(routing, entrypoint, { host, path })
    if (router === null) return void response.writeHead(404).end('404 page not found')
    run(turn, routing, router)
  }
  const servers = [tlsServer({ cert, key }, serve('websecure')), plainServer(serve('web'))] as const
  fake.address = await listening(servers[0])
  fake.plain_address = await listening(servers[1])
  return fake
}

async function listening(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `127.0.0.1:${(server.address() as AddressInfo).port}`
}

interface Turn {
  readonly entrypoint: 'web' | 'websecure'
  readonly host: string
  readonly path: string
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly fake: Pick<FakeProxy, 'backend' | 'clash' | 'forgotten' | 'outside'>
  readonly authelia: string
}

/** Its middlewares in their order, and then the backend. */
function run(turn: Turn, routing: Routing, router: Router): void {
  const { response, host, fake } = turn
  const forgets = fake.clash.has(host) || fake.forgotten.has(router.name)
  for (const name of router.middlewares) {
    const [type, config] = Object.entries(routing.middlewares[name] ?? {})[0] ?? []
    if (type === undefined) return void response.writeHead(404).end('a middleware that there is not')
    if (type === 'ipAllowList' && fake.outside) return void response.writeHead(403).end('Forbidden')
    if (type === 'redirectScheme')
      return void response.writeHead(301, { location: `https://${host}${turn.path}` }).end()
    if (type === 'forwardAuth' && !forgets) return askProvider(turn, String(config!['address']))
  }
  answerAsBackend(turn)
}

function answerAsBackend({ response, fake }: Turn): void {
  const { status, location, text = 'secret'.repeat(1000) } = fake.backend
  response
    .writeHead(status, { 'set-cookie': 'backend=1', ...(location !== undefined && { location }) })
    .end(text)
}

/** With what came in from strangers taken off, as the entrypoint does it, and what it says itself put in. */
function askProvider(turn: Turn, address: string): void {
  const { request, response, host, path, entrypoint, authelia } = turn
  const theirs = Object.entries(request.headers).filter(([name]) => !name.startsWith('x-forwarded-'))
  const question = ask(new URL(new URL(address).pathname, authelia), {
    headers: {
      ...Object.fromEntries(theirs),
      'x-forwarded-host': host,
      'x-forwarded-uri': path,
      'x-forwarded-method': request.method ?? 'GET',
      'x-forwarded-proto': entrypoint === 'web' ? 'http' : 'https',
    },
  })
  question.on('error', () => response.writeHead(500).end())
  question.on('response', (answer) => {
    if (answer.statusCode === 200) {
      answer.resume()
      return answerAsBackend(turn)
    }
    const { location } = answer.headers
    response.writeHead(answer.statusCode!, location === undefined ? {} : { location })
    answer.pipe(response)
  })
  question.end()
}

/** An unchanged file is read once. */
let last: { readonly stamp: string; readonly routing: Routing } | null = null

function routingNow(path: string): Routing {
  const status = statSync(path, { bigint: true, throwIfNoEntry: false })
  if (status?.isFile() !== true) return routingOf('')
  const stamp = `${path} ${status.ino} ${status.ctimeNs} ${status.size}`
  if (last?.stamp !== stamp) last = { stamp, routing: routingOf(readFileSync(path, 'utf8')) }
  return last.routing
}
