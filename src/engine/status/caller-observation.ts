/**
 * What an observation outside of the passes has found at a key, and what is kept of the differences that anybody found.
 * Kept until a later observation or pass says otherwise. Pure.
 */
import type { Instant } from '../../kernel/clock.ts'
import type { Condition } from '../../model/condition.ts'
import { type DriftCause, type DriftState, type ExplainedDifference, mostUrgent } from '../../model/drift.ts'
import type { Intent } from '../../model/intent.ts'
import type { ObservationTurn } from '../observation.ts'

export interface CallerObservation {
  /** When it began, in the order of all observations. */
  readonly turn: ObservationTurn
  readonly at: Instant
  /** Whether the world differs from the released edition; null when it could not be read. */
  readonly deviates: DriftState
  readonly unknown_because: string | null
  /** The records whose part differs from it; null or left out where something belongs to the key as a whole. */
  readonly deviating?: readonly number[] | null
  /** Between the world and the working edition. */
  readonly differences: readonly ExplainedDifference[]
}

/** Differences as far as they are kept. */
export interface FoundDifferences {
  /** How many of each cause. */
  readonly causes: ReadonlyMap<DriftCause, number>
  /** The first of them. */
  readonly differences: readonly ExplainedDifference[]
  /** By name, the most urgent cause of what differs of a domain: of all of them. */
  readonly of_domains: ReadonlyMap<string, DriftCause>
  /** Something differs that belongs to no domain. */
  readonly has_common: boolean
  /** The working edition that the world was compared with. */
  readonly working: Intent
}

/** Of the differences that are kept for people; all of them are counted. */
const MAX_KEPT = 20

export function keptDifferences(
  differences: readonly ExplainedDifference[],
  working: Intent,
): FoundDifferences {
  const groups = Map.groupBy(differences, ({ cause }) => cause)
  const causes = new Map([...groups].map(([cause, theirs]) => [cause, theirs.length]))
  return {
    causes,
    differences: differences.slice(0, MAX_KEPT),
    of_domains: byDomain(differences),
    has_common: differences.some(({ domains }) => domains.length === 0),
    working,
  }
}

function byDomain(differences: readonly ExplainedDifference[]): ReadonlyMap<string, DriftCause> {
  const found = new Map<string, DriftCause>()
  for (const { domains, cause } of differences)
    for (const domain of domains) {
      const before = found.get(domain)
      found.set(domain, before === undefined ? cause : mostUrgent([before, cause])!)
    }
  return found
}

/** What was known before an observation. */
export interface KnownBefore {
  readonly rows: readonly Condition[]
  readonly found: FoundDifferences | null
}

/** Whether an observation says something that was not known: then a pass is to see to it. */
export function isNews({ deviates, differences }: CallerObservation, { rows, found }: KnownBefore): boolean {
  const statuses = new Set(rows.map(({ status }) => status))
  if (deviates === null) return statuses.has('true')
  if (!deviates) return statuses.has('false') || statuses.has('unknown')
  return !statuses.has('false') || found === null || !isSame(differences, found)
}

/** As far as differences are kept: all of them are counted, and the first are compared. */
function isSame(differences: readonly ExplainedDifference[], found: FoundDifferences): boolean {
  const counts = [...found.causes.values()].reduce((sum, count) => sum + count, 0)
  return (
    counts === differences.length &&
    found.differences.every((one, i) => {
      const other = differences[i]
      return one.item === other?.item && one.cause === other.cause && one.detail === other.detail
    })
  )
}
