/**
 * A stand-in for Traefik 3.7: it follows a file or a folder as the file provider does, builds its routers as strictly, shows
 * them in its API, and serves them on real sockets. It can refuse files, forget to watch, restart, be silent and misbehave.
 */
import { startFakeServer, type Asked, type FakeServer } from '../dns/fake-server.ts'
import { answer } from './api/answer.ts'
import { build, type Built, type Runtime } from './build/build.ts'
import type { Route } from './build/http.ts'
import { INTERNAL_SERVICES } from './build/internal.ts'
import { type Configuration, decodeFile } from './decode/decode.ts'
import type { Environment } from './decode/template.ts'
import { fileProvider } from './provider/file-provider.ts'
import { ENTRYPOINTS, type EntrypointPlan, type StaticConfig } from './static.ts'
import { asker, type Dial } from './traffic/ask.ts'
import { type Exchange, reply } from './traffic/exchange.ts'
import { listen, type Listener } from './traffic/listen.ts'
import { type Seen, server } from './traffic/serve.ts'

export interface FakeTraefik extends FakeServer {
  /** Reads this file or folder from now on, at each question, as a proxy that watches it. */
  follow(path: string): void
  /** From now on a changed file is judged: where this says true the last good configuration stays. */
  refuse(when: (text: string) => boolean): void
  /** Files are not looked at any more until the next restart. */
  stopWatching(): void
  restart(at: Date): void
  /** What another provider says from now on; null for nothing. */
  provide(provider: string, configuration: object | null): void
  /** What it runs; lists in a test's hands may be edited. */
  readonly running: Built
  /** `127.0.0.1:1234`, where this entry point is served. */
  address(entrypoint: string): string
  /** Every request at an entry point, in order. */
  readonly requests: readonly Seen[]
  /** Lines of its log. */
  readonly log: readonly string[]
  /** Answers nothing at any entry point. */
  silent: boolean
  /** Takes every client for this one; null for the one that it is. */
  client_address: string | null
}

export interface FakeTraefikOptions {
  readonly version?: string
  readonly started_at?: Date
  readonly entrypoints?: readonly EntrypointPlan[]
  readonly cert_resolvers?: readonly string[]
  readonly plugins?: readonly string[]
  /** Of its process, for templates. */
  readonly environment?: Environment
  /** Where the certificates of the resolvers are kept. */
  readonly acme_file?: string
  /** Least time between two configurations of the file provider. */
  readonly throttle_ms?: number
  readonly now?: () => number
  /** Where a backend or an SSO provider really is. */
  readonly dial?: Dial
  /** Of the API. */
  readonly tls?: { readonly key: string; readonly cert: string }
  /** What is in front of the API says to these headers: 401, 403, or null to let them in. */
  readonly guard?: (headers: Asked['headers']) => 401 | 403 | null
}

export async function startFakeTraefik(options: FakeTraefikOptions = {}): Promise<FakeTraefik> {
  const { version = '3.7.9', dial = (origin) => origin } = options
  const known: StaticConfig = {
    entrypoints: options.entrypoints ?? ENTRYPOINTS,
    cert_resolvers: options.cert_resolvers ?? ['letsencrypt'],
    plugins: options.plugins ?? [],
  }
  const log: string[] = []
  const requests: Seen[] = []
  const others = new Map<string, Configuration>()
  const file = fileProvider({
    environment: options.environment ?? {},
    throttle_ms: options.throttle_ms ?? 0,
    now: options.now ?? performance.now.bind(performance),
    log: (line) => log.push(line),
  })
  let started_at = options.started_at ?? new Date('2026-01-01T00:00:00Z')
  let built_of: Configuration | null = null
  let runtime: Runtime

  const current = (): Runtime => {
    const said = file.current()
    if (said === built_of) return runtime
    built_of = said
    runtime = build(new Map([['file', said], ...others]), {
      known,
      dial,
      ask: asker(dial),
      internal: { ...INTERNAL_SERVICES, 'api@internal': api },
      acme_file: options.acme_file ?? null,
      log: (line) => log.push(line),
    })
    return runtime
  }
  const ask = (asked: Pick<Asked, 'method' | 'path' | 'query'>) =>
    answer(asked, {
      version,
      started_at,
      running: current().built,
      providers: ['File', ...[...others.keys()].map((name) => name[0]!.toUpperCase() + name.slice(1))],
    })
  const api = (exchange: Exchange) => {
    const { pathname: path, searchParams: query } = new URL(exchange.url, 'http://traefik')
    const { status, headers = {}, json } = ask({ method: exchange.method, path, query })
    const type = { 'content-type': 'application/json' }
    reply(exchange, { status, headers: { ...type, ...headers }, body: JSON.stringify(json) ?? '' })
  }
  const http = await startFakeServer((asked) => {
    const stopped = options.guard?.(asked.headers) ?? null
    if (stopped !== null) return { status: stopped, headers: { 'www-authenticate': 'Basic realm="traefik"' } }
    return ask(asked)
  }, options.tls)

  const listeners = new Map<string, Listener>()
  const fake: FakeTraefik = {
    ...http,
    asked: http.asked,
    requests,
    log,
    silent: false,
    client_address: null,
    get running() {
      return current().built
    },
    address: (entrypoint) => listeners.get(entrypoint)!.address,
    follow: file.follow,
    refuse: file.refuse,
    stopWatching: file.stopWatching,
    restart(at) {
      started_at = at
      file.restart()
      built_of = null
    },
    provide(provider, configuration) {
      if (configuration === null) others.delete(provider)
      else others.set(provider, decodeFile(Buffer.from(JSON.stringify(configuration)), {}))
      built_of = null
    },
    async stop() {
      for (const listener of listeners.values()) await listener.stop()
      await http.stop()
    },
  }
  for (const plan of known.entrypoints) {
    const serve = server(plan, {
      runtime: current,
      onSeen: (seen) => requests.push(seen),
      isSilent: () => fake.silent,
      clientAddress: () => fake.client_address,
    })
    const isHere = ({ router }: Pick<Route, 'router'>) =>
      (router['using'] as readonly string[]).includes(plan.name)
    const tcpRoutes = () => current().tcp_routes.filter(isHere)
    const httpsRoutes = () => current().routes.filter((route) => route.is_secure && isHere(route))
    const contextFor = (name: string) => current().certificates.contextFor(name)
    listeners.set(plan.name, await listen({ tcpRoutes, httpsRoutes, contextFor, serve, dial }))
  }
  return fake
}
