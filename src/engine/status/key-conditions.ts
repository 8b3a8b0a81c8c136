/**
 * Conditions as they are answered: what is stored, aged by the last observation, and with edits that wait for their deploy.
 *
 * A condition that nobody looked at for longer than its limit says nothing any more: it is unknown. An edit that is saved
 * and not deployed leaves the status alone, because the world is right at the released revision; only the reason says it.
 */
import type { Instant, Milliseconds } from '../../kernel/clock.ts'
import type { Condition, ConditionStatus } from '../../model/condition.ts'
import type { CallerObservation, FoundDifferences } from './caller-observation.ts'

const RESYNCS_MISSED = 3
const MIN_STALENESS_MS: Milliseconds = 60_000

/** How old the last look may be before conditions are stale. */
export const stalenessLimit = (every_ms: Milliseconds): Milliseconds =>
  Math.max(RESYNCS_MISSED * every_ms, MIN_STALENESS_MS)

/** What passes and observations have left of one key. */
export interface KeyConditions {
  readonly component: string
  readonly key: string
  readonly every_ms: Milliseconds
  readonly rows: readonly Condition[]
  /** What the last observation found to differ; null while unknown. */
  readonly found: FoundDifferences | null
  /** The newest observation, where it was no pass's. */
  readonly caller: CallerObservation | null
  /** The last observation, whoever's, or glance of this process; null before the first. */
  readonly seen_at: Instant | null
  /** When the last pass of this process looked; null or left out before the first. */
  readonly passed_at?: Instant | null
  /** Since when this process could have looked. */
  readonly since: Instant
}

export interface Pending {
  readonly domain_id: number
  readonly released_revision: number | null
}

/** The component as a whole: the worst that holds for anybody, since the oldest transition among those. */
export function componentCondition(of_key: KeyConditions, now: Instant): ComponentCondition {
  const shared = sharedOf(of_key, now)
  const worst = [shared, ...ownOf(of_key, now)].reduce(worse)
  return worst === shared
    ? { ...shared, is_of_some: false }
    : { ...worst, domain_id: 0, observed_revision: null, message: PARTLY, is_of_some: true }
}

export interface ComponentCondition extends Condition {
  /** It holds for some of the domains, which have conditions of their own. */
  readonly is_of_some: boolean
}

const PARTLY = 'Some of its domains are not as they were released: what is said of each tells why.'

/** The condition of one domain, whether it has a row of its own or shares the component's. */
export function domainCondition(
  of_key: KeyConditions,
  { domain_id, released_revision, pending }: Pending & { readonly pending: boolean },
  now: Instant,
): Condition {
  const own = of_key.rows.find((row) => row.domain_id === domain_id)
  const condition = own === undefined ? sharedOf(of_key, now) : aged(own, of_key, now)
  const reported = { ...condition, domain_id, observed_revision: released_revision }
  return pending && condition.status === 'true'
    ? { ...reported, reason: 'pending_deploy', message: WAITS }
    : reported
}

export const WAITS = 'It is what was released. Newer changes are saved and wait for a deploy.'

/** Domains whose condition is another than the shared one: in trouble of their own, or with edits that wait. */
export function differingConditions(
  of_key: KeyConditions,
  pending: readonly Pending[],
  now: Instant,
): readonly Condition[] {
  const shared = sharedOf(of_key, now)
  const waiting = new Map(pending.map((row) => [row.domain_id, row]))
  const own = ownOf(of_key, now).map(({ domain_id, observed_revision }) => ({
    domain_id,
    released_revision: observed_revision,
  }))
  const asked = new Map([...own, ...pending].map((row) => [row.domain_id, row]))
  return [...asked.values()]
    .map((row) => domainCondition(of_key, { ...row, pending: waiting.has(row.domain_id) }, now))
    .filter(({ status, reason }) => status !== shared.status || reason !== shared.reason)
    .sort((a, b) => a.domain_id - b.domain_id)
}

/** The same of every domain at once: by id those with a condition of their own; all others share the first. */
export const conditionsOf = (
  of_key: KeyConditions,
  now: Instant,
): { readonly shared: Condition; readonly own: ReadonlyMap<number, Condition> } => ({
  shared: sharedOf(of_key, now),
  own: new Map(ownOf(of_key, now).map((row) => [row.domain_id, row])),
})

const ownOf = (of_key: KeyConditions, now: Instant): readonly Condition[] =>
  of_key.rows.filter(({ domain_id }) => domain_id !== 0).map((row) => aged(row, of_key, now))

/** What holds for every domain that has no row of its own. */
export function sharedOf(of_key: KeyConditions, now: Instant): Condition {
  const shared = of_key.rows.find(({ domain_id }) => domain_id === 0)
  return shared === undefined ? neverLooked(of_key) : aged(shared, of_key, now)
}

const neverLooked = ({ key, since }: KeyConditions): Condition => ({
  domain_id: 0,
  component: key,
  status: 'unknown',
  reason: 'never_looked',
  message: 'Nobody has looked at it yet.',
  observed_revision: null,
  last_transition_at: since,
})

/** A suspension is why nobody looks, so it stays the reason. A clock that stepped back makes nothing stale. */
function aged(condition: Condition, { every_ms, seen_at, since }: KeyConditions, now: Instant): Condition {
  const limit = stalenessLimit(every_ms)
  const isFresh = seen_at !== null && now - seen_at <= limit
  if (isFresh || condition.reason === 'suspended') return condition
  const turned_at = seen_at === null ? since : seen_at + limit
  return {
    ...condition,
    status: 'unknown',
    reason: 'stale',
    message: 'The last look is too old to say.',
    last_transition_at: condition.status === 'unknown' ? condition.last_transition_at : turned_at,
  }
}

const BADNESS: Readonly<Record<ConditionStatus, number>> = { true: 0, unknown: 1, false: 2 }

function worse(a: Condition, b: Condition): Condition {
  if (a.status !== b.status) return BADNESS[a.status] > BADNESS[b.status] ? a : b
  // Those that are right are right together: the shared one speaks for them.
  return a.status === 'true' || a.last_transition_at <= b.last_transition_at ? a : b
}
