/**
 * How the installation is, part by part, and the one verdict over all of it.
 *
 * A part that is `ok` is known to be as it should be: its `drift` is false. It can be not ok without drift, such as an edge
 * that fell silent. What was not found out, or too long ago, is unknown (`drift: null`) and not ok, however well it was.
 */
import type { Instant } from '../kernel/clock.ts'
import { CONDITION_REASONS } from './condition.ts'
import type { DriftState } from './drift.ts'
import type { Mode } from './mode.ts'

/**
 * kept: made true by the reconciler, one for each key. dependency: what Plumbline needs and asks. watch: what it watches
 * and cannot or need not mend itself.
 */
export const HEALTH_KINDS = ['kept', 'dependency', 'watch'] as const
export type HealthKind = (typeof HEALTH_KINDS)[number]

/** Why a part is as it is. Closed, so that alerts can be written against it. Of kept things: their condition's reason. */
export const HEALTH_REASONS = [
  ...CONDITION_REASONS,
  'healthy',
  'not_configured',
  // Not in place everywhere, and still within its time.
  'propagating',
  // Known to be wrong, and nothing that a deploy would change.
  'impaired',
  'unreachable',
  'timed_out',
  // What came is no answer.
  'malformed',
  // A bug of ours; the log has it.
  'broken',
] as const
export type HealthReason = (typeof HEALTH_REASONS)[number]

export interface HealthDifference {
  readonly item: string
  /** In the words of the part's own endpoint. */
  readonly cause: string
  readonly domains: readonly string[]
  readonly detail: string
}

/** What one look at a part has found. */
export interface HealthFinding {
  readonly ok: boolean
  readonly drift: DriftState
  /** What is wrong, most urgent first, in the words of the part's own endpoint; null where nothing is. */
  readonly cause: string | null
  /** How many of each. */
  readonly causes: Readonly<Record<string, number>>
  readonly reason: HealthReason
  readonly message: string
  /** The first of them. */
  readonly differences: readonly HealthDifference[]
  /** Figures and names of the part's own. */
  readonly details: Readonly<Record<string, unknown>>
}

export interface HealthComponent extends HealthFinding {
  /** Unique: the engine's key, such as `dns:example.org`, or the name of the check. */
  readonly name: string
  /** The family that it belongs to, never with a domain's name in it: the label of metrics. */
  readonly component: string
  readonly kind: HealthKind
  /** False: it is not set up, so it counts for nothing. */
  readonly configured: boolean
  /** Of what is kept: the message stands for single domains, and the differences say of each what it is. */
  readonly of_some?: boolean | undefined
  /** End of the last look, whatever came of it; null before the first. */
  readonly observed_at: Instant | null
  /** From when on that says nothing any more. */
  readonly stale_after: Instant | null
  readonly stale: boolean
  /** Since when `ok` and `drift` are what they are; null where nobody kept it. */
  readonly since: Instant | null
  readonly next_attempt_at: Instant | null
  /** Null for what is not kept. */
  readonly mode: Mode | null
  readonly suspended_until: Instant | null
}

/** How many differences of a part are shown; all of them are counted. */
export const MAX_DIFFERENCES = 20

/** The one name under which the rules of the database stand until somebody has looked at them. */
export const UNKNOWN_RULES = 'database_rules'
