/** Traefik's own recorded answers (fixtures/traefik-api), served as its API serves lists. */
import { readFileSync } from 'node:fs'
import { type Asked, type FakeServer, startFakeServer } from '../dns/fake-server.ts'
import { page } from './api/page.ts'

export type Named = { readonly name: string }

/** A recorded answer by the name of its file. */
const recorded = (name: string): unknown =>
  JSON.parse(
    readFileSync(new URL(`../../../fixtures/traefik-api/${name}.json`, import.meta.url), 'utf8'),
  ) as unknown

export const recordedList = (name: string): readonly Named[] => recorded(name) as readonly Named[]

export interface Recording {
  readonly version?: unknown
  readonly overview?: () => unknown
  /** By path. */
  readonly lists?: Readonly<Record<string, readonly Named[]>>
}

const LISTS: Readonly<Record<string, readonly Named[]>> = {
  '/api/entrypoints': recordedList('entrypoints'),
  '/api/http/routers': recordedList('routers'),
  '/api/http/services': recordedList('services'),
  '/api/http/middlewares': recordedList('middlewares'),
  '/api/tcp/routers': recordedList('tcprouters'),
  '/api/tcp/services': recordedList('tcpservices'),
}

const VERSION = { Version: '3.6.2', Codename: 'ramequin', startDate: '2026-11-01T08:00:00.5Z' }

/** The recorded one, of a proxy without anything, with the totals of these lists. */
function overviewOf(lists: Readonly<Record<string, readonly Named[]>>): unknown {
  const overview = recorded('overview-providers') as Record<'http' | 'tcp', Record<string, { total: number }>>
  for (const [path, list] of Object.entries(lists)) {
    const [, kind, part] = /^\/api\/(http|tcp)\/(\w+)$/.exec(path) ?? []
    if (part !== undefined) overview[kind as 'http' | 'tcp'][part]!.total = list.length
  }
  return overview
}

export function startReplay(recording: Recording = {}): Promise<FakeServer> {
  const lists = { ...LISTS, ...recording.lists }
  return startFakeServer((asked: Asked) => {
    if (asked.path === '/api/version') return { status: 200, json: recording.version ?? VERSION }
    if (asked.path === '/api/overview')
      return { status: 200, json: recording.overview?.() ?? overviewOf(lists) }
    const list = lists[asked.path]
    return list === undefined ? { status: 404, json: { message: 'not found' } } : page(asked, list)
  })
}
