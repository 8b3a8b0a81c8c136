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
import { Turns } from './turns.ts'
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
  const api: Api = { http, base: url.replace(/\/+$/, ''), credentials, deadline_ms, turns: new Turns() }
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
      return readList(api, { path, item: ITEMS.middleware, search: text, signal })
    },
    startedAt: async (signal) => (await readVersion(api, signal)).started_at,
  }
}

const ITEMS = {
  entrypoint: Entrypoint.transform(entrypointOf),
  middleware: Middleware.transform(middlewareOf),
  http_router: Router.transform((wire) => routerOf('http', wire)),
  tcp_router: Router.transform((wire) => routerOf('tcp', wire)),
  http_service: Service.transform((wire) => serviceOf('http', wire)),
  tcp_service: Service.transform((wire) => serviceOf('tcp', wire)),
}

async function readOnce(api: Api, clock: Clock, signal: AbortSignal): Promise<ProxySnapshot> {
  const at = clock.now()
  const version = await readVersion(api, signal)
  const list = { signal }
  const [entrypoints, routers, tcp_routers, middlewares, services, tcp_services] = await Promise.all([
    readList(api, { ...list, path: '/api/entrypoints', item: ITEMS.entrypoint }),
    readList(api, { ...list, path: '/api/http/routers', item: ITEMS.http_router }),
    readList(api, { ...list, path: '/api/tcp/routers', item: ITEMS.tcp_router }),
    readList(api, { ...list, path: '/api/http/middlewares', item: ITEMS.middleware }),
    readList(api, { ...list, path: '/api/http/services', item: ITEMS.http_service }),
    readList(api, { ...list, path: '/api/tcp/services', item: ITEMS.tcp_service }),
  ])
  const joined = await api.turns.take(() => joinedRouters(routers, entrypoints))
  return {
    at,
    ...version,
    entrypoints,
    routers: await api.turns.take(() => [...joined, ...tcp_routers]),
    middlewares,
    services: [...services, ...tcp_services],
  }
}

const overview = async (api: Api, signal: AbortSignal): Promise<string> =>
  JSON.stringify((await ask(api, { path: '/api/overview', answer: Overview, signal })).body)
