/** What routers have in common: their form, their TLS part and their place in the order. */
import { STAR_PRIORITY } from '../../../model/access/sign-in.ts'
import { isWildcard } from './rules.ts'
import type { Traits, Values } from './route.ts'
import type { PlainMap } from './settings.ts'

/**
 * An exact name beats a wildcard, a part of the site beats the site, an open path beats both. Explicit, because the default
 * is the rule's length. Of a wildcard all are at most STAR_PRIORITY, which a router elsewhere is told to be above.
 */
const PRIORITY = { site: 1000, part: 1100, open: 1200, open_part: 1300 } as const
const STAR: Readonly<Record<keyof typeof PRIORITY, number>> = {
  site: STAR_PRIORITY - 3,
  part: STAR_PRIORITY - 2,
  open: STAR_PRIORITY - 1,
  open_part: STAR_PRIORITY,
}

/** A service of the proxy's own, behind which nothing stands. */
export const NOWHERE = 'noop@internal'

/** A TCP router without TLS takes every connection of its entrypoint, so it comes last. */
export const CATCH_ALL_PRIORITY = 1

export const priorityOf = (domain: string, rank: keyof typeof PRIORITY): number =>
  (isWildcard(domain) ? STAR : PRIORITY)[rank]

export interface RouterParts {
  readonly entrypoint: string
  readonly middlewares: readonly string[]
  readonly priority: number
  readonly rule: string
  readonly service: string
  readonly tls: PlainMap | null
}

/**
 * One router of `http.routers` or `tcp.routers`. In the file `middlewares` stands before `rule`: one that is cut short never
 * holds an open door.
 */
export const routerOf = ({
  entrypoint,
  middlewares,
  priority,
  rule,
  service,
  tls,
}: RouterParts): PlainMap => ({
  entryPoints: [entrypoint],
  ...(middlewares.length > 0 && { middlewares }),
  priority,
  rule,
  service,
  ...(tls !== null && { tls }),
})

/**
 * The `tls` part of a router, null without TLS. A public name gets its certificate from the resolver; a wildcard says its
 * name, since a regular expression tells the resolver none. Never an empty map: `options` spells the default out.
 */
export function tlsPart(
  { ssl_enabled, service_type }: Traits,
  { domain }: Pick<Values, 'domain'>,
  cert_resolver: string | null,
): PlainMap | null {
  if (!ssl_enabled) return null
  if (cert_resolver === null || service_type === 'internal') return { options: 'default' }
  return {
    certResolver: cert_resolver,
    ...(isWildcard(domain) && { domains: [{ main: domain }] }),
  }
}
