/** What Traefik provides itself: services that serve nothing of others, and the redirects of its entry points. */
import type { Configuration } from '../decode/decode.ts'
import { type Handler, notFound, reply } from '../traffic/exchange.ts'
import type { EntrypointPlan, StaticConfig } from '../static.ts'

/** By full name. A `noop` says that something is wrong where no middleware answers before it. */
export const INTERNAL_SERVICES: Readonly<Record<string, Handler>> = {
  'noop@internal': (exchange) => reply(exchange, { status: 418 }),
  'api@internal': notFound,
  'dashboard@internal': notFound,
  'acme-http@internal': notFound,
  'ping@internal': (exchange) => reply(exchange, { status: 200, body: 'OK' }),
}

/** The highest priority but one; users have to stay below. */
const REDIRECT_PRIORITY = 9_223_372_036_854_775_806n
export const MAX_PRIORITY = 9_223_372_036_854_774_807n

export function internalConfiguration({ entrypoints }: StaticConfig): Configuration {
  const redirects = entrypoints.flatMap((from) => {
    const port = portOf(from, entrypoints)
    return from.redirections === undefined || port === null ? [] : [redirect(from, from.redirections, port)]
  })
  return {
    http: {
      services: { noop: {}, api: {}, dashboard: {} },
      ...(redirects.length > 0 && {
        routers: Object.fromEntries(redirects.map(({ name, router }) => [name, router])),
        middlewares: Object.fromEntries(
          redirects.map(({ name, middleware }) => [`redirect-${name}`, middleware]),
        ),
      }),
    },
  }
}

function redirect(from: EntrypointPlan, wish: NonNullable<EntrypointPlan['redirections']>, port: string) {
  const { to, scheme = 'https', permanent = true, priority = REDIRECT_PRIORITY } = wish
  const name = `${from.name}-to-${to}`.replaceAll(/[^a-zA-Z0-9]+/g, '-')
  return {
    name,
    router: {
      rule: 'HostRegexp(`^.+$`)',
      ruleSyntax: 'v3',
      entryPoints: [from.name],
      middlewares: [`redirect-${name}`],
      service: 'noop@internal',
      priority,
    },
    middleware: { redirectScheme: { scheme, port, permanent } },
  }
}

function portOf({ redirections }: EntrypointPlan, all: readonly EntrypointPlan[]): string | null {
  if (redirections === undefined) return null
  const [, own] = /^:(\d+)$/.exec(redirections.to) ?? []
  const address = all.find(({ name }) => name === redirections.to)?.address
  return own ?? address?.split(':').at(-1) ?? null
}
