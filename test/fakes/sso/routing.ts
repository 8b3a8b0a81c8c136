/**
 * The routes file read and evaluated as Traefik does it, after its documentation and source (3.6), independently of the code
 * that writes it: which router takes a request, and which middlewares stand in front of its backend.
 */
import { parse } from 'yaml'

export interface Router {
  readonly name: string
  readonly entrypoints: readonly string[]
  readonly middlewares: readonly string[]
  readonly priority: number
  readonly isFor: (host: string, path: string) => boolean
}

export interface Routing {
  readonly routers: readonly Router[]
  /** By name: the one type of each, and its configuration. */
  readonly middlewares: Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, unknown>>>>>>
}

interface FileShape {
  readonly http?: {
    readonly routers?: Record<string, Record<string, unknown>>
    readonly middlewares?: Routing['middlewares']
  }
}

export function routingOf(text: string): Routing {
  const http = (parse(text) as FileShape | null)?.http
  return {
    routers: Object.entries(http?.routers ?? {}).map(([name, router]) => ({
      name,
      entrypoints: router['entryPoints'] as string[],
      middlewares: (router['middlewares'] ?? []) as string[],
      priority: Number(router['priority']),
      isFor: matcherOf(String(router['rule'])),
    })),
    middlewares: http?.middlewares ?? {},
  }
}

/** The router with the highest priority whose rule holds; null for the proxy's own 404. */
export function routerFor(
  { routers }: Routing,
  entrypoint: string,
  { host, path }: { readonly host: string; readonly path: string },
): Router | null {
  const name = canonicalHost(host)
  return (
    routers
      .filter(({ entrypoints, isFor }) => entrypoints.includes(entrypoint) && isFor(name, path))
      .toSorted((a, b) => b.priority - a.priority)[0] ?? null
  )
}

/** Lower case and without a port, as its request decorator makes it. A dot at the end stays. */
const canonicalHost = (host: string): string => host.toLowerCase().replace(/:\d+$/, '')

const HOST = /^(Host|HostRegexp)\("((?:[^"\\]|\\.)*)"\)/
const PREFIXES = /PathPrefix\("([^"]*)"\)/g

/** One host matcher, and after it alternatives of path prefixes: all that the renderer writes. */
function matcherOf(rule: string): Router['isFor'] {
  const [, matcher, literal] = HOST.exec(rule) ?? []
  if (matcher === undefined) throw new Error(`a rule of another form: ${rule}`)
  const value = JSON.parse(`"${literal}"`) as string
  const pattern = matcher === 'HostRegexp' ? new RegExp(value) : null
  const prefixes = [...rule.matchAll(PREFIXES)].map(([, prefix]) => prefix!)
  return (host, path) =>
    (pattern === null ? isHost(value, host) : pattern.test(host)) &&
    (prefixes.length === 0 || prefixes.some((prefix) => decodeURI(path).startsWith(prefix)))
}

/** A dot at the end of either side is overlooked. From 3.7 on a star stands for one label of any characters. */
function isHost(value: string, host: string): boolean {
  const bare = host.replace(/[.]$/, '')
  if (value.startsWith('*.')) return bare.split('.').slice(1).join('.') === value.slice(2)
  return value === bare
}
