/** A record's `extra_middlewares` as lines of a router's list, split at the SSO check. */
import { catalogue } from './catalogue.ts'
import { extraName } from '../render/names.ts'
import { listed } from '../render/router.ts'
import type { Position, RoutesSettings } from '../render/settings.ts'

export interface ExtraLines {
  readonly before: string
  readonly after: string
}

const NONE: ExtraLines = { before: '', after: '' }

/**
 * Lists entries in the record's order. A name that the catalogue no longer has is listed all the same and defined
 * nowhere: Traefik then leaves the router out and says why, where dropping the name might open a door.
 */
export function extraLister(settings: RoutesSettings): (names: readonly string[]) => ExtraLines {
  const positions = new Map(catalogue(settings).map((entry) => [entry.name, entry.position]))
  const lines = (names: readonly string[], side: Position): string =>
    names
      .filter((name) => (positions.get(name) ?? 'before_sso') === side)
      .map((name) => listed(extraName(name)))
      .join('')
  return (names) =>
    names.length === 0 ? NONE : { before: lines(names, 'before_sso'), after: lines(names, 'after_sso') }
}
