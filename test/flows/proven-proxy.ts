/** A proxy in front of protected routes: it follows their file, and a backend behind each of them answers with content. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { certificateAuthority } from '../fakes/certificate-authority.ts'
import type { Seen } from '../fakes/traefik/traffic/serve.ts'
import { type FakeTraefik, type FakeTraefikOptions, startFakeTraefik } from '../fakes/traefik/traefik.ts'

export interface ProvenProxy {
  readonly traefik: FakeTraefik
  /** `127.0.0.1:1234`, where it serves HTTPS. */
  readonly address: string
  /** Where it serves plain http. */
  readonly plain_address: string
  /** Questions over HTTPS. */
  readonly asked: readonly Asked[]
  readonly asked_plain: readonly Asked[]
  /** The same, each said once. */
  readonly kinds: readonly Asked[]
  readonly kinds_plain: readonly Asked[]
  /** Every header that any question had. */
  readonly headers: readonly string[]
  /** Hosts that a router of another provider takes, at every door, without asking anybody. */
  readonly clash: Taken
  /** Names of routers whose rule a router of another provider takes, in the same way. */
  readonly forgotten: Taken
  /** Hosts that a router of another provider takes over plain http. */
  readonly strangers: Taken
  /** What the backend answers. */
  backend: { readonly status: number; readonly location?: string; readonly text?: string }
  /** Answers nothing at all. */
  silent: boolean
  /** Takes the asker for somebody from outside. */
  outside: boolean
  stop(): Promise<void>
}

export type Asked = Pick<Seen, 'host' | 'sni' | 'path'>

interface Taken {
  add(name: string): void
  clear(): void
}

const OUTSIDE = '203.0.113.77'
/** Above all of ours. */
const PRIORITY = 1_000_000

export async function startProvenProxy(options: {
  readonly routes: string
  /** Where the SSO provider is; it may start later. */
  readonly authelia: () => string
  readonly entrypoints?: FakeTraefikOptions['entrypoints']
  readonly throttle_ms?: number
}): Promise<ProvenProxy> {
  const authority = certificateAuthority()
  const certificate = authority.issue({ names: ['*.example.com'] })
  authority.close()
  const server = createServer((_request, response) => {
    const { status, location, text = 'secret'.repeat(1000) } = proxy.backend
    response
      .writeHead(status, { 'set-cookie': 'backend=1', ...(location !== undefined && { location }) })
      .end(text)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const behind = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const traefik = await startFakeTraefik({
    // What the estate calls its provider is the provider, also behind a way that can fail; all else is the backend.
    dial: (origin) => (/^http:\/\/(?:127[.]0[.]0[.]1|authelia):/.test(origin) ? options.authelia() : behind),
    ...(options.entrypoints !== undefined && { entrypoints: options.entrypoints }),
    ...(options.throttle_ms !== undefined && { throttle_ms: options.throttle_ms }),
  })
  const taken = { clash: new Set<string>(), forgotten: new Set<string>(), strangers: new Set<string>() }
  const provide = () => traefik.provide('docker', neighbours(taken, traefik, certificate))
  const setOf = (which: keyof typeof taken): Taken => ({
    add(name) {
      taken[which].add(name)
      provide()
    },
    clear() {
      taken[which].clear()
      provide()
    },
  })
  const at = (entrypoint: string): readonly Asked[] =>
    traefik.requests
      .filter((seen) => seen.entrypoint === entrypoint)
      .map(({ host, sni, path }) => ({ host, sni, path }))
  const proxy: ProvenProxy = {
    traefik,
    address: traefik.address('websecure'),
    plain_address: traefik.address('web'),
    get asked() {
      return at('websecure')
    },
    get asked_plain() {
      return at('web')
    },
    get kinds() {
      return eachOnce(at('websecure'))
    },
    get kinds_plain() {
      return eachOnce(at('web'))
    },
    get headers() {
      return traefik.requests.flatMap(({ headers }) => headers)
    },
    clash: setOf('clash'),
    forgotten: setOf('forgotten'),
    strangers: setOf('strangers'),
    backend: { status: 200 },
    get silent() {
      return traefik.silent
    },
    set silent(is_silent) {
      traefik.silent = is_silent
    },
    get outside() {
      return traefik.client_address !== null
    },
    set outside(is_outside) {
      traefik.client_address = is_outside ? OUTSIDE : null
    },
    async stop() {
      await traefik.stop()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  provide()
  traefik.follow(options.routes)
  return proxy
}

const eachOnce = (all: readonly Asked[]): readonly Asked[] => [
  ...new Map(all.map((one) => [JSON.stringify(one), one])).values(),
]

/** What another provider says beside our file: its certificate, and routers that take what is ours. */
function neighbours(
  { clash, forgotten, strangers }: Readonly<Record<'clash' | 'forgotten' | 'strangers', ReadonlySet<string>>>,
  { running }: FakeTraefik,
  { cert, key }: { readonly cert: string; readonly key: string },
): object {
  const ruleOf = (name: string): string =>
    String(running.http.routers.find((router) => router.name === `${name}@file`)?.['rule'])
  const host = (name: string): string => `Host(${JSON.stringify(name)})`
  const rules = [
    ...[...clash].flatMap((name) => [
      { rule: host(name), entryPoints: ['websecure'], tls: {} },
      { rule: host(name), entryPoints: ['web'] },
    ]),
    ...[...forgotten].map((name) => ({ rule: ruleOf(name), entryPoints: ['websecure'], tls: {} })),
    ...[...strangers].map((name) => ({ rule: host(name), entryPoints: ['web'] })),
  ]
  return {
    tls: { certificates: [{ certFile: cert, keyFile: key }] },
    ...(rules.length > 0 && {
      http: {
        routers: Object.fromEntries(
          rules.map((rule, i) => [`theirs-${i}`, { ...rule, service: 'theirs', priority: PRIORITY }]),
        ),
        services: { theirs: { loadBalancer: { servers: [{ url: 'http://theirs' }] } } },
      },
    }),
  }
}
