/**
 * How one key is: the one answer to that question. The status page, readiness, every drift answer, explanations and alerts
 * are projections of it. Pure, and decided from what passes and observations have left (`conditions`), from what waits for
 * a deploy, and, where somebody wants to know how it is now, from an observation that was made for the answer.
 *
 *   by what is known already:
 *   condition   waits for a deploy   drift   reason
 *   true        no                   false   in_sync
 *   true        yes                  true    pending_deploy
 *   false       either               true    the condition's
 *   unknown     either               null    the condition's, such as stale
 *   none        yes                  true    pending_deploy: it is not released yet
 *
 * Where the world is right and somebody keeps putting a laxer state there, nothing drifts, and it is not ok all the same.
 *
 * An observation made for the answer tells the drift and its causes; the condition then only says what hinders the repair.
 * An earlier observation by a caller is in the condition already, unless a suspension stands before it.
 */
import { suspendedWords } from '../../model/mode.ts'
import { type Instant, upcoming } from '../../kernel/clock.ts'
import type { Condition, ConditionReason } from '../../model/condition.ts'
import {
  AWAITS_DEPLOY,
  type DriftCause,
  type DriftState,
  type ExplainedDifference,
  mostUrgent,
} from '../../model/drift.ts'
import type { ModeSetting } from '../../ports/store.ts'
import type { CallerObservation, FoundDifferences } from './caller-observation.ts'
import {
  type ComponentCondition,
  componentCondition,
  type KeyConditions,
  stalenessLimit,
  WAITS,
} from './key-conditions.ts'
import type { ObservedKey } from './observed-key.ts'
import type { PendingRelease, Waiting } from './pending.ts'
import { saysTheSame, shown } from './same-words.ts'

export interface KeyStatus extends Decided {
  readonly component: string
  readonly key: string
  /** What was saved and waits for a deploy; null for nothing, and where that was not asked or could not be told. */
  readonly waiting: Waiting | null
  readonly mode: ModeSetting
  /** Since when the condition has its status; null for a key that only the working edition has. */
  readonly since: Instant | null
  /** When the world was last seen; null before the first time. */
  readonly seen_at: Instant | null
  /** From when on this says nothing any more; null before the first observation, and for one made for the answer. */
  readonly stale_after: Instant | null
  /** When a pass is due at the latest; null while one runs or waits for its turn, and while nobody ticks. */
  readonly next_attempt_at: Instant | null
  /** Null for a key that only the working edition has. */
  readonly conditions: KeyConditions | null
  /** What was observed for this answer; null for an answer by what is known already. */
  readonly observed: ObservedKey | null
}

/** Of a key that was observed for the answer. */
export type LiveStatus = KeyStatus & { readonly observed: ObservedKey }

interface Decided {
  /** Known to be what was saved and released, with nothing in its way. */
  readonly ok: boolean
  /** Is the world other than either edition says? Unknown (null) is never ok. */
  readonly drift: DriftState
  /** The most urgent one. */
  readonly cause: DriftCause | null
  /** How many differences of each cause. */
  readonly causes: Readonly<Record<string, number>>
  /** All of them where they were observed for this answer, else the first. */
  readonly differences: readonly ExplainedDifference[]
  readonly reason: ConditionReason
  readonly message: string
  /** The message stands for single domains, each of which has a condition of its own. */
  readonly is_of_some: boolean
}

export interface StatusFacts {
  readonly conditions: readonly KeyConditions[]
  /** Null where nobody asked, or the editions could not be read: then only what was observed is told. */
  readonly pending: PendingRelease | null
  /** By key, what was observed for this answer. */
  readonly observed: ReadonlyMap<string, ObservedKey>
  readonly dueAt: (key: string) => Instant | null
  readonly modeOf: (component: string) => ModeSetting
  /** Items of a key that a person has said may stay. */
  readonly ignoredAt?: (key: string) => ReadonlySet<string>
}

/** Of every key of either edition, in the order of work. */
export function keyStatuses(facts: StatusFacts, now: Instant): readonly KeyStatus[] {
  const { conditions, pending, observed } = facts
  const waiting = new Map(pending?.keys.map((one) => [one.key, one.waiting]))
  const known = new Map(conditions.map((of_key) => [of_key.key, of_key]))
  const unreleased = (pending?.keys ?? []).filter(({ key }) => !known.has(key))
  return [...conditions, ...unreleased].map(({ component, key }) => {
    const of_key = known.get(key) ?? null
    const waits = waiting.get(key) ?? (of_key === null ? FIRST_RELEASE : null)
    return keyStatus(
      { ...facts, component, key, conditions: of_key, waiting: waits, observed: observed.get(key) ?? null },
      now,
    )
  })
}

/** Its first observation comes with the deploy that brings it. */
const FIRST_RELEASE: Waiting = { cause: 'pending_deploy', domains: [] }

export type KeyFacts = Omit<StatusFacts, 'conditions' | 'observed'> &
  Pick<KeyStatus, 'component' | 'key' | 'conditions' | 'waiting' | 'observed'>

export function keyStatus(
  { component, key, conditions, pending, waiting, observed, dueAt, modeOf, ignoredAt }: KeyFacts,
  now: Instant,
): KeyStatus {
  const mode = modeOf(component)
  const condition = conditions && suspendedBy(mode, component, componentCondition(conditions, now))
  const found = conditions?.found ? presentDifferences(conditions.found, waiting, pending) : null
  const seen_at = conditions?.seen_at ?? null
  const decided =
    observed === null
      ? byConditions({ condition, found, waiting, caller: conditions?.caller ?? null })
      : byObservation(condition, observed)
  return {
    component,
    key,
    ...withoutIgnored(decided, ignoredAt?.(key)),
    waiting,
    mode,
    since: condition?.last_transition_at ?? null,
    seen_at: observed?.observed_at ?? seen_at,
    stale_after:
      observed === null && conditions !== null && seen_at !== null
        ? seen_at + stalenessLimit(conditions.every_ms)
        : null,
    next_attempt_at: upcoming(dueAt(key), now),
    conditions,
    observed,
  }
}

/** It is still drift, and told; but what a person has said may stay does not count against it. */
function withoutIgnored(decided: Decided, ignored: ReadonlySet<string> = NO_ITEMS): Decided {
  const { drift, reason, causes, differences } = decided
  if (drift !== true || reason !== 'drifting') return decided
  const counts = Object.values(causes)
  return isAllIgnored({ counts, differences }, ignored)
    ? { ...decided, ok: true, message: IGNORED, is_of_some: false }
    : decided
}

interface Counted {
  /** Of all that differs, by cause: of very many the differences are only the first. */
  readonly counts: Iterable<number>
  readonly differences: readonly Pick<ExplainedDifference, 'item'>[]
}

/** Something differs, and a person has said of all of it that it may. */
export function isAllIgnored({ counts, differences }: Counted, ignored: ReadonlySet<string>): boolean {
  if (ignored.size === 0 || differences.length === 0) return false
  const count = [...counts].reduce((all, one) => all + one, 0)
  return count === differences.length && differences.every(({ item }) => ignored.has(item))
}

const NO_ITEMS: ReadonlySet<string> = new Set()
const IGNORED = 'It differs as somebody has said that it may: GET /api/drift/ignored.'

/** A suspension counts from its call on, not from the first pass that heeds it. */
function suspendedBy(
  mode: ModeSetting,
  component: string,
  condition: ComponentCondition,
): ComponentCondition {
  if (mode.mode !== 'suspend' || condition.reason === 'suspended') return condition
  const message = suspendedWords(component, mode.reason)
  return { ...condition, status: 'unknown', reason: 'suspended', message }
}

interface Known {
  readonly condition: ComponentCondition | null
  readonly found: Pick<FoundDifferences, 'causes' | 'differences'> | null
  readonly waiting: Waiting | null
  /** The newest observation, where it was no pass's. */
  readonly caller: CallerObservation | null
}

type Answered = Pick<ObservedKey, 'drift' | 'differences' | 'unknown_because'> &
  Partial<Pick<ObservedKey, 'reaction'>>

function byConditions({ condition, found, waiting, caller }: Known): Decided {
  if (condition?.reason === 'suspended' && caller !== null)
    return byObservation(condition, { ...caller, drift: caller.deviates })
  if (condition?.status === 'unknown') return unknownBecause(condition.reason, condition.message)
  const waits = waiting === null ? [] : differencesOf(waiting)
  const causes: Record<string, number> = Object.fromEntries(found?.causes ?? [])
  if (waiting !== null) causes[waiting.cause] ??= waits.length
  const has_own = found?.differences.some(({ cause }) => cause === waiting?.cause) === true
  const differences = [...(found?.differences ?? []), ...(has_own ? [] : waits)]
  if (condition !== null && isHeldUp(condition) && found !== null && differences.length === 0)
    return rightBut(condition)
  if (condition?.status === 'false') return differing(condition, { causes, differences })
  if (waiting === null) return IN_SYNC
  return differing(waitingOf(condition), { causes, differences })
}

function byObservation(
  condition: ComponentCondition | null,
  { drift, differences, unknown_because, ...rest }: Answered,
): Decided {
  const suspension = condition?.reason === 'suspended' ? condition : null
  if (drift === null) return unknownBecause(suspension?.reason ?? 'unreadable', unknown_because ?? '')
  if (!drift) return condition === null || !isHeldUp(condition) ? IN_SYNC : rightBut(condition)
  const causes: Record<string, number> = {}
  for (const { cause } of differences) causes[cause] = (causes[cause] ?? 0) + 1
  if (differences.length > 0 && differences.every(({ cause }) => AWAITS_DEPLOY.has(cause)))
    return differing(waitingOf(condition), { causes, differences })
  const why = condition?.status === 'false' ? hinderedBy(condition, rest) : DRIFTING
  return differing(why, { causes, differences })
}

/** The last pass may have been refused for another reason than the one that stands in the way now. */
function hinderedBy(
  { reason, message, is_of_some }: ComponentCondition,
  { reaction }: Partial<Pick<ObservedKey, 'reaction'>>,
): Why {
  if (reason === 'contested' || is_of_some || reaction?.will !== 'refuse')
    return { reason, message, is_of_some }
  const because = shown(reaction.because)
  return saysTheSame(because, message) ? { reason, message } : { reason: 'refused', message: because }
}

const isHeldUp = ({ reason }: Condition): boolean => reason === 'suspended' || reason === 'contested'

const rightBut = ({ reason, message }: Condition): Decided => ({ ...IN_SYNC, ok: false, reason, message })

type Why = Pick<Decided, 'reason' | 'message'> & Partial<Pick<Decided, 'is_of_some'>>

/** Of a key that only the working edition has nothing is known. */
const waitingOf = (condition: ComponentCondition | null): Why => ({
  reason: 'pending_deploy',
  message: condition === null ? UNRELEASED : WAITS,
})
const UNRELEASED = 'It is not released yet. What is saved waits for a deploy.'
const DRIFTING: Why = { reason: 'drifting', message: 'It differs from what the database says.' }

const IN_SYNC: Decided = {
  ok: true,
  drift: false,
  cause: null,
  causes: {},
  reason: 'in_sync',
  message: 'It is what was released.',
  differences: [],
  is_of_some: false,
}

const unknownBecause = (reason: ConditionReason, message: string): Decided => ({
  ...IN_SYNC,
  ok: false,
  drift: null,
  reason,
  message,
})

const differing = (
  { reason, message, is_of_some = false }: Why,
  { causes, differences }: Pick<Decided, 'causes' | 'differences'>,
): Decided => ({
  ok: false,
  drift: true,
  cause: mostUrgent(Object.keys(causes)),
  causes,
  reason,
  message,
  is_of_some,
  differences,
})

/** What waits is told by the editions of now: the observation may have been made for earlier ones. */
function presentDifferences(
  { causes, differences, working }: FoundDifferences,
  waiting: Waiting | null,
  pending: PendingRelease | null,
): Pick<FoundDifferences, 'causes' | 'differences'> {
  if (pending === null || (working === pending.working && waiting !== null)) return { causes, differences }
  return {
    causes: new Map([...causes].filter(([cause]) => !AWAITS_DEPLOY.has(cause))),
    differences: differences.filter(({ cause }) => !AWAITS_DEPLOY.has(cause)),
  }
}

function differencesOf({ cause, domains }: Waiting): readonly ExplainedDifference[] {
  const detail = 'saved and not deployed'
  if (domains.length === 0) return [{ item: 'settings', cause, domains: [], detail }]
  return domains.map((domain) => ({ item: domain, cause, domains: [domain], detail }))
}
