/**
 * The routers of open paths of protected records: which records have them, and what they are called.
 *
 * A record whose middlewares may change the path has none: the backend would get another path than the one that was found
 * to be open. Its open paths then ask to sign in like all others. Nor has a record without TLS: it stays closed as a whole,
 * because the provider refuses plain http.
 */
import { isProtected } from '../../model/access/applies.ts'
import type { OpenPaths } from '../../model/access/open-paths.ts'
import type { DomainFields } from '../../model/domain.ts'
import { catalogue } from './catalogue.ts'
import { type Role, roleMark } from './names.ts'
import { changesPath } from './path-changing.ts'
import { openRuleText, type SitePart } from './rules.ts'
import type { RoutesSettings } from './settings.ts'

const PARTS: readonly (SitePart | null)[] = [null, 'assets', 'document']

export const openRoleOf = (part: SitePart | null): Role => (part === null ? 'open' : `open-${part}`)

/** Of a record: the parts of its site whose open paths have a router. */
export const openPartsOf = ({ service_type }: DomainFields): readonly (SitePart | null)[] =>
  service_type === 'spa' ? PARTS : [null]

/** Says of records whether their open paths are rendered, and which of their middlewares stands against it. */
export function openPathsOf(settings: RoutesSettings): (fields: DomainFields) => OpenPaths | null {
  const changing = new Set(
    catalogue(settings)
      .filter(({ type }) => changesPath(type))
      .map(({ name }) => name),
  )
  return (fields) => {
    const paths = settings.open_paths.get(fields.domain) ?? []
    if (paths.length === 0 || !isProtected(fields) || !fields.ssl_enabled) return null
    const { extra_middlewares } = fields.middleware_config
    return { paths, hindered_by: extra_middlewares.find((name) => changing.has(name)) ?? null }
  }
}

/** By name: the rule of each router that may be open although its domain is protected, as Traefik reads it. */
export function openRouters(settings: RoutesSettings): ReadonlyMap<string, string> {
  const rules = new Map<string, string>()
  for (const [domain, paths] of settings.open_paths)
    if (paths.length > 0)
      for (const part of PARTS)
        rules.set(
          roleMark(openRoleOf(part)) + domain,
          openRuleText({ domain, paths, part }, settings.traefik_version),
        )
  return rules
}
