/**
 * The HTTP routers of a record and the order of their middlewares.
 *
 * Outermost first: what takes the caller's identity headers away, the allow-list of `internal`, catalogue entries that stand
 * outside SSO, CORS (before SSO, or preflights would be sent to log in), security headers, SSO, the redirect of
 * `default_path`, the cache and compression of `spa`, the other catalogue entries.
 *
 * Paths that are open although the record is protected have routers of their own, with all of that but SSO.
 */
import type { ExtraNames } from '../middlewares/extras.ts'
import { roleMark, SHARED, type SharedName } from './names.ts'
import type { Traits, Values } from './route.ts'
import { NOWHERE, priorityOf, routerOf, tlsPart } from './router.ts'
import { hostRule, openRuleText, partRule, type SitePart } from './rules.ts'
import { TYPE_NUMBERS } from './services.ts'
import type { PlainMap, RoutesSettings } from './settings.ts'

/** Names middlewares and remembers that they must be defined. */
export interface Use {
  shared(name: SharedName): SharedName
  extras(names: readonly string[]): ExtraNames
}

const MARK = { cors: roleMark('cors'), home: roleMark('home'), site: roleMark('site') }

type RouterOf = (traits: Traits, values: Values) => PlainMap

export interface HttpRouters {
  readonly assets: RouterOf
  readonly document: RouterOf
  readonly redirect: RouterOf
  readonly site: RouterOf
  /** The router of the record's open paths, or of a part of the site among them. */
  readonly open: (part: SitePart | null, traits: Traits, values: Values) => PlainMap
}

export function httpRouters(settings: RoutesSettings, use: Use): HttpRouters {
  const { traefik_version: version, cert_resolver, http_entrypoint, https_entrypoint } = settings

  /** A router to the backend. */
  function backend(traits: Traits, values: Values, own: Own): PlainMap {
    const extras = use.extras(traits.extras)
    return routerOf({
      entrypoint: traits.ssl_enabled ? https_entrypoint : http_entrypoint,
      service: MARK.site + values.domain,
      tls: tlsPart(traits, values, cert_resolver),
      middlewares: [
        ...guards(traits, values, { extras, use, is_open: own.is_open }),
        ...partNames(own.part, traits, values, use),
        ...extras.after,
      ],
      priority: own.priority,
      rule: own.rule,
    })
  }

  const partOf =
    (part: SitePart): RouterOf =>
    (traits, values) =>
      backend(traits, values, {
        part,
        is_open: false,
        priority: priorityOf(values.domain, 'part'),
        rule: partRule(values.domain, part, version),
      })

  return {
    assets: partOf('assets'),
    document: partOf('document'),
    open(part, traits, values) {
      const { domain } = values
      const paths = settings.open_paths.get(domain) ?? []
      return backend(traits, values, {
        part,
        is_open: true,
        priority: priorityOf(domain, part === null ? 'open' : 'open_part'),
        rule: openRuleText({ domain, paths, part }, version),
      })
    },
    /** It reaches no backend, so it needs no SSO; but whether an internal name exists stays internal. */
    redirect: (traits, { domain }) =>
      routerOf({
        entrypoint: http_entrypoint,
        middlewares: [
          ...(traits.service_type === 'internal' ? [use.shared(SHARED.internal_only)] : []),
          use.shared(SHARED.security_headers),
          use.shared(SHARED.redirect_https),
        ],
        priority: priorityOf(domain, 'site'),
        rule: hostRule(domain, version),
        service: NOWHERE,
        tls: null,
      }),
    site: (traits, values) =>
      backend(traits, values, {
        part: null,
        is_open: false,
        priority: priorityOf(values.domain, 'site'),
        rule: hostRule(values.domain, version),
      }),
  }
}

/** What tells one router of a record from another. */
interface Own {
  readonly part: SitePart | null
  readonly is_open: boolean
  readonly priority: number
  readonly rule: string
}

/** Every trait that shows in a redirect. */
export const redirectShape = (traits: Traits): number => (traits.service_type === 'internal' ? 1 : 0)

/** Every trait that shows in a router to the backend. */
export function routerShape(traits: Traits): number | string {
  const shape =
    TYPE_NUMBERS[traits.service_type] * 16 +
    (traits.ssl_enabled ? 1 : 0) +
    (traits.auth_required ? 2 : 0) +
    (traits.has_cors ? 4 : 0) +
    (traits.has_home ? 8 : 0)
  return traits.extras.length === 0 ? shape : `${shape} ${traits.extras.join(' ')}`
}

interface Guarding {
  readonly extras: ExtraNames
  readonly use: Use
  readonly is_open: boolean
}

/** What stands in front of every router that reaches the backend. */
const guards = (
  traits: Traits,
  { domain }: Values,
  { extras, use, is_open }: Guarding,
): readonly string[] => [
  use.shared(SHARED.no_identity),
  ...(is_open ? [use.shared(SHARED.open_path)] : []),
  ...(traits.service_type === 'internal' ? [use.shared(SHARED.internal_only)] : []),
  ...extras.before,
  ...(traits.has_cors ? [MARK.cors + domain] : []),
  use.shared(SHARED.security_headers),
  ...(traits.auth_required && !is_open ? [use.shared(SHARED.sso)] : []),
]

/** What applies to this part of the site. The bare root is a document of an `spa`. */
const partNames = (
  part: SitePart | null,
  traits: Traits,
  { domain }: Values,
  use: Use,
): readonly string[] => [
  ...(traits.has_home && part !== 'assets' ? [MARK.home + domain] : []),
  ...(part === 'document' ? [use.shared(SHARED.spa_document)] : []),
  ...(part === 'assets' ? [use.shared(SHARED.spa_assets)] : []),
  ...(traits.service_type === 'spa' ? [use.shared(SHARED.spa_compress)] : []),
]
