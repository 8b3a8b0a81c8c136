/** What routers have in common: their entry as text, their TLS part and their place in the order. */
import { STAR_PRIORITY } from '../../../model/access/sign-in.ts'
import { quote } from '../../../kernel/text/quoted.ts'
import { isWildcard } from './rules.ts'
import type { Traits, Values } from './route.ts'

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

/** A TCP router without TLS takes every connection of its entrypoint, so it comes last. */
export const CATCH_ALL_PRIORITY = 1

export const priorityOf = (domain: string, rank: keyof typeof PRIORITY): number =>
  (isWildcard(domain) ? STAR : PRIORITY)[rank]

/** Ready text but for the priority: quoted scalars, whole lines. */
export interface RouterParts {
  readonly name: string
  readonly entrypoint: string
  readonly middlewares: string
  readonly priority: number
  readonly rule: string
  readonly service: string
  readonly tls: string
}

/** One router of `http.routers` or `tcp.routers`. `middlewares` stands before `rule`: a file cut short never holds an open door. */
export const routerText = (router: RouterParts): string =>
  `    ${router.name}:\n      entryPoints:\n        - ${router.entrypoint}\n` +
  (router.middlewares === '' ? '' : `      middlewares:\n${router.middlewares}`) +
  `      priority: ${router.priority}\n      rule: ${router.rule}\n      service: ${router.service}\n${router.tls}`

/** One line of a router's list of middlewares. */
export const listed = (name: string): string => `        - ${quote(name)}\n`

/**
 * The `tls` part of a router, empty without TLS. A public name gets its certificate from the resolver; a wildcard says
 * its name, since a regular expression tells the resolver none. Never an empty map: `options` spells the default out.
 */
export function tlsWriter(cert_resolver: string | null): (traits: Traits, values: Values) => string {
  const plain = '      tls:\n        options: "default"\n'
  const resolved =
    cert_resolver === null ? null : `      tls:\n        certResolver: ${quote(cert_resolver)}\n`
  return ({ ssl_enabled, service_type }, { domain }) => {
    if (!ssl_enabled) return ''
    if (resolved === null || service_type === 'internal') return plain
    return isWildcard(domain) ? `${resolved}        domains:\n          - main: ${quote(domain)}\n` : resolved
  }
}
