/**
 * What a pass says about conditions. Pure: from its report, the look that explains it, and the present conditions to
 * those that hold from now on. The first line that fits decides.
 *
 *   the daemon shuts down                                        unchanged
 *   somebody keeps putting a laxer state back                    false      contested
 *   suspended                                                    unknown    suspended
 *   a later look found it right                                  true       in_sync
 *   a later look could not read it                               unknown    unreadable
 *   clean, repaired or unknown; a later look found a difference  false      drifting
 *   clean, repaired                                              true       in_sync
 *   left_unfinished                                              false      unfinished
 *   left_drifting                                                false      drifting
 *   refused, because somebody else puts another state back       false      contested
 *   refused by another guard                                     false      refused
 *   failed; differences are left, or a later look found one      false      failing
 *   failed before anything was known                             unknown    failing
 *   unknown                                                      unknown    unreadable
 *
 * The row with domain 0 holds for every domain that has none of its own. Where all differences belong to domains, these
 * get rows of their own and the rest is in sync; else the trouble is everybody's. A row that is in sync again stays for
 * as long as its transition is news beside the shared one.
 */
import type { Instant } from '../../kernel/clock.ts'
import type { Condition, ConditionReason, ConditionStatus } from '../../model/condition.ts'
import type { DriftCause, ExplainedDifference } from '../../model/drift.ts'
import type { GuardRule } from '../../model/plan.ts'
import type { Report } from '../../model/report.ts'
import { UNDECIDED } from '../../model/undecided.ts'
import type { KnownDomain } from '../editions/known-domains.ts'
import type { CallerObservation } from './caller-observation.ts'
import { ONLY_REPORTS } from '../../model/mode.ts'
import { saysTheSame, shown } from './same-words.ts'

/** Beyond this many differences the condition is the component's, whichever records they belong to. */
export const MAX_ATTRIBUTED = 200

export interface Evidence {
  readonly report: Report
  /** An observation that is newer than the pass; null where there was none. */
  readonly observed: Seen | null
  /** Records of either edition by every name that they have in one. */
  readonly domains: ReadonlyMap<string, KnownDomain>
  /** The world is right, and somebody keeps putting a laxer state there. */
  readonly besieged?: boolean
  readonly at: Instant
}

export type Seen = Pick<CallerObservation, 'deviates' | 'deviating' | 'unknown_because' | 'differences'> & {
  readonly rule: GuardRule | null
}

interface Classified {
  readonly status: ConditionStatus
  readonly reason: ConditionReason
  readonly message: string
}

/** All conditions of the report's key from now on, the shared one first; the present ones where the pass says nothing. */
export function conditionsAfter(
  present: readonly Condition[],
  { report, observed, domains, besieged, at }: Evidence,
): readonly Condition[] {
  // A shutdown says nothing about the target.
  if (report.failure?.code === 'shutting_down') return present
  const classified = besieged === true ? BESIEGED : classify(report, observed)
  const theirs =
    observed === null || classified.status !== 'false'
      ? null
      : attributed(classified, { report, observed, domains })
  const before = present.find(({ domain_id }) => domain_id === 0) ?? null
  const nobody = { domain_id: 0, component: report.key, observed_revision: null }
  const shared = moved(before, { ...nobody, ...(theirs === null ? classified : IN_SYNC) }, at)
  return [shared, ...ownRows({ present, before, shared, theirs: theirs ?? new Map(), domains, at })]
}

const IN_SYNC: Classified = { status: 'true', reason: 'in_sync', message: 'It is what was released.' }

function classify(report: Report, observed: Seen | null): Classified {
  // Both sides with their figures are told by the world's own part of the health page.
  const waits = report.failure?.code === 'restored_from_backup'
  const said = waits ? UNDECIDED : (report.failure?.message ?? '')
  if (report.outcome === 'suspended') return unknown('suspended', said)
  // The look is newer than the pass: somebody else may have put it right, made it unreadable, or moved it.
  if (observed?.deviates === false) return IN_SYNC
  if (observed?.deviates === null) return unknown('unreadable', observed.unknown_because ?? '')
  switch (report.outcome) {
    case 'clean':
    case 'repaired':
      return observed === null ? IN_SYNC : MOVED_SINCE
    case 'left_unfinished':
      return wrong('unfinished', said)
    case 'left_drifting':
      return wrong('drifting', `It differs from what was released, and the ${ONLY_REPORTS}.`)
    case 'refused':
      return observed?.rule === 'contested' ? CONTESTED : wrong('refused', said)
    case 'failed':
      return observed !== null || report.differences > report.repaired
        ? wrong('failing', said)
        : unknown('failing', said)
    case 'unknown':
      return observed === null ? unknown('unreadable', said) : MOVED_SINCE
  }
}

const wrong = (reason: ConditionReason, message: string): Classified => ({
  status: 'false',
  reason,
  message: shown(message),
})
const unknown = (reason: ConditionReason, message: string): Classified => ({
  ...wrong(reason, message),
  status: 'unknown',
})

const MOVED_SINCE = wrong('drifting', 'A look after the last pass found it other than it was released.')

const CONTESTED = wrong(
  'contested',
  'Somebody else keeps putting another state back, so the repair has stopped. Find out who. It is taken up again an hour ' +
    'after the last such change, and at once by a deploy.',
)

const BESIEGED = wrong(
  'contested',
  'Somebody else keeps putting a laxer state back. It is undone each time and never given way to. Find out who. This ' +
    'stands until an hour has passed without another such change, or until a deploy.',
)

/** Causes under which the world is not what was released. */
const DRIFTED: ReadonlySet<DriftCause> = new Set([
  'edited',
  'lost',
  'applied_unrecorded',
  'edited_and_pending',
  'foreign_owner',
  'orphan',
  'not_loaded',
  'rejected',
  'access',
  'neighbour',
  'shadowed',
  'not_served',
  'removing',
])

/** The records that are affected, by domain id; null when all are. */
function attributed(
  classified: Classified,
  { report, observed, domains }: Pick<Evidence, 'report' | 'domains'> & { readonly observed: Seen },
): ReadonlyMap<number, Classified> | null {
  const { differences, deviating = null } = observed
  // What only the saved edition asks for, such as a name that somebody else holds, is no difference from the released one.
  const isOfRelease = (difference: ExplainedDifference): boolean =>
    deviating === null || ownersOf(difference, domains).some((id) => id === null || deviating.includes(id))
  const drifted = differences.filter((one) => DRIFTED.has(one.cause) && isOfRelease(one))
  if (drifted.length === 0 || differences.length > MAX_ATTRIBUTED) return null
  const owners = drifted.flatMap((difference) => ownersOf(difference, domains))
  if (owners.includes(null)) return null
  return new Map(owners.map((id) => [id!, theirOwn(classified, report, id!)]))
}

/** Items that were refused alone say why, each for its own record; what the pass did not know says nothing of others. */
function theirOwn(classified: Classified, { refusals }: Report, id: number): Classified {
  const refusal = refusals.find(({ domain_ids }) => domain_ids.includes(id))
  if (refusal !== undefined) {
    const { code, message } = refusal.failure
    const reason = code === 'foreign_owner' ? 'refused' : classified.reason
    return { ...classified, reason, message: shown(message) }
  }
  const is_others = refusals.length > 0 && refusals.every(({ domain_ids }) => domain_ids.length > 0)
  return is_others ? MOVED_SINCE : classified
}

const ownersOf = (
  difference: ExplainedDifference,
  domains: Evidence['domains'],
): readonly (number | null)[] =>
  difference.domains.length === 0
    ? [null]
    : difference.domains.map((domain) => domains.get(domain)?.domain_id ?? null)

interface Rows {
  readonly present: readonly Condition[]
  readonly before: Condition | null
  readonly shared: Condition
  readonly theirs: ReadonlyMap<number, Classified>
  readonly domains: Evidence['domains']
  readonly at: Instant
}

function ownRows({ present, before, shared, theirs, domains, at }: Rows): readonly Condition[] {
  const own = new Map(present.filter(({ domain_id }) => domain_id !== 0).map((row) => [row.domain_id, row]))
  if (own.size + theirs.size === 0) return []
  const known = new Map([...domains.values()].map((domain) => [domain.domain_id, domain]))
  const ids = [...new Set([...own.keys(), ...theirs.keys()])].sort((a, b) => a - b)
  return ids.flatMap((domain_id) => {
    const domain = known.get(domain_id)
    if (domain === undefined) return []
    const { status, reason, message } = theirs.get(domain_id) ?? shared
    const observed_revision = domain.released_revision
    const wish = { domain_id, component: shared.component, status, reason, message, observed_revision }
    const row = moved(own.get(domain_id) ?? before, wish, at)
    return theirs.has(domain_id) || row.last_transition_at !== shared.last_transition_at ? [row] : []
  })
}

/** The transition is the status's alone. */
const moved = (
  before: Condition | null,
  wish: Omit<Condition, 'last_transition_at'>,
  at: Instant,
): Condition => ({
  ...wish,
  last_transition_at: before?.status === wish.status ? before.last_transition_at : at,
})

export interface ConditionChanges {
  readonly save: readonly Condition[]
  /** Ids of domains that share the component's condition again. */
  readonly drop: readonly number[]
}

/** What has to be written so that `before` becomes `after`; nothing when they say the same, whatever their figures. */
export function changesBetween(before: readonly Condition[], after: readonly Condition[]): ConditionChanges {
  const old = new Map(before.map((row) => [row.domain_id, row]))
  const save = after.filter((row) => !isSame(old.get(row.domain_id), row))
  const kept = new Set(after.map(({ domain_id }) => domain_id))
  return { save, drop: [...old.keys()].filter((domain_id) => !kept.has(domain_id)) }
}

const isSame = (a: Condition | undefined, b: Condition): boolean =>
  a !== undefined &&
  a.status === b.status &&
  a.reason === b.reason &&
  saysTheSame(a.message, b.message) &&
  a.observed_revision === b.observed_revision &&
  a.last_transition_at === b.last_transition_at
