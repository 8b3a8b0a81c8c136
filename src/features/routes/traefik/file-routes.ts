/**
 * Routers and middlewares of a file of the proxy's dynamic configuration, in the shape in which its API would show them. Pure.
 * What else stands in a middleware is dropped as it is there: it may be a secret.
 */
import type { FileRoutes, ProxyMiddleware, ProxyRouter } from './port.ts'
import type { RouteObjects } from '../render/objects.ts'
import { flagOf, isMapping, listOf, textOf } from '../grammar/tree.ts'
import { middlewareOf, routerOf } from './shown.ts'

const KINDS = ['http', 'tcp'] as const

/** @param tree every value as text */
export const routesInFile = (tree: unknown): FileRoutes => ({
  routers: KINDS.flatMap((kind) =>
    entriesOf(field(field(tree, kind), 'routers')).map(([name, value]) => fileRouter(kind, name, value)),
  ),
  middlewares: entriesOf(field(field(tree, 'http'), 'middlewares')).map(([name, value]) =>
    middlewareInFile(name, value),
  ),
})

const MIDDLEWARES = 'http.middlewares.'

/** The same of a rendering. */
export const middlewaresIn = (objects: RouteObjects): readonly ProxyMiddleware[] =>
  [...objects].flatMap(([item, object]) =>
    item.startsWith(MIDDLEWARES) ? middlewareInFile(item.slice(MIDDLEWARES.length), object.value) : [],
  )

const inFile = (name: string) => ({ name: `${name}@file`, provider: 'file', status: 'enabled' })

const fileRouter = (kind: 'http' | 'tcp', name: string, value: unknown): ProxyRouter =>
  routerOf(kind, {
    ...inFile(name),
    rule: textOf(field(value, 'rule')) ?? '',
    service: textOf(field(value, 'service')) ?? '',
    entryPoints: textsOf(field(value, 'entryPoints')),
    middlewares: textsOf(field(value, 'middlewares')),
    tls: tlsOf(field(value, 'tls')),
    priorityStr: textOf(field(value, 'priority')),
  })

/** `tls: true` stands for an empty one. */
function tlsOf(tls: unknown) {
  if (!isMapping(tls)) return flagOf(tls) === true ? {} : null
  return {
    certResolver: textOf(field(tls, 'certResolver')),
    options: textOf(field(tls, 'options')),
    passthrough: flagOf(field(tls, 'passthrough')),
  }
}

/** @param value with its type as its one key */
function middlewareInFile(name: string, value: unknown): ProxyMiddleware {
  const [type = '', config] = entriesOf(value)[0] ?? []
  const address = textOf(field(config, 'address'))
  return middlewareOf({
    ...inFile(name),
    type,
    chain: { middlewares: textsOf(field(config, 'middlewares')) },
    forwardAuth: { address, trustForwardHeader: flagOf(field(config, 'trustForwardHeader')) },
    redirectScheme: { scheme: textOf(field(config, 'scheme')), port: textOf(field(config, 'port')) },
  })
}

const textsOf = (value: unknown): string[] => [...(listOf(value) ?? [])]

const entriesOf = (value: unknown): readonly (readonly [string, unknown])[] =>
  isMapping(value) ? Object.entries(value) : []

/** Names of fields are in any case. */
const field = (value: unknown, name: string): unknown =>
  entriesOf(value).find(([key]) => key.toLowerCase() === name.toLowerCase())?.[1]
