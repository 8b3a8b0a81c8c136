/** A record's `extra_middlewares` as names of a router's list, split at the SSO check. */
import { catalogue } from './catalogue.ts'
import { extraName } from '../render/names.ts'
import type { Position, RoutesSettings } from '../render/settings.ts'

export interface ExtraNames {
  readonly before: readonly string[]
  readonly after: readonly string[]
}

const NONE: ExtraNames = { before: [], after: [] }

/**
 * Lists entries in the record's order. A name that the catalogue no longer has is listed all the same and defined
 * nowhere: Traefik then leaves the router out and says why, where dropping the name might open a door.
 */
export function extraLister(settings: RoutesSettings): (names: readonly string[]) => ExtraNames {
  const positions = new Map(catalogue(settings).map((entry) => [entry.name, entry.position]))
  const at = (names: readonly string[], side: Position): readonly string[] =>
    names.filter((name) => (positions.get(name) ?? 'before_sso') === side).map(extraName)
  return (names) =>
    names.length === 0 ? NONE : { before: at(names, 'before_sso'), after: at(names, 'after_sso') }
}
