/** What follows from a hand edit of the routes, the sign-in rules or the certificates file: it is told as such, and is over once that is put back. Pure. */
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
/** They read what the routes file and the sign-in rules say. */
const SIGN_IN: ReadonlySet<string> = new Set(['sso_attachments', 'sso_routes', 'sso_proof'])

interface ByHand {
  readonly items: ReadonlySet<string>
  readonly domains: ReadonlySet<string>
}

/** The world that was edited by hand, of which a difference comes; null for one of its own. */
type Follows = (component: string, difference: DriftRow) => string | null

/** The API has one with a hyphen here and an underscore there. */
export const nameOf = (component: string): string => component.replaceAll('-', '_')

/** @param parts all worlds of one look; a difference of which nothing is certain is its own */
export function followsHands(parts: readonly Part[]): Follows {
  const byHand = (of: string): ByHand => {
    const edited = parts
      .filter(({ component }) => nameOf(component) === of)
      .flatMap(({ differences }) => differences.filter((one) => isDrift(one) && BY_HAND.has(one.cause)))
    return {
      items: new Set(edited.map(({ item }) => item)),
      domains: new Set(edited.flatMap((one) => one.domains)),
    }
  }
  const [routes, rules, file] = [byHand('routes'), byHand('sso'), byHand('certificates_file')]
  return (component, { item, cause, domains: of }) => {
    const areOf = ({ domains }: ByHand) => of.length > 0 && of.every((domain) => domains.has(domain))
    // A router of somebody else has another name: it stays its own difference.
    if (component === PROXY)
      return routes.items.size > 0 && (cause === 'not_loaded' || routes.items.has(item)) ? 'routes' : null
    // All certificates together name the file again.
    if (component === 'certificates') return file.items.has(item) ? 'certificates_file' : null
    if (!SIGN_IN.has(nameOf(component))) return null
    return areOf(routes) ? 'routes' : areOf(rules) ? 'sso' : null
  }
}

/** Whether all that differs of a row of the health page follows from the routes file. */
export function rowsThatFollow(rows: readonly HealthComponent[]): ReadonlySet<string> {
  const follows = followsHands(rows)
  return new Set(
    rows
      .filter(({ component, causes, differences }) => {
        const own = differences.filter(isDrift)
        if (own.length === 0 || own.some((one) => follows(component, one) === null)) return false
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
  const follows = followsHands(worlds)
  const each = worlds.map(({ component, drift, differences }) => {
    const all = differences.filter(isDrift)
    const own = all.filter((one) => follows(component, one) === null).length
    // One that differs, and says no more, is one.
    const isSilent = drift === true && differences.length === 0
    return isSilent ? 1 : own
  })
  return { total: each.reduce((sum, own) => sum + own, 0), among: each.filter((own) => own > 0).length }
}
