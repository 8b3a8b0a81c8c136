/**
 * The endpoints by path, which Hono finds by the raw path: what `targetFault` lets through has one spelling.
 *
 * A path is one thing with several methods, so a wrong method is 405 and never another path.
 */
import { Failure } from '../kernel/failure.ts'
import { didYouMean } from '../kernel/text/nearest.ts'
import type { Endpoint } from './contract.ts'

export interface Route {
  /** In the specification's form: `/api/domains/{domain_id}`. */
  readonly path: string
  /** In Hono's form: `/api/domains/:domain_id`. */
  readonly pattern: string
  /** One a method. */
  readonly endpoints: readonly Endpoint[]
  /** The value of Allow. */
  readonly allow: string
}

/**
 * Literal segments before named ones, so that `/api/domains/stats` is not read as a domain id. Throws when two
 * endpoints share method and path, or an id.
 */
export function routesOf(endpoints: readonly Endpoint[]): Route[] {
  const twice =
    repeated(endpoints.map((e) => `${e.method} ${e.path}`)) ?? repeated(endpoints.map((e) => e.id))
  if (twice !== null) throw new Error(`Two endpoints claim "${twice}".`)
  const by_path = [...Map.groupBy(endpoints, (e) => e.path)]
  return by_path
    .toSorted(([a], [b]) => literalFirst(a, b))
    .map(([path, here]) => {
      const pattern = path.replaceAll(/\{([a-z_]+)\}/g, ':$1')
      return { path, pattern, endpoints: here, allow: here.flatMap(methodsOf).toSorted().join(', ') }
    })
}

const methodsOf = ({ method, acting_get }: Endpoint): readonly string[] =>
  method === 'GET' && acting_get !== true ? [method, 'HEAD'] : [method]

function repeated(names: readonly string[]): string | null {
  const seen = new Set<string>()
  return names.find((name) => seen.size === seen.add(name).size) ?? null
}

/** `{` sorts after every character that a literal segment may hold. */
const literalFirst = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)

/** @param near names of what there is; strangers get none */
export function pathUnknown(path: string, near: readonly Route[]): Failure {
  const names = near.map((route) => route.path)
  const help = companionHelp(path, names) ?? didYouMean(path, names)
  return new Failure('not_found', `There is nothing at "${path.slice(0, 200)}".${help}`)
}

/** Null for a path of no companion, and of one that is turned on. */
function companionHelp(path: string, names: readonly string[]): string | null {
  const [base] = /^\/companions\/[a-z]+(?=\/|$)/.exec(path) ?? []
  if (base === undefined || names.length === 0 || names.some((name) => name.startsWith(`${base}/`)))
    return null
  return ` Which services there are below /companions/, PLUMBLINE_COMPANIONS says.`
}

export const methodUnknown = (method: string, route: Route): Failure =>
  new Failure('method_not_allowed', `${route.path} does not take ${method.slice(0, 20)}, but ${route.allow}.`)
