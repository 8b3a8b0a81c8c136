/**
 * Conditions as they are answered: what is stored, aged by the last look, and with edits that wait for their deploy.
 *
 * A condition that nobody looked at for longer than its limit says nothing any more: it is unknown. An edit that is saved
 * and not deployed leaves the status alone, because the world is right at the released revision; only the reason says it.
 */
import type { Instant, Milliseconds } from '../../kernel/clock.ts'
import type { Condition, ConditionStatus } from '../../model/condition.ts'
import type { IntentRow } from '../../model/intent.ts'
import type { CallerLook } from './caller-look.ts'
import type { FoundDifferences } from './kept-keys.ts'

const RESYNCS_MISSED = 3
const LEAST_STALENESS_MS: Milliseconds = 60_000

/** How old the last look may be before conditions are stale. */
export const stalenessLimit = (every_ms: Milliseconds): Milliseconds =>
  Math.max(RESYNCS_MISSED * every_ms, LEAST_STALENESS_MS)

/** What is known about one key. */
export interface Chapter {
  readonly component: string
  readonly key: string
  readonly every_ms: Milliseconds
  /** Whether the key has to do with a record. */
  readonly concerns: (row: IntentRow) => boolean
  readonly rows: readonly Condition[]
  /** What the last look found to differ; null while unknown. */
  readonly found: FoundDifferences | null
  /** The newest look, where it was no pass's. */
  readonly look: CallerLook | null
  /** The last look, whoever's, or glance of this process; null before the first. */
  readonly seen_at: Instant | null
  /** Since when this process could have looked. */
  readonly since: Instant
}

export interface Pending {
  readonly domain_id: number
  readonly released_revision: number | null
}

/** The component as a whole: the worst that holds for anybody, since the oldest transition among those. */
export function componentCondition(chapter: Chapter, now: Instant): Condition {
  const shared = sharedOf(chapter, now)
  const worst = [shared, ...ownOf(chapter, now)].reduce(worse)
  return worst === shared ? shared : { ...worst, domain_id: 0, observed_revision: null, message: PARTLY }
}

const PARTLY = 'Some of its domains are not what was released; they have conditions of their own.'

/** The condition of one domain, whether it has a row of its own or shares the component's. */
export function domainCondition(
  chapter: Chapter,
  { domain_id, released_revision, pending }: Pending & { readonly pending: boolean },
  now: Instant,
): Condition {
  const own = chapter.rows.find((row) => row.domain_id === domain_id)
  const condition = own === undefined ? sharedOf(chapter, now) : aged(own, chapter, now)
  const told = { ...condition, domain_id, observed_revision: released_revision }
  return pending && condition.status === 'true' ? { ...told, reason: 'pending_deploy', message: WAITS } : told
}

const WAITS = 'It is what was released; what was saved since waits for a deploy.'

/** Domains whose condition is another than the shared one: in trouble of their own, or with edits that wait. */
export function differingConditions(
  chapter: Chapter,
  pending: readonly Pending[],
  now: Instant,
): readonly Condition[] {
  const shared = sharedOf(chapter, now)
  const waiting = new Map(pending.map((row) => [row.domain_id, row]))
  const own = ownOf(chapter, now).map(({ domain_id, observed_revision }) => ({
    domain_id,
    released_revision: observed_revision,
  }))
  const asked = new Map([...own, ...pending].map((row) => [row.domain_id, row]))
  return [...asked.values()]
    .map((row) => domainCondition(chapter, { ...row, pending: waiting.has(row.domain_id) }, now))
    .filter(({ status, reason }) => status !== shared.status || reason !== shared.reason)
    .sort((a, b) => a.domain_id - b.domain_id)
}

const ownOf = (chapter: Chapter, now: Instant): readonly Condition[] =>
  chapter.rows.filter(({ domain_id }) => domain_id !== 0).map((row) => aged(row, chapter, now))

/** What holds for every domain that has no row of its own. */
export function sharedOf(chapter: Chapter, now: Instant): Condition {
  const shared = chapter.rows.find(({ domain_id }) => domain_id === 0)
  return shared === undefined ? neverLooked(chapter) : aged(shared, chapter, now)
}

const neverLooked = ({ key, since }: Chapter): Condition => ({
  domain_id: 0,
  component: key,
  status: 'unknown',
  reason: 'never_looked',
  message: 'Nobody has looked at it yet.',
  observed_revision: null,
  last_transition_at: since,
})

/** A suspension is why nobody looks, so it stays the reason. A clock that stepped back makes nothing stale. */
function aged(condition: Condition, { every_ms, seen_at, since }: Chapter, now: Instant): Condition {
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
