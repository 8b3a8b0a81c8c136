/**
 * Traefik's API, as far as it is read, over whatever routes file it is given: it loads the file as its file provider
 * does, says what its API would say, enforces its paging, and can refuse files, forget to watch, restart and misbehave.
 */
import { readFileSync, statSync } from 'node:fs'
import { startFakeServer, type Answer, type Asked, type FakeServer } from '../dns/fake-server.ts'
import { built, type Built, type EntrypointPlan } from './build.ts'

export interface FakeTraefik extends FakeServer {
  /** Reads this file from now on, at each question, as a proxy that watches it. */
  follow(path: string): void
  /** From now on a changed file is judged: where this says true the last good configuration stays. */
  refuse(when: (text: string) => boolean): void
  /** Files are not looked at any more until the next restart. */
  stopWatching(): void
  restart(at: Date): void
  /** What it runs; lists in a test's hands may be edited. */
  readonly running: Built
}

export interface FakeTraefikOptions {
  readonly version?: string
  readonly started_at?: Date
  readonly entrypoints?: readonly EntrypointPlan[]
  readonly tls?: { readonly key: string; readonly cert: string }
  /** What is in front of the API says to these headers: 401, 403, or null to let them in. */
  readonly guard?: (headers: Asked['headers']) => 401 | 403 | null
}

const ENTRYPOINTS: readonly EntrypointPlan[] = [
  { name: 'web', address: ':80' },
  { name: 'websecure', address: ':443' },
  { name: 'ssh', address: ':2222' },
  { name: 'smtp', address: ':25' },
]

export async function startFakeTraefik(options: FakeTraefikOptions = {}): Promise<FakeTraefik> {
  const { version = '3.6.2', entrypoints = ENTRYPOINTS } = options
  let started_at = options.started_at ?? new Date('2026-01-01T00:00:00Z')
  let path: string | null = null
  let seen: string | null = null
  let watching = true
  let refused: (text: string) => boolean = () => false
  let running = built('', entrypoints)

  /** A bad file is logged by the proxy and told to nobody: the last good configuration stays. */
  const load = () => {
    const stamp = path === null ? '' : stampOf(path)
    if (stamp === seen) return
    seen = stamp
    const text = path === null ? '' : textOf(path)
    if (!refused(text)) running = built(text, entrypoints)
  }
  const server = await startFakeServer((asked) => {
    if (watching) load()
    const stopped = options.guard?.(asked.headers) ?? null
    if (stopped !== null) return { status: stopped, headers: { 'www-authenticate': 'Basic realm="traefik"' } }
    return answer(asked, { version, started_at, running })
  }, options.tls)
  return {
    ...server,
    asked: server.asked,
    get running() {
      if (watching) load()
      return running
    },
    follow: (file) => {
      path = file
      load()
    },
    refuse: (when) => void (refused = when),
    stopWatching: () => void (watching = false),
    restart: (at) => {
      started_at = at
      watching = true
      seen = null
      running = built('', entrypoints)
      load()
    },
  }
}

/** Every write is an event, also one that brings the same text again. */
function stampOf(path: string): string {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false })
  return found === undefined ? 'absent' : `${found.ino} ${found.mtimeNs}`
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

interface State {
  readonly version: string
  readonly started_at: Date
  readonly running: Built
}

function answer(asked: Asked, { version, started_at, running }: State): Answer {
  if (asked.method !== 'GET') return { status: 405 }
  const { path } = asked
  if (path === '/api/version')
    return { status: 200, json: { Version: version, Codename: 'fake', startDate: started_at.toISOString() } }
  if (path === '/api/overview') return { status: 200, json: overviewOf(running) }
  const list = LISTS[path]
  return list === undefined ? { status: 404, json: { message: 'not found' } } : page(asked, list(running))
}

const LISTS: Readonly<Record<string, (running: Built) => readonly { readonly name: string }[]>> = {
  '/api/entrypoints': ({ entrypoints }) => entrypoints,
  '/api/http/routers': ({ http }) => http.routers,
  '/api/http/services': ({ http }) => http.services,
  '/api/http/middlewares': ({ http }) => http.middlewares,
  '/api/tcp/routers': ({ tcp }) => tcp.routers,
  '/api/tcp/services': ({ tcp }) => tcp.services,
  '/api/tcp/middlewares': ({ tcp }) => tcp.middlewares,
}

/** As `pkg/api` does it: pages from 1, a header that names the next one or 1, an error past the end. */
export function page({ query }: Asked, all: readonly { readonly name: string }[]): Answer {
  const search = query.get('search')?.toLowerCase() ?? ''
  const fits = (one: { readonly name: string }): boolean =>
    JSON.stringify([one.name, (one as { rule?: string }).rule])
      .toLowerCase()
      .includes(search)
  const found = search === '' ? all : all.filter(fits)
  const per_page = Number(query.get('per_page') ?? 100)
  const number = Number(query.get('page') ?? 1)
  const bad = (message: string): Answer => ({ status: 400, json: { message } })
  if (!Number.isInteger(number) || number < 1) return bad(`invalid request: page: ${query.get('page')}`)
  if (!Number.isInteger(per_page) || per_page < 1)
    return bad(`invalid request: per_page: ${query.get('per_page')}`)
  const start = (number - 1) * per_page
  if (start !== 0 && start >= found.length)
    return bad(`invalid request: page: ${number}, per_page: ${per_page}`)
  const is_last = start + per_page >= found.length
  return {
    status: 200,
    headers: { 'x-next-page': String(is_last ? 1 : number + 1) },
    json: found.slice(start, start + per_page),
  }
}

function overviewOf({ http, tcp }: Built): unknown {
  const totals = (part: Built['http']) =>
    Object.fromEntries(
      Object.entries(part).map(([name, list]) => [name, { total: list.length, warnings: 0, errors: 0 }]),
    )
  return { http: totals(http), tcp: totals(tcp), providers: ['File'] }
}
