/** What routers have in common: their entry as text, their TLS part and their place in the order. */
import { quote } from '../../model/quoted.ts'
import { isWildcard } from './rules.ts'
import type { Traits, Values } from './route.ts'

/** An exact name beats a wildcard, assets beat their site. Explicit, because the default is the rule's length. */
const PRIORITY = { site: 1000, assets: 1100, wildcard_site: 500, wildcard_assets: 600 } as const

/** A TCP router without TLS takes every connection of its entrypoint, so it comes last. */
export const CATCH_ALL_PRIORITY = 1

export const sitePriority = (domain: string): number =>
  isWildcard(domain) ? PRIORITY.wildcard_site : PRIORITY.site

export const assetsPriority = (domain: string): number =>
  isWildcard(domain) ? PRIORITY.wildcard_assets : PRIORITY.assets

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
