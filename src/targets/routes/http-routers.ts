/**
 * The HTTP routers of a record and the order of their middlewares.
 *
 * Outermost first: the allow-list of `internal`, catalogue entries that stand outside SSO, CORS (before SSO, or preflights
 * would be sent to log in), security headers, SSO, the redirect of `default_path`, the cache and compression of `spa`,
 * the other catalogue entries.
 */
import { quote } from '../../model/quoted.ts'
import type { ExtraLines } from './extras.ts'
import type { Writer } from './forms.ts'
import { roleMark, SHARED, type SharedName } from './names.ts'
import type { Traits, Values } from './route.ts'
import { assetsPriority, listed, routerText, sitePriority, tlsWriter } from './router.ts'
import { assetsRule, hostRule } from './rules.ts'
import { TYPE_NUMBERS } from './services.ts'
import type { RoutesSettings } from './settings.ts'

/** Lists middlewares and remembers that they must be defined. */
export interface Use {
  shared(name: SharedName): string
  extras(names: readonly string[]): ExtraLines
}

const MARK = {
  assets: roleMark('assets'),
  cors: roleMark('cors'),
  home: roleMark('home'),
  redirect: roleMark('redirect'),
  site: roleMark('site'),
}

export function httpRouters(
  settings: RoutesSettings,
  use: Use,
): Record<'assets' | 'redirect' | 'site', Writer> {
  const version = settings.traefik_version
  const tlsOf = tlsWriter(settings.cert_resolver)
  const web = quote(settings.http_entrypoint)
  const websecure = quote(settings.https_entrypoint)
  /** What the two routers to the backend have in common. */
  const backend = (traits: Traits, values: Values) => ({
    entrypoint: traits.ssl_enabled ? websecure : web,
    service: quote(MARK.site + values.domain),
    tls: tlsOf(traits, values),
  })

  return {
    assets: (traits, values) => {
      const extras = use.extras(traits.extras)
      return routerText({
        ...backend(traits, values),
        name: quote(MARK.assets + values.domain),
        middlewares: guards(traits, values, { extras, use }) + assetLines(traits, use) + extras.after,
        priority: assetsPriority(values.domain),
        rule: assetsRule(values.domain, version),
      })
    },
    /** It reaches no backend, so it needs no SSO; but whether an internal name exists stays internal. */
    redirect: (traits, { domain }) =>
      routerText({
        name: quote(MARK.redirect + domain),
        entrypoint: web,
        middlewares:
          (traits.service_type === 'internal' ? use.shared(SHARED.internal_only) : '') +
          use.shared(SHARED.security_headers) +
          use.shared(SHARED.redirect_https),
        priority: sitePriority(domain),
        rule: hostRule(domain, version),
        service: '"noop@internal"',
        tls: '',
      }),
    site: (traits, values) => {
      const extras = use.extras(traits.extras)
      return routerText({
        ...backend(traits, values),
        name: quote(MARK.site + values.domain),
        middlewares: guards(traits, values, { extras, use }) + siteLines(traits, values, use) + extras.after,
        priority: sitePriority(values.domain),
        rule: hostRule(values.domain, version),
      })
    },
  }
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

/** What stands in front of every router that reaches the backend. */
const guards = (
  traits: Traits,
  { domain }: Values,
  { extras, use }: { readonly extras: ExtraLines; readonly use: Use },
): string =>
  (traits.service_type === 'internal' ? use.shared(SHARED.internal_only) : '') +
  extras.before +
  (traits.has_cors ? listed(MARK.cors + domain) : '') +
  use.shared(SHARED.security_headers) +
  (traits.auth_required ? use.shared(SHARED.sso) : '')

/** What applies to the site but not to its assets. */
const siteLines = (traits: Traits, { domain }: Values, use: Use): string =>
  (traits.has_home ? listed(MARK.home + domain) : '') +
  (traits.service_type === 'spa' ? use.shared(SHARED.spa_document) + use.shared(SHARED.spa_compress) : '')

const assetLines = (traits: Traits, use: Use): string =>
  use.shared(traits.auth_required ? SHARED.spa_assets_private : SHARED.spa_assets) +
  use.shared(SHARED.spa_compress)
