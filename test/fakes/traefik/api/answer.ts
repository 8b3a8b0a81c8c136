/** What the API says of a runtime: GET only, JSON, objects by `name@provider`. */
import type { Answer, Asked } from '../../dns/fake-server.ts'
import type { Built } from '../build/build.ts'
import type { RuntimeObject } from '../build/objects.ts'
import { page } from './page.ts'

export interface State {
  readonly version: string
  readonly started_at: Date
  readonly running: Built
  /** Names of the providers, as the overview shows them. */
  readonly providers: readonly string[]
}

const LIST = /^\/api\/(http|tcp|udp)\/(routers|services|middlewares)(?:\/(.+))?$/

export function answer(asked: Pick<Asked, 'method' | 'path' | 'query'>, state: State): Answer {
  if (asked.method !== 'GET') return { status: 405 }
  const { version, started_at, running } = state
  if (asked.path === '/api/version')
    return { status: 200, json: { Version: version, Codename: 'fake', startDate: started_at.toISOString() } }
  if (asked.path === '/api/overview') return { status: 200, json: overviewOf(state) }
  if (asked.path === '/api/rawdata') return { status: 200, json: rawData(running) }
  if (asked.path === '/api/entrypoints') return page(asked, running.entrypoints)
  const [, entrypoint] = /^\/api\/entrypoints\/(.+)$/.exec(asked.path) ?? []
  if (entrypoint !== undefined) return one(running.entrypoints, entrypoint, 'entry point')
  const [, kind, part, id] = LIST.exec(asked.path) ?? []
  const list = kind === undefined ? undefined : listOf(running, kind, part!)
  if (list === undefined) return { status: 404, json: { message: 'not found' } }
  return id === undefined ? page(asked, list) : one(list, id, part!.slice(0, -1))
}

const listOf = (running: Built, kind: string, part: string): readonly RuntimeObject[] | undefined =>
  (running[kind as 'http'] as unknown as Partial<Record<string, readonly RuntimeObject[]>>)[part]

function one(list: readonly { readonly name: string }[], id: string, what: string): Answer {
  const name = decodeURIComponent(id)
  const found = list.find((each) => each.name === name)
  return found === undefined
    ? { status: 404, json: { message: `${what} not found: ${name}` } }
    : { status: 200, json: found }
}

function overviewOf({ running, providers }: State): unknown {
  const totals = (parts: object) =>
    Object.fromEntries(
      Object.entries(parts as Record<string, readonly RuntimeObject[]>).map(([name, list]) => [
        name,
        {
          total: list.length,
          warnings: list.filter(({ status }) => status === 'warning').length,
          errors: list.filter(({ status }) => status === 'disabled').length,
        },
      ]),
    )
  const { http, tcp, udp } = running
  return {
    http: totals(http),
    tcp: totals(tcp),
    udp: totals(udp),
    features: { tracing: '', metrics: '', accessLog: false },
    providers,
  }
}

/** Empty parts are left out. */
function rawData({ http, tcp, udp }: Built): unknown {
  const parts = {
    routers: http.routers,
    middlewares: http.middlewares,
    services: http.services,
    tcpRouters: tcp.routers,
    tcpMiddlewares: tcp.middlewares,
    tcpServices: tcp.services,
    udpRouters: udp.routers,
    udpServices: udp.services,
  }
  return Object.fromEntries(
    Object.entries(parts).flatMap(([part, list]) =>
      list.length === 0
        ? []
        : [[part, Object.fromEntries(list.map(({ name, ...more }) => [name, bare(more)]))]],
    ),
  )
}

const bare = ({
  provider: _provider,
  type: _type,
  priorityStr: _priority,
  ...more
}: Omit<RuntimeObject, 'name'>) => more
