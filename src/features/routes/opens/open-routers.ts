/**
 * The routers of open paths of protected records: which records have them, and what they are called.
 *
 * A record whose middlewares may change the path has none: the backend would get another path than the one that was found
 * to be open. Its open paths then ask to sign in like all others. Nor has a record without TLS: it stays closed as a whole,
 * because the provider refuses plain http.
 */
import { isProtected } from '../../../model/access/applies.ts'
import { type OpenPaths, pathsIn } from '../../../model/access/open-paths.ts'
import type { DomainFields } from '../../../model/domain/record.ts'
import { catalogue } from '../middlewares/catalogue.ts'
import { domainOfName, type Role, roleMark } from '../render/names.ts'
import { openRuleText, type SitePart } from '../render/rules.ts'
import type { RoutesSettings, Version } from '../render/settings.ts'

const PARTS: readonly (SitePart | null)[] = [null, 'assets', 'document']

const openRoleOf = (part: SitePart | null): Role => (part === null ? 'open' : `open-${part}`)

/** Of a record: the parts of its site whose open paths have a router. */
export const openPartsOf = ({ service_type }: DomainFields): readonly (SitePart | null)[] =>
  service_type === 'spa' ? PARTS : [null]

/** Says of records whether their open paths are rendered, and which of their middlewares stands against it. */
export function openPathsOf(settings: RoutesSettings): (fields: DomainFields) => OpenPaths | null {
  const changing = new Set(
    catalogue(settings)
      .filter(({ changes_path }) => changes_path)
      .map(({ name }) => name),
  )
  return (fields) => {
    const paths = settings.open_paths.get(fields.domain) ?? []
    if (paths.length === 0 || !isProtected(fields) || !fields.ssl_enabled) return null
    const { extra_middlewares } = fields.middleware_config
    return { paths, hindered_by: extra_middlewares.find((name) => changing.has(name)) ?? null }
  }
}

/** A router as somebody has it: the file, or the proxy that runs it. */
export interface OpenRouter {
  /** As in the file. */
  readonly name: string
  /** As Traefik reads it. */
  readonly rule: string
  readonly tls: boolean
}

/** Says of routers whether they may be open although their domain is protected. */
export type MayOpen = (router: OpenRouter) => boolean

/** By today's settings: it opens, over TLS, paths that are to be open, and nothing else. */
export function openRouters({ open_paths, traefik_version }: RoutesSettings): MayOpen {
  // A star is spelt otherwise before 3.7 (`rules.ts`) and means the same, so another version closes nothing.
  const versions: readonly Version[] = [traefik_version, [3, 0, 0], [3, 7, 0]]
  return ({ name, rule, tls }) => {
    const part = PARTS.find((one) => name.startsWith(roleMark(openRoleOf(one))))
    const domain = domainOfName(name)
    if (!tls || part === undefined || domain === null) return false
    const paths = pathsIn(openPathsIn(rule) ?? '', open_paths.get(domain) ?? [])
    return (
      paths.length > 0 && versions.some((version) => rule === openRuleText({ domain, paths, part }, version))
    )
  }
}

/** The pattern of the paths that a rule of ours opens; null in any other rule. */
export const openPathsIn = (rule: string): string | null =>
  /PathRegexp\("([^"\\]*)"\)/.exec(rule)?.[1] ?? null
