/**
 * What Traefik runs, by its API. Only reads.
 *
 * There is no list of everything at one moment, so the overview is read before and after: when it moved, the halves may
 * be of two moments and everything is read once more.
 */
import type { Clock } from '../../kernel/clock.ts'
import type { HttpClient } from '../../ports/http-client.ts'
import type { ProxySnapshot, SearchableProxy } from '../../ports/proxy.ts'
import { type Api, ask, type Credential, unusable } from './ask.ts'

export type { Credential }
import { joinedRouters } from './joined-routers.ts'
import { readList } from './read-list.ts'
import { entrypointOf, middlewareOf, routerOf, serviceOf } from './shown.ts'
import { readVersion } from './version.ts'
import { Entrypoint, Middleware, Overview, Router, Service } from './wire.ts'

export interface TraefikOptions {
  /** Where the API is reached; a base path may follow (`api.basePath`). */
  readonly url: string
  readonly http: HttpClient
  /** Sent with every question; none where the API asks for none. */
  readonly credential?: readonly Credential[]
  readonly clock: Clock
  /** For each request; 5 s when left out. */
  readonly deadline_ms?: number
}

const DEADLINE_MS = 5000
const READINGS = 2

export function traefikApi({ url, http, clock, ...options }: TraefikOptions): SearchableProxy {
  const { deadline_ms = DEADLINE_MS, credential: credentials = [] } = options
  const api: Api = { http, base: url.replace(/\/+$/, ''), credentials, deadline_ms }
  return {
    origin: api.base,
    async snapshot(signal) {
      for (let reading = 1; reading <= READINGS; reading++) {
        const before = await overview(api, signal)
        const found = await readOnce(api, clock, signal)
        if ((await overview(api, signal)) === before) return found
      }
      throw unusable(api, '/api/overview', 'changed again and again while it was read')
    },
    async middlewaresNamed(text, signal) {
      const path = '/api/http/middlewares'
      return (await readList(api, { path, item: Middleware, search: text, signal })).map(middlewareOf)
    },
    startedAt: async (signal) => (await readVersion(api, signal)).started_at,
  }
}

async function readOnce(api: Api, clock: Clock, signal: AbortSignal): Promise<ProxySnapshot> {
  const at = clock.now()
  const version = await readVersion(api, signal)
  const list = { signal }
  const [entrypoints, routers, tcp_routers, middlewares, services, tcp_services] = await Promise.all([
    readList(api, { ...list, path: '/api/entrypoints', item: Entrypoint }),
    readList(api, { ...list, path: '/api/http/routers', item: Router }),
    readList(api, { ...list, path: '/api/tcp/routers', item: Router }),
    readList(api, { ...list, path: '/api/http/middlewares', item: Middleware }),
    readList(api, { ...list, path: '/api/http/services', item: Service }),
    readList(api, { ...list, path: '/api/tcp/services', item: Service }),
  ])
  const shown = entrypoints.map(entrypointOf)
  const all = [
    ...routers.map((wire) => routerOf('http', wire)),
    ...tcp_routers.map((wire) => routerOf('tcp', wire)),
  ]
  return {
    at,
    ...version,
    entrypoints: shown,
    routers: [
      ...joinedRouters(
        all.filter(({ kind }) => kind === 'http'),
        shown,
      ),
      ...all.filter(({ kind }) => kind === 'tcp'),
    ],
    middlewares: middlewares.map(middlewareOf),
    services: [
      ...services.map((wire) => serviceOf('http', wire)),
      ...tcp_services.map((wire) => serviceOf('tcp', wire)),
    ],
  }
}

const overview = async (api: Api, signal: AbortSignal): Promise<string> =>
  JSON.stringify((await ask(api, { path: '/api/overview', answer: Overview, signal })).body)
