/** What Traefik's runtime is built of, out of a file of its file provider: names, models of entrypoints, object errors. */
import { parse } from 'yaml'

export interface EntrypointPlan {
  readonly name: string
  readonly address: string
  readonly middlewares?: readonly string[]
  readonly forwardedHeaders?: { readonly insecure?: boolean; readonly trustedIPs?: readonly string[] }
}

export interface RuntimeObject {
  readonly name: string
  readonly provider: string
  status: string
  error?: string[]
  readonly [key: string]: unknown
}

export interface Part {
  readonly routers: RuntimeObject[]
  readonly services: RuntimeObject[]
  readonly middlewares: RuntimeObject[]
}

export interface Built {
  readonly entrypoints: readonly { readonly name: string; readonly [key: string]: unknown }[]
  readonly http: Part
  readonly tcp: Part
}

type Config = Readonly<Record<string, unknown>>
type Objects = Readonly<Record<string, Config>>
type Section = Partial<Record<'routers' | 'services' | 'middlewares', Objects>>

const full = (name: string): string => (name.includes('@') ? name : `${name}@file`)

/** @param text YAML as a file provider reads it; empty for none. */
export function built(text: string, plans: readonly EntrypointPlan[]): Built {
  // The library's own check for duplicate keys is quadratic.
  const file = (parse(text, { uniqueKeys: false }) ?? {}) as { http?: Section; tcp?: Section }
  return {
    entrypoints: plans.map(({ name, address, middlewares, forwardedHeaders }) => ({
      name,
      address,
      ...(forwardedHeaders === undefined ? {} : { forwardedHeaders }),
      http: middlewares === undefined ? {} : { middlewares },
    })),
    http: partOf(file.http ?? {}, plans),
    tcp: partOf(file.tcp ?? {}, []),
  }
}

function partOf(section: Section, plans: readonly EntrypointPlan[]): Part {
  const middlewares = objects(section.middlewares)
  const services = objects(section.services).map((service) => ({
    ...service,
    serverStatus: Object.fromEntries(serversOf(service).map((address) => [address, 'UP'])),
  }))
  const routers = Object.entries(section.routers ?? {}).flatMap(([name, config]) =>
    split(name, config, plans),
  )
  const known = {
    middlewares: new Set(middlewares.map(({ name }) => name)),
    services: new Set(services.map(({ name }) => name)),
  }
  for (const router of routers) judge(router, known)
  const by_name = <T extends RuntimeObject>(list: readonly T[]): T[] =>
    list.toSorted((a, b) => (a.name < b.name ? -1 : 1))
  const of_services = users(routers, (router) => [full(String(router['service']))])
  const of_middlewares = users(routers, (router) => (router['middlewares'] as string[] | undefined) ?? [])
  return {
    routers: by_name(routers),
    services: by_name(services.map((one) => used(one, of_services))),
    middlewares: by_name(middlewares.map((one) => used(one, of_middlewares))),
  }
}

function objects(all: Objects = {}): RuntimeObject[] {
  return Object.entries(all).map(([name, config]) => ({
    ...config,
    name: full(name),
    provider: 'file',
    status: 'enabled',
    type: (Object.keys(config)[0] ?? '').toLowerCase(),
  }))
}

/** `applyModel`: an entrypoint with middlewares of its own gets a router of its own where there are several. */
function split(name: string, config: Config, plans: readonly EntrypointPlan[]): RuntimeObject[] {
  const entrypoints = (config['entryPoints'] as string[] | undefined) ?? []
  const own = ((config['middlewares'] as string[] | undefined) ?? []).map(full)
  const object = (called: string, on: readonly string[], first: readonly string[]): RuntimeObject => ({
    ...config,
    ...(first.length + own.length > 0 && { middlewares: [...first, ...own] }),
    entryPoints: on,
    name: full(called),
    provider: 'file',
    priorityStr: String(Number(config['priority'] ?? 0)),
    status: 'enabled',
    using: on,
  })
  const modelled = plans.filter((plan) => plan.middlewares !== undefined && entrypoints.includes(plan.name))
  const rest = entrypoints.filter((one) => !modelled.some((plan) => plan.name === one))
  return [
    ...modelled.map((plan) =>
      object(entrypoints.length > 1 ? `${plan.name}-${name}` : name, [plan.name], plan.middlewares ?? []),
    ),
    ...(rest.length > 0 || modelled.length === 0 ? [object(name, rest, [])] : []),
  ]
}

interface Known {
  readonly middlewares: ReadonlySet<string>
  readonly services: ReadonlySet<string>
}

function judge(router: RuntimeObject, known: Known): void {
  const lost = ((router['middlewares'] as string[] | undefined) ?? []).filter(
    (name) => name.endsWith('@file') && !known.middlewares.has(name),
  )
  const service = full(String(router['service']))
  const errors = [
    ...lost.map((name) => `middleware "${name}" does not exist`),
    ...(service.endsWith('@internal') || known.services.has(service)
      ? []
      : [`the service "${service}" does not exist`]),
  ]
  if (errors.length > 0) Object.assign(router, { status: 'disabled', error: errors })
}

/** Names of the routers that use each. */
function users(
  routers: readonly RuntimeObject[],
  namesOf: (router: RuntimeObject) => readonly string[],
): ReadonlyMap<string, readonly string[]> {
  const all = new Map<string, string[]>()
  for (const router of routers)
    for (const name of new Set(namesOf(router))) {
      const some = all.get(name)
      if (some === undefined) all.set(name, [router.name])
      else some.push(router.name)
    }
  return all
}

function used(one: RuntimeObject, by: ReadonlyMap<string, readonly string[]>): RuntimeObject {
  const usedBy = by.get(one.name)
  return usedBy === undefined ? one : { ...one, usedBy }
}

function serversOf(service: RuntimeObject): string[] {
  const balancer = service['loadBalancer'] as { servers?: { url?: string; address?: string }[] } | undefined
  return (balancer?.servers ?? []).map(({ url, address }) => url ?? address ?? '')
}
