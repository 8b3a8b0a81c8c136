/**
 * What a plan brings with it beside what it is about: what has to be made first, the edits of others that go with a file, what is
 * foreseen, and what a mode keeps from it.
 */
import type { Milliseconds } from '../../kernel/clock.ts'
import { Failure } from '../../kernel/failure.ts'
import type { ExplainedDifference } from '../../model/drift.ts'
import type { LeftByMode, PlannedAction, RefusedRow } from '../../model/plan.ts'
import type { Whose } from '../../model/whose.ts'
import type { ModeSetting } from '../../ports/store.ts'
import { EDITS, undoneWords } from '../editions/undone.ts'
import type { AnyTarget, Difference, Obstacle } from '../target.ts'

/** One line each, before what needs it. */
export function madeFirst(
  component: string,
  differences: readonly Difference<unknown>[],
): readonly Omit<PlannedAction, 'needs'>[] {
  const made = new Set(differences.flatMap(({ makes }) => makes ?? []))
  return [...made].map((item) => ({
    component,
    verb: 'create',
    item,
    before: null,
    after: null,
    reason: 'release',
    of_neighbour: false,
  }))
}

interface Moving {
  /** Names of the records that the plan moves. */
  readonly moving: ReadonlySet<string>
  readonly records: Whose
  /** Whether what concerns these domains is what the plan is about. */
  readonly tells: (domains: readonly string[]) => boolean
}

/** What is written as a whole takes the edits of others with it, also where nothing is repaired unasked: they are named before. */
export function alsoUndone(
  key: string,
  differences: readonly ExplainedDifference[],
  { moving, records, tells }: Moving,
): readonly string[] {
  // A repair of everything is about every edit.
  if (records === 'all' ? moving.size === 0 : records.length === 0) return []
  const isOwn = (domains: readonly string[]) =>
    domains.some((domain) => moving.has(domain)) ||
    (records !== 'all' && domains.length > 0 && tells(domains))
  const others = differences.filter(({ cause, domains }) => EDITS.has(cause) && !isOwn(domains))
  const [first] = others
  if (first === undefined) return []
  const domains = others.flatMap((one) => one.domains)
  return [undoneWords(key, { domains, first: `${first.item}: ${first.detail}`, is_done: false })]
}

/** Looking ahead must not hold a plan, and what cannot be found out is only not said. */
const MAX_FORESEEING_MS: Milliseconds = 10_000

export async function foreseen(
  target: AnyTarget,
  differences: readonly Difference<unknown>[],
  signal: AbortSignal,
): Promise<readonly string[]> {
  if (target.foresee === undefined || differences.length === 0) return []
  try {
    const bounded = AbortSignal.any([signal, AbortSignal.timeout(MAX_FORESEEING_MS)])
    return await target.foresee(differences, bounded)
  } catch (error) {
    if (signal.aborted) throw error
    if (error instanceof Failure) return [`${target.key}: ${error.message}`]
    if (error instanceof DOMException)
      return [`${target.key}: what stands in the way could not be found out.`]
    throw error
  }
}

/** Records to which what only a person can move is refused. */
export const refusedBy = (
  obstacles: readonly Obstacle[],
  names: ReadonlyMap<number, string>,
): readonly RefusedRow[] =>
  obstacles.flatMap(({ domain_ids, beside, failure: { code, message } }) =>
    beside === true
      ? []
      : domain_ids.map((domain_id) => ({ domain_id, domain: names.get(domain_id) ?? '', code, message })),
  )

/** What a mode keeps from being done at a key that the plan asks for. @param differences what would be done there otherwise; none leaves nothing to say */
export const leftBy = (
  { mode, reason, expires_at: until }: ModeSetting,
  { name: component, key }: Pick<AnyTarget, 'name' | 'key'>,
  differences: number,
): readonly LeftByMode[] => (differences === 0 ? [] : [{ component, key, mode, reason, until, differences }])
