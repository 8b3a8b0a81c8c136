/** How one comparison of the world with a release ended, before it becomes a report. */
import type { Instant } from '../../kernel/clock.ts'
import { Failure } from '../../kernel/failure.ts'
import type { Log } from '../../kernel/log.ts'
import type { Metrics } from '../../kernel/metrics.ts'
import type { Outcome, Refusal, RefusedRepair, ReportedItem, Undone } from '../../model/report.ts'
import type { AnyTarget, Difference } from '../target.ts'

export interface PassResult {
  readonly outcome: Outcome
  readonly differences: number
  readonly repaired: number
  readonly failure: RefusedRepair | null
  readonly refusals: readonly Refusal[]
  readonly items?: readonly ReportedItem[]
  readonly observed_at: Instant
  /** A release came between the comparison and the write. */
  readonly overtaken?: true
  /** Somebody is faster than the repair at putting a laxer state back: what they gain by it must not grow with every try. */
  readonly pressing?: true
  /** What was repaired was not ours to begin with: somebody else had changed it. */
  readonly undone?: Undone
}

export const CLEAN = {
  outcome: 'clean',
  differences: 0,
  repaired: 0,
  failure: null,
  refusals: [],
} as const

export const failed = (
  observed_at: Instant,
  differences: number,
  failure: RefusedRepair,
  outcome: Outcome = 'failed',
): PassResult => ({ outcome, differences, repaired: 0, failure, refusals: [], observed_at })

/** Whose each of the differences is. @param open keys of those that are left; null for none */
export const itemsOf = (
  differences: readonly Difference<unknown>[],
  open: ReadonlySet<string> | null = null,
  refusals: ReadonlyMap<Difference<unknown>, Refusal> = new Map(),
): readonly ReportedItem[] =>
  differences.map((difference) => {
    const { key, domain_ids = [] } = difference
    const item = { domain_ids, item: difference.item, repaired: open?.has(key) !== true }
    const refusal = item.repaired ? undefined : refusals.get(difference)
    return refusal?.unfinished === true ? { ...item, waits: refusal.failure } : item
  })

/** Without those that only our own notes of are behind: nothing of them changes in the world. */
export const reportedOf = <D extends Difference<unknown>>(differences: readonly D[]): readonly D[] =>
  differences.filter(({ is_note }) => is_note !== true)

export const keysOf = (differences: readonly Difference<unknown>[]): ReadonlySet<string> =>
  new Set(differences.map(({ key }) => key))

export const openItems = (refusals: readonly Refusal[]): readonly ReportedItem[] =>
  refusals.flatMap(({ domain_ids, item, beside }) =>
    beside === true ? [] : [{ domain_ids, item, repaired: false }],
  )

/** Everything that could be done is done, and what is in the way is only a person's to move. */
export const hindered = (
  obstacles: readonly Refusal[],
  { repaired, observed_at }: Pick<PassResult, 'repaired' | 'observed_at'>,
  items: readonly ReportedItem[] = [],
): PassResult => ({
  outcome: 'refused',
  differences: repaired + obstacles.length,
  repaired,
  failure: (obstacles.find(({ beside }) => beside !== true) ?? obstacles[0]!).failure,
  refusals: obstacles,
  items: [...items, ...openItems(obstacles)],
  observed_at,
})

/** All that is left was refused before, item by item, and waits, or is only a person's to move. */
export const stillRefused = (refusals: readonly Refusal[], observed_at: Instant): PassResult => ({
  ...failed(observed_at, refusals.length, refusals[0]!.failure),
  refusals,
  items: openItems(refusals),
})

/** True where single items were refused, each for its own records, and nothing is wrong with the key. */
export const isOfItems = ({ outcome, refusals }: PassResult): boolean =>
  outcome === 'failed' &&
  refusals.length > 0 &&
  refusals.every(({ domain_ids, beside }) => domain_ids.length > 0 || beside === true)

/** Begun, and to be taken up again. */
export const unfinished = (observed_at: Instant, differences: number, progress: RefusedRepair): PassResult =>
  failed(observed_at, differences, progress, 'left_unfinished')

/** True where trying again soon would change nothing. */
export const waitsForPeople = ({ outcome, refusals }: PassResult): boolean =>
  outcome === 'refused' && refusals.length > 0

export const refusal = (code: RefusedRepair['code'], message: string, retry_after_ms = 0): RefusedRepair => ({
  code,
  message,
  retry_after_ms,
})

/** What was expected to go wrong says why; anything else is a bug: counted, logged with its stack, tried again later. */
export function asRefusal(
  error: unknown,
  target: AnyTarget,
  { log, metrics }: { readonly log: Log; readonly metrics: Metrics },
): RefusedRepair {
  if (error instanceof Failure) return refusal(error.code, error.message, error.details.retry_after_ms)
  if (error instanceof DOMException && error.name === 'TimeoutError')
    return refusal('component_unavailable', `${target.name} did not finish within ${target.deadline_ms} ms.`)
  metrics.count('plumbline_reconcile_panics_total', { component: target.name })
  log.error('pass threw', { component: target.name, target: target.key, error })
  return refusal('internal', `The pass over ${target.key} failed inside; the log has the reason.`)
}
