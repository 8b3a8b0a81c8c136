/** What is known outside of each domain, by the last look at every component. */
import { type Api, expectGood } from '../../../cli/api.ts'
import type { Style } from '../../../cli/text/terminal.ts'
import type { PresentedDomain } from '../present.ts'

interface Condition {
  readonly component: string
  readonly key: string
  readonly domain_id: number | null
  /** The deployed name, in place of the id, of what watches from outside. */
  readonly deployed_as?: string
  readonly status: 'true' | 'false' | 'unknown'
  readonly reason: string
  readonly message: string
  /** What holds of the domains that have no row of their own, where that is another. */
  readonly others: Pick<Condition, 'status' | 'reason' | 'message'> | null
}

/** A row without a domain, or its `others`, holds for every live domain that has none of its own for the same key. */
export type Seen = readonly Condition[]

export const conditionsOf = ({ id, domain, status }: PresentedDomain, seen: Seen): readonly Condition[] => {
  const own = seen.filter((one) => one.domain_id === id || one.deployed_as === domain)
  if (status !== 'active' && status !== 'error') return own
  const has = new Set(own.map(({ key }) => key))
  const shared = seen.filter(
    (one) =>
      one.domain_id === null && one.deployed_as === undefined && !has.has(one.key) && concerns(one, domain),
  )
  return [...own, ...shared.map((one) => ({ ...one, ...one.others }))]
}

/** A zone concerns the names in it; what is about people or keys concerns no domain. */
function concerns({ component, key }: Condition, domain: string): boolean {
  if (component === 'dns') return domain.endsWith(`.${key.slice(key.indexOf(':') + 1)}`)
  return component === 'routes' || component === 'sso'
}

export interface Known {
  readonly text: string
  readonly style: Style | undefined
  /** False where something differs or is not known; null where nothing is to be there. */
  readonly is_well: boolean | null
  /** Of one that is not well: nothing is known to differ. */
  readonly is_unknown?: true
}

export async function seenBy(api: Api): Promise<Seen> {
  const conditions = await expectGood<Seen>(api, { method: 'GET', path: '/api/conditions' })
  return [...conditions, ...(await takenOver(api))]
}

interface SeenDifference {
  readonly domains: readonly string[]
  readonly cause: string
  readonly detail: string | null
}

interface Watched {
  readonly components: readonly { readonly name: string; readonly differences: readonly SeenDifference[] }[]
}

/** Who sees what the proxy makes of routes that stand as they should. */
const WATCHES: ReadonlySet<string> = new Set(['proxy', 'routes_folder'])
/** Another router is asked first, or the proxy does not serve the route. */
const TAKEN: ReadonlySet<string> = new Set(['shadowed', 'rejected'])

/** A route may stand as it was deployed and not be what is served. */
async function takenOver(api: Api): Promise<Seen> {
  const { components } = await expectGood<Watched>(api, { method: 'GET', path: '/api/control-plane/health' })
  return components
    .filter(({ name }) => WATCHES.has(name))
    .flatMap(({ name, differences }) =>
      differences.filter(({ cause }) => TAKEN.has(cause)).flatMap((one) => takenBy(name, one)),
    )
}

const takenBy = (watch: string, { domains, cause, detail }: SeenDifference): Seen =>
  domains.map((domain) => ({
    component: watch,
    key: watch,
    domain_id: null,
    deployed_as: domain,
    status: 'false',
    reason: cause,
    message: detail ?? '',
    others: null,
  }))

interface Compared {
  readonly components: readonly {
    readonly component: string
    readonly key: string
    readonly drift: boolean | null
    readonly differences: readonly {
      readonly domains: readonly string[]
      readonly cause: string
      readonly ignored?: object
    }[]
  }[]
}

export interface SeenNow {
  readonly seen: Seen
  /** Components that nobody keeps as they are. */
  readonly suspended: readonly string[]
}

/** What is suspended is compared now: no pass has looked since. */
export async function seenNow(api: Api): Promise<SeenNow> {
  const seen = await seenBy(api)
  const suspended = suspendedIn(seen)
  if (suspended.length === 0) return { seen, suspended }
  const { components } = await expectGood<Compared>(api, { method: 'GET', path: '/api/drift' })
  const records = await expectGood<readonly PresentedDomain[]>(api, { method: 'GET', path: '/api/domains' })
  const ids = new Map(records.map(({ id, domain }) => [domain, id]))
  const keys = new Set(seen.filter(isSuspended).map(({ key }) => key))
  const known = components.filter(({ key, drift }) => keys.has(key) && drift !== null)
  const compared = new Set(known.map(({ key }) => key))
  // What this comparison does not know either stays suspended, and so unknown.
  const others = seen.filter(({ key }) => !compared.has(key))
  return { seen: [...others, ...known.flatMap((one) => comparedNow(one, ids))], suspended }
}

/** Components of which a look alone knows how they are. */
export const suspendedIn = (seen: Seen): readonly string[] => [
  ...new Set(seen.filter(isSuspended).map(({ component }) => component)),
]

const isSuspended = ({ reason }: Condition): boolean => reason === 'suspended'

/** Found beside what is ours: no domain is other than it should be by it. */
const BESIDE: ReadonlySet<string> = new Set(['orphan', 'foreign_owner'])

function comparedNow(
  { component, key, differences }: Compared['components'][number],
  ids: ReadonlyMap<string, number>,
): Seen {
  const shared = { component, key, domain_id: null, others: null, message: '' }
  const differing = differences.filter(({ ignored }) => ignored === undefined)
  const own = differing.flatMap(({ domains, cause }) =>
    domains.flatMap((domain) => {
      const domain_id = ids.get(domain)
      const status: Condition['status'] = cause === 'pending_deploy' ? 'true' : 'false'
      return domain_id === undefined ? [] : [{ ...shared, domain_id, status, reason: cause }]
    }),
  )
  const all = differing.find(({ domains, cause }) => domains.length === 0 && !BESIDE.has(cause))
  if (all !== undefined) return [{ ...shared, status: 'false', reason: all.cause }, ...own]
  return [{ ...shared, status: 'true', reason: 'in_sync' }, ...own]
}

/** What is wrong goes before what is not known. */
export function knownOf(record: PresentedDomain, seen: Seen): Known {
  const { status, status_reason } = record
  const all = conditionsOf(record, seen)
  const wrong = all.filter((one) => one.status === 'false')
  const unknown = all.filter((one) => one.status === 'unknown')
  if (wrong.length > 0) return { text: told(wrong), style: 'red', is_well: false }
  if (status === 'error') return { text: status_reason ?? 'error', style: 'red', is_well: false }
  if (unknown.length > 0)
    return { text: `unknown: ${told(unknown)}`, style: 'yellow', is_well: false, is_unknown: true }
  if (all.some(({ reason }) => reason === 'pending_deploy'))
    return { text: 'saved, waits for a deploy', style: 'yellow', is_well: false }
  // In the list of conditions that is a live name for which no address is known.
  if (all.some(({ reason }) => reason === 'not_rendered'))
    return { text: 'no DNS record: no address is known', style: 'yellow', is_well: true }
  if (all.length > 0) return { text: 'as it should be', style: undefined, is_well: true }
  return status === 'active'
    ? { text: 'not looked at yet', style: 'yellow', is_well: false, is_unknown: true }
    : { text: '-', style: 'dim', is_well: null }
}

/** `dns: refused`, `dns, routes: suspended`: what has one reason stands together. */
const told = (conditions: readonly Condition[]): string =>
  [...Map.groupBy(conditions, ({ reason }) => reason)]
    .map(([reason, those]) => {
      const components = [...new Set(those.map(({ component }) => component))]
      return `${components.join(', ')}: ${reason.replaceAll('_', ' ')}`
    })
    .join('; ')

/** One line for each component. */
export const conditionRows = (conditions: readonly Condition[]) =>
  conditions.map(({ component, status, reason, message }) => ({
    cells: [component, reason.replaceAll('_', ' '), message],
    ...(status === 'true' ? {} : { style: status === 'false' ? ('red' as const) : ('yellow' as const) }),
  }))

/** What was deployed stands behind a sign-in, and does not stand as it was deployed. */
export const isOtherwise = (record: PresentedDomain, seen: Seen): boolean =>
  conditionsOf(record, seen).some(({ component, status }) => status === 'false' && LETS_IN.has(component))

const LETS_IN: ReadonlySet<string> = new Set(['routes', 'sso', 'proxy', 'routes_folder'])
