/** What follows from a hand edit of the routes file: it is told as such, and is over once the routes are put back. Pure. */
import type { HealthComponent } from '../../api/types.ts'
import { WAITING } from '../lamps.ts'

interface DriftRow {
  readonly item: string
  readonly cause: string
  readonly domains: readonly string[]
  readonly noise?: boolean
}

interface Part {
  readonly component: string
  readonly differences: readonly DriftRow[]
}

/** What waits for a deploy, and a mark that differs only because something else does, are no drift. */
export const isDrift = ({ cause, noise }: Pick<DriftRow, 'cause' | 'noise'>): boolean =>
  noise !== true && !WAITING.has(cause)

const BY_HAND: ReadonlySet<string> = new Set(['edited', 'lost', 'edited_and_pending'])

/** They read what the routes file says. */
const PROXY = 'proxy'
const SIGN_IN: ReadonlySet<string> = new Set(['sso_attachments', 'sso_routes', 'sso_proof'])

type Follows = (component: string, difference: DriftRow) => boolean

/** @param parts all worlds of one look; a difference of which nothing is certain is its own */
export function followsRoutes(parts: readonly Part[]): Follows {
  const edited = parts
    .filter(({ component }) => component === 'routes')
    .flatMap(({ differences }) => differences.filter((one) => isDrift(one) && BY_HAND.has(one.cause)))
  const items = new Set(edited.map(({ item }) => item))
  const domains = new Set(edited.flatMap((one) => one.domains))
  return (component, { item, cause, domains: of }) => {
    if (edited.length === 0) return false
    // A router of somebody else has another name: it stays its own difference.
    if (component === PROXY) return cause === 'not_loaded' || items.has(item)
    return SIGN_IN.has(component) && of.length > 0 && of.every((domain) => domains.has(domain))
  }
}

/** Whether all that differs of a row of the health page follows from the routes file. */
export function rowsThatFollow(rows: readonly HealthComponent[]): ReadonlySet<string> {
  const follows = followsRoutes(rows)
  return new Set(
    rows
      .filter(({ component, causes, differences }) => {
        const own = differences.filter(isDrift)
        if (own.length === 0 || !own.every((one) => follows(component, one))) return false
        // Of more than are named, the others may be of their own.
        return Object.values(causes).reduce((sum, many) => sum + many, 0) <= differences.length
      })
      .map(({ name }) => name),
  )
}

interface World extends Part {
  readonly drift: boolean | null
}

/** How many differences there are to be decided over, in how many worlds; what follows from another is none. */
export function driftTotal(worlds: readonly World[]): { readonly total: number; readonly among: number } {
  const follows = followsRoutes(worlds)
  const each = worlds.map(({ component, drift, differences }) => {
    const all = differences.filter(isDrift)
    const own = all.filter((one) => !follows(component, one)).length
    // One that differs, and says no more, is one.
    const isSilent = drift === true && differences.length === 0
    return isSilent ? 1 : own
  })
  return { total: each.reduce((sum, own) => sum + own, 0), among: each.filter((own) => own > 0).length }
}
