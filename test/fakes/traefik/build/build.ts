/** What Traefik's runtime is built of, out of what all its providers say. */
import type { Configuration } from '../decode/decode.ts'
import type { StaticConfig } from '../static.ts'
import { certificatesOf, type Certificates } from '../tls/certificates.ts'
import type { Ask, Dial } from '../traffic/ask.ts'
import type { Handler } from '../traffic/exchange.ts'
import { buildHttp, type Route } from './http.ts'
import { internalConfiguration } from './internal.ts'
import { type Objects, type Part, qualified, type Sections } from './objects.ts'
import { buildTcp, type TcpRoute } from './tcp.ts'
import { buildUdp, type UdpPart } from './udp.ts'

/** What the API shows; lists in a test's hands may be edited. */
export interface Built {
  readonly entrypoints: readonly { readonly name: string; readonly [key: string]: unknown }[]
  readonly http: Part
  readonly tcp: Part
  readonly udp: UdpPart
}

export interface Runtime {
  readonly built: Built
  readonly routes: readonly Route[]
  readonly tcp_routes: readonly TcpRoute[]
  readonly certificates: Certificates
}

export interface BuildOptions {
  readonly known: StaticConfig
  readonly dial: Dial
  readonly ask: Ask
  readonly internal: Readonly<Record<string, Handler>>
  /** Certificates that the resolvers have got. */
  readonly acme_file: string | null
  readonly log: (line: string) => void
}

/** @param providers by name, without `internal`. */
export function build(providers: ReadonlyMap<string, Configuration>, options: BuildOptions): Runtime {
  const { known, log } = options
  const all = new Map([...providers, ['internal', internalConfiguration(known)] as const])
  const http = buildHttp(sectionsOf(all, 'http'), { ...options, tls_options: tlsOptionsOf(providers) })
  const tcp = buildTcp(sectionsOf(all, 'tcp'), known)
  return {
    built: {
      entrypoints: known.entrypoints.map(presented),
      http: http.part,
      tcp: tcp.part,
      udp: buildUdp(sectionsOf(all, 'udp'), known),
    },
    routes: http.routes,
    tcp_routes: tcp.routes,
    certificates: certificatesOf([...providers.values()], options.acme_file, log),
  }
}

const sectionsOf = (all: ReadonlyMap<string, Configuration>, section: string): Sections =>
  new Map([...all].map(([provider, said]) => [provider, (said[section] ?? {}) as Record<string, Objects>]))

/** `default` is nobody's own; two providers that define it lose both. */
const tlsOptionsOf = (providers: ReadonlyMap<string, Configuration>): ReadonlySet<string> =>
  new Set(
    [...providers].flatMap(([provider, { tls }]) =>
      Object.keys(tls?.['options'] ?? {}).map((name) => qualified(name, provider)),
    ),
  )

function presented({
  name,
  address,
  middlewares,
  tls,
  forwardedHeaders,
  redirections,
  asDefault,
}: StaticConfig['entrypoints'][number]) {
  return {
    name,
    address,
    ...(asDefault === true && { asDefault }),
    ...(forwardedHeaders !== undefined && { forwardedHeaders }),
    http: {
      ...(middlewares !== undefined && { middlewares }),
      ...(tls !== undefined && { tls }),
      ...(redirections !== undefined && { redirections: { entryPoint: redirections } }),
    },
  }
}
