/** Builds middlewares by name, each when a router first needs it: what nobody uses is never looked at. */
import { MIDDLEWARES } from '../middlewares/all.ts'
import type { Ask } from '../traffic/ask.ts'
import type { Handler, Middleware } from '../traffic/exchange.ts'
import { orItsError, qualified, type RuntimeObject } from './objects.ts'

export interface MiddlewareBuilder {
  /** One after the other, the last of them built first. @throws in Traefik's words. */
  readonly chain: (names: readonly string[], next: Handler) => Handler
}

interface Needs {
  readonly plugins: readonly string[]
  readonly ask: Ask
}

/** Keys that the runtime put beside the type of a middleware. */
const BESIDE = new Set(['name', 'provider', 'status', 'type', 'error', 'usedBy'])

export function middlewareBuilder(objects: readonly RuntimeObject[], needs: Needs): MiddlewareBuilder {
  const known = new Map(objects.map((one) => [one.name, one]))
  const built = new Map<string, Middleware>()

  const chained = (names: readonly string[], above: readonly string[]): Middleware => {
    const all = names.toReversed().map((name) => middleware(name, above))
    return (next) => all.reduce<Handler>((inner, wrap) => wrap(inner), next)
  }
  const middleware = (name: string, above: readonly string[]): Middleware => {
    const done = built.get(name)
    if (done !== undefined) return done
    const object = known.get(name)
    if (object === undefined) throw new Error(`middleware "${name}" does not exist`)
    const made = orItsError(object, () => make(object, above))
    built.set(name, made)
    return made
  }
  const make = (object: RuntimeObject, above: readonly string[]): Middleware => {
    const { name, provider } = object
    if (above.includes(name))
      throw new Error(
        `could not instantiate middleware ${name}: recursion detected in ${[...above, name].join('->')}`,
      )
    const types = Object.keys(object).filter((key) => !BESIDE.has(key) && key in MIDDLEWARES)
    if (types.length > 1)
      throw new Error(
        'cannot create middleware: multi-types middleware not supported, consider declaring two different pieces of middleware instead',
      )
    const [type] = types
    if (type === undefined)
      throw new Error(
        `invalid middleware "${name}" configuration: invalid middleware type or middleware does not exist`,
      )
    return MIDDLEWARES[type]!(object[type] as Readonly<Record<string, unknown>>, {
      name,
      ...needs,
      chain: (names) =>
        chained(
          names.map((one) => qualified(one, provider)),
          [...above, name],
        ),
    })
  }
  return { chain: (names, next) => chained(names, [])(next) }
}
