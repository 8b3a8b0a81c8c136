/** What one pass over one key did, in words that finish the sentence "routes were …". */
import type { Instant, Milliseconds } from '../kernel/clock.ts'
import type { FailureCode } from '../kernel/failure.ts'
import { isTheirs, type Whose } from './whose.ts'

export const OUTCOMES = [
  'clean',
  'repaired',
  'left_drifting',
  'left_unfinished',
  'refused',
  'failed',
  'unknown',
  'suspended',
] as const
export type Outcome = (typeof OUTCOMES)[number]

export interface RefusedRepair {
  readonly code: FailureCode
  readonly message: string
  readonly retry_after_ms: Milliseconds
}

/** One item that was refused while others went through. */
export interface Refusal {
  readonly item: string
  /** Records that it concerns; empty: the key as a whole. */
  readonly domain_ids: readonly number[]
  readonly failure: RefusedRepair
  /** It stands beside what is ours and hinders nothing: it is drift, and no deploy fails for it. */
  readonly beside?: true
  /** Nobody refused it: it was not tried yet, or waits for something else. */
  readonly unfinished?: true
}

/** A difference, or an obstacle that hinders something. */
export interface ReportedItem {
  /** Records that it concerns; empty: the key as a whole. */
  readonly domain_ids: readonly number[]
  readonly repaired: boolean
  /** What it waits for, where nothing went wrong with it. */
  readonly waits?: RefusedRepair
  /** What it is, for people: a path, a record name. */
  readonly item?: string
}

/** Edits of somebody else's that a pass wrote over. */
export interface Undone {
  readonly count: number
  /** The first of them. */
  readonly items: readonly { readonly item: string; readonly detail: string }[]
  /** Those whose parts were edited; empty for what belongs to none. */
  readonly domains: readonly string[]
  /** Where what was overwritten is kept. */
  readonly kept_as: readonly string[]
}

export interface Report {
  /** The target, such as `routes`. */
  readonly component: string
  /** The queue key: the thing that is written atomically. */
  readonly key: string
  readonly outcome: Outcome
  /** How many differences there were before the pass acted. */
  readonly differences: number
  /** How many of them were repaired. */
  readonly repaired: number
  /**
   * Why the pass did not end well: the first of the refusals, or trouble of the key as a whole. Of one that was left
   * unfinished it says how far it came: nothing went wrong.
   */
  readonly failure: RefusedRepair | null
  /** Items that alone were refused; empty when the failure is everybody's. */
  readonly refusals: readonly Refusal[]
  /** What the figures are made of; left out where that is not known item by item. */
  readonly items?: readonly ReportedItem[]
  /** What it repaired had been changed by somebody else. */
  readonly undone?: Undone
  /** The release that the pass worked towards; 0 before the first. */
  readonly release: number
  readonly observed_at: Instant
  readonly took_ms: Milliseconds
  /** When the key is looked at again at the latest. */
  readonly next_attempt_at: Instant
}

export const isGood = (report: Report): boolean => report.outcome === 'clean' || report.outcome === 'repaired'

/** What a report means for these records: a failure that concerns other records alone is none of theirs. */
export function failureFor(report: Report, domain_ids: readonly number[]): RefusedRepair | null {
  if (isGood(report) || report.outcome === 'left_unfinished') return null
  if (report.refusals.length === 0) return report.failure ?? leftDrifting(report)
  const theirs = report.refusals.find(
    (refusal) => refusal.beside !== true && isTheirs(domain_ids, refusal.domain_ids),
  )
  return theirs?.failure ?? null
}

/** The figures of these records alone. */
export function figuresFor(
  { differences, repaired, items }: Report,
  records: Whose,
): Pick<Report, 'differences' | 'repaired'> {
  if (records === 'all' || items === undefined) return { differences, repaired }
  const theirs = items.filter(({ domain_ids }) => isTheirs(records, domain_ids))
  return { differences: theirs.length, repaired: theirs.filter((item) => item.repaired).length }
}

/** The report as it is for these records alone. */
export function reportFor(report: Report, records: Whose): Report {
  if (records === 'all') return report
  const figures = figuresFor(report, records)
  if (report.refusals.length === 0 || failureFor(report, records) !== null) return { ...report, ...figures }
  const outcome = figures.repaired > 0 ? 'repaired' : 'clean'
  return { ...report, ...figures, outcome, failure: null, refusals: [] }
}

const leftDrifting = ({ component }: Report): RefusedRepair => ({
  code: 'component_unavailable',
  message: `${component} was left drifting.`,
  retry_after_ms: 0,
})
