/**
 * What Traefik runs, by its API. Only reads.
 *
 * There is no list of everything at one moment, so the overview is read before and after: when it moved, or does not fit
 * the lists, the halves may be of two moments and everything is read once more.
 */
import type { Clock, Instant } from '../../../kernel/clock.ts'
import type { HttpClient } from '../../../ports/http-client.ts'
import type { ProxyFault, ProxySnapshot, SearchableProxy } from './port.ts'
import { type Api, ask, type Credential, unusable } from './ask.ts'

export type { Credential }
import { joinedRouters } from './joined-routers.ts'
import { misfit, readCounts } from './overview.ts'
import { readList } from './read-list.ts'
import { entrypointOf, faultOf, middlewareOf, routerOf, serviceOf } from './shown.ts'
import { Turns } from './turns.ts'
import { Entrypoint, Faulty, Middleware, Router, Service, Version } from './wire.ts'

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
const MOVED = 'changed again and again while it was read'

export function traefikApi({ url, http, clock, ...options }: TraefikOptions): SearchableProxy {
  const { deadline_ms = DEADLINE_MS, credential: credentials = [] } = options
  const api: Api = { http, base: url.replace(/\/+$/, ''), credentials, deadline_ms, turns: new Turns() }
  return {
    origin: api.base,
    snapshot: (signal) => readSnapshot(api, clock, signal),
    async middlewaresNamed(text, signal, insists = false) {
      const path = '/api/http/middlewares'
      return readList(api, { path, item: ITEMS.middleware, search: text, signal, insists })
    },
    faultsNamed: (text, signal) => readFaults(api, text, signal),
    entrypoints: (signal) => readList(api, { path: '/api/entrypoints', item: ITEMS.entrypoint, signal }),
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

/** Of one moment; throws `component_unavailable` where none was to be had. */
async function readSnapshot(api: Api, clock: Clock, signal: AbortSignal): Promise<ProxySnapshot> {
  let failure = ''
  for (let reading = 1; reading <= READINGS; reading++) {
    const before = await readCounts(api, signal)
    const { snapshot, lengths } = await readOnce(api, clock, signal)
    const after = await readCounts(api, signal)
    const wrong = after.text === before.text ? misfit(after, lengths) : MOVED
    if (wrong === null) return snapshot
    failure = wrong
  }
  throw unusable(api, '/api/overview', failure)
}

interface Reading {
  readonly snapshot: ProxySnapshot
  /** As the overview names them. */
  readonly lengths: Readonly<Record<string, number>>
}

async function readOnce(api: Api, clock: Clock, signal: AbortSignal): Promise<Reading> {
  const at = clock.now()
  const version = await readVersion(api, signal)
  const lists = await readLists(api, signal)
  const { entrypoints, routers, tcp_routers, middlewares, services, tcp_services } = lists
  const joined = await api.turns.take(() => joinedRouters(routers, entrypoints))
  const snapshot = {
    at,
    ...version,
    entrypoints,
    routers: await api.turns.take(() => [...joined, ...tcp_routers]),
    middlewares,
    services: [...services, ...tcp_services],
  }
  return { snapshot, lengths: lengthsOf(lists) }
}

const lengthsOf = (lists: Lists): Reading['lengths'] => ({
  'http routers': lists.routers.length,
  'http middlewares': lists.middlewares.length,
  'http services': lists.services.length,
  'tcp routers': lists.tcp_routers.length,
  'tcp services': lists.tcp_services.length,
})

type Lists = Awaited<ReturnType<typeof readLists>>

/** Two at a time, since a page may be long; where one fails, the others are not read to their ends. */
async function readLists(api: Api, signal: AbortSignal) {
  const failed = new AbortController()
  const list = { signal: AbortSignal.any([signal, failed.signal]) }
  try {
    const longOnes = async () => ({
      routers: await readList(api, { ...list, path: '/api/http/routers', item: ITEMS.http_router }),
      services: await readList(api, { ...list, path: '/api/http/services', item: ITEMS.http_service }),
    })
    const others = async () => ({
      entrypoints: await readList(api, { ...list, path: '/api/entrypoints', item: ITEMS.entrypoint }),
      tcp_routers: await readList(api, { ...list, path: '/api/tcp/routers', item: ITEMS.tcp_router }),
      middlewares: await readList(api, { ...list, path: '/api/http/middlewares', item: ITEMS.middleware }),
      tcp_services: await readList(api, { ...list, path: '/api/tcp/services', item: ITEMS.tcp_service }),
    })
    const [long, other] = await Promise.all([longOnes(), others()])
    return { ...long, ...other }
  } finally {
    failed.abort()
  }
}

const MAJOR = 3
const NUMBERED = /^v?(\d+)\.\d+/

/**
 * Builds between releases have no number and are taken as they are. Throws `component_unavailable` for another major version:
 * it has other words for the same things, so it is not read at all.
 */
async function readVersion(
  api: Api,
  signal: AbortSignal,
): Promise<{ readonly version: string; readonly started_at: Instant | null }> {
  const path = '/api/version'
  const { body } = await ask(api, { path, answer: Version, signal })
  const version = body.Version.replace(/^v(?=\d)/, '').slice(0, 64)
  const major = NUMBERED.exec(version)?.[1]
  if (major !== undefined && Number(major) !== MAJOR)
    throw unusable(api, path, `is Traefik ${version}; only version ${MAJOR} is understood`)
  const at = Date.parse(body.startDate ?? '')
  return { version, started_at: Number.isNaN(at) ? null : at }
}

const PARTS = { routers: 'router', services: 'service', middlewares: 'middleware' } as const
const STATUSES = ['disabled', 'warning'] as const

/**
 * What Traefik finds fault with: a file that it loaded whole can still hold a router that it serves nowhere. The overview
 * counts such objects, so that where there are none nothing else is asked.
 * @param search part of the names of those that are asked for
 */
async function readFaults(api: Api, search: string, signal: AbortSignal): Promise<readonly ProxyFault[]> {
  const { faulty } = await readCounts(api, signal)
  const found: ProxyFault[] = []
  for (const kind of ['http', 'tcp'] as const)
    for (const [list, part] of Object.entries(PARTS))
      for (const status of STATUSES) {
        if (faulty.get(`${kind} ${list} ${status}`) === 0) continue
        const item = Faulty.transform((wire) => faultOf(part, wire))
        found.push(...(await readList(api, { path: `/api/${kind}/${list}`, item, search, status, signal })))
      }
  return found
}
