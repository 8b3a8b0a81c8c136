/** The one write of a pass, and the look after it that says what came of it. */
import type { Milliseconds } from '../../kernel/clock.ts'
import type { Refusal, RefusedRepair, Undone } from '../../model/report.ts'
import type { Whose } from '../../model/whose.ts'
import type { Released } from '../editions/editions.ts'
import type { PassProgress } from '../progress.ts'
import { obstaclesOf } from '../status/decide.ts'
import type { AnyTarget, ApplyContext, Difference, Observation, Repair } from '../target.ts'
import type { PassParts } from './pass-parts.ts'
import {
  failed,
  itemsOf,
  keysOf,
  openItems,
  refusal,
  reportedOf,
  unfinished,
  type PassResult,
} from './result.ts'

export type Known = Extract<Observation<unknown>, { known: true }>

export interface Work {
  readonly released: Released
  readonly observation: Known
  readonly differences: readonly Difference<unknown>[]
  /** What is different, too, and was refused a moment ago; by the key of the difference. */
  readonly waiting: ReadonlyMap<string, Refusal>
  /** Keys of what is different, too, and is somebody else's doing that nobody asked to have undone. */
  readonly left_alone: ReadonlySet<string>
  /** Keys of what is owed to whoever released. */
  readonly owed: () => Promise<ReadonlySet<string>>
  readonly asked_for: Whose | null
  readonly ends_at: Milliseconds
  readonly signal: AbortSignal
  readonly progress?: PassProgress
}

export interface Step extends Work {
  readonly step: number
  /** What stood there let in more than what was released. */
  readonly opens: boolean
  /** It differed from what we left. */
  readonly by_stranger: boolean
  readonly context: ApplyContext
  /** What it undid of somebody else's, where it did; to be asked when it is done. */
  readonly undone: (done: ReadonlySet<string>) => Promise<Undone | null>
}

export interface Written {
  /** All of it was accepted; whether it still stands, `failed_pass` says. */
  readonly accepted: boolean
  /** Keys of what was accepted and is not known to differ again. */
  readonly done: ReadonlySet<string>
  /** The world afterwards; of use only without a failed pass. */
  readonly after: Observation<unknown>
  readonly failed_pass: PassResult | null
}

/** Applies and looks again: what counts is what is there then. */
export async function write(target: AnyTarget, parts: PassParts, work: Step): Promise<Written> {
  const { released, differences, asked_for, signal } = work
  const repairs = await target.apply(differences, released.desired, work.context)
  const after = await parts.looks.observe(target, signal, { afresh: asked_for !== null })
  const left = after.known
    ? target.diff(released.desired, after.state).filter(({ key }) => !work.left_alone.has(key))
    : differences
  const refused_now = refusalsOf(repairs, differences)
  await noteRefused(target, parts, work, { repairs, refused_now })
  const differs_still = after.known ? keysOf(left) : new Set<string>()
  const done = new Set(repairs.flatMap(({ ok, key }) => (ok && !differs_still.has(key) ? [key] : [])))
  const failed_pass = failedPass(target, work, { repairs, refused_now, after, left })
  return { accepted: refused_now.size === 0, done, after, failed_pass }
}

interface Outcome {
  readonly repairs: readonly Repair[]
  /** What was refused by this write. */
  readonly refused_now: ReadonlyMap<Difference<unknown>, Refusal>
  readonly after: Observation<unknown>
  /** What differs afterwards, without what is left alone; all of it, where nobody could look. */
  readonly left: readonly Difference<unknown>[]
}

/** What is refused waits for its own time; what only takes longer than one pass does not. */
async function noteRefused(
  target: AnyTarget,
  { clock, random, refused_items }: PassParts,
  { differences, waiting, owed }: Step,
  { repairs, refused_now }: Pick<Outcome, 'repairs' | 'refused_now'>,
): Promise<void> {
  const times = { untried: waiting, now: clock.now(), random: random() }
  const tried = repairs.filter((repair) => repair.ok || repair.unfinished !== true)
  refused_items.note(target, refusalsOf(tried, differences), {
    ...times,
    ...(refused_now.size > 0 && { owed: await owed() }),
  })
}

/** Null where the release stands in the world, as far as nobody stands in the way. */
function failedPass(target: AnyTarget, work: Step, outcome: Outcome): PassResult | null {
  const { released, observation, waiting } = work
  const { repairs, refused_now, after, left } = outcome
  const reported = reportedOf(work.differences)
  // What waits is different still and was not tried.
  const open = keysOf(reportedOf(left).filter(({ key }) => !waiting.has(key)))
  const figures = {
    repaired: reported.length - Math.min(open.size, reported.length),
    items: [...itemsOf(reported, open, refused_now), ...openItems([...waiting.values()])],
  }
  const failedWith = (why: PassResult['failure']): PassResult => ({
    ...failed(observation.at, reported.length, why!),
    ...figures,
  })
  const progress = progressOf(repairs)
  if (progress !== null) return { ...unfinished(observation.at, reported.length, progress), ...figures }
  const refused = [...refused_now.values(), ...waiting.values()]
  if (refused.length > 0) {
    const first = refused.find((one) => one.unfinished !== true) ?? refused[0]!
    return { ...failedWith(first.failure), refusals: refusedAlone(target, work, refused, outcome) }
  }
  if (!after.known) return failedWith(refusal('component_unavailable', after.detail, after.retry_after_ms))
  if (left.length === 0) return null
  const again = failedWith(refusal('conflict', 'The world changed again while it was being repaired.'))
  return letsInMore(target, released, after) ? { ...again, pressing: true } : again
}

/** Where nothing else differs, what was refused and what stands in the way is all that keeps the release out. */
function refusedAlone(
  target: AnyTarget,
  { released }: Step,
  refused: readonly Refusal[],
  { after, left }: Pick<Outcome, 'after' | 'left'>,
): readonly Refusal[] {
  const items = new Set(refused.map(({ item }) => item))
  if (!after.known || !left.every(({ item }) => items.has(item))) return []
  return [...refused, ...obstaclesOf(target, released.desired, after.state)]
}

export const letsInMore = (target: AnyTarget, { desired }: Released, { state }: Known): boolean =>
  target.opens?.(desired, state) === true

function refusalsOf(
  repairs: readonly Repair[],
  differences: readonly Difference<unknown>[],
): ReadonlyMap<Difference<unknown>, Refusal> {
  const by_key = new Map(differences.map((difference) => [difference.key, difference]))
  return new Map(
    repairs.flatMap((done) => {
      const difference = by_key.get(done.key)
      if (done.ok || difference === undefined) return []
      const { item, domain_ids = [] } = difference
      const { failure, unfinished: is_unfinished = false } = done
      return [
        [difference, { item, domain_ids, failure, ...(is_unfinished && { unfinished: true }) }] as const,
      ]
    }),
  )
}

/** How far it came, where all that is not done yet is merely unfinished; null otherwise. */
function progressOf(repairs: readonly Repair[]): RefusedRepair | null {
  const open = repairs.flatMap((repair) => (repair.ok ? [] : [repair]))
  return open.every((repair) => repair.unfinished === true) ? (open[0]?.failure ?? null) : null
}
