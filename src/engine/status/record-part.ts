/**
 * What of a key concerns one record, and what the engine does about that. What it does for the record's neighbours is told by
 * the key as a whole. Pure.
 */
import type { GuardHit } from '../../model/plan.ts'
import type { Reaction } from '../../model/reaction.ts'
import type { Attempt } from '../../ports/store.ts'
import type { RefusedTries } from '../pass/refused-items.ts'
import type { Difference } from '../target.ts'
import { decide, type Decided, isOther } from './decide.ts'

export interface RecordPart {
  /** False while the newest release was never seen in the world, as far as it is the record's. */
  readonly applied: boolean
  readonly guard: GuardHit | null
  /** How often what concerns it was tried in vain, and when it is tried again. */
  readonly attempt: Omit<Attempt, 'key' | 'failed_at'> | null
  readonly reaction: Reaction
  /** The world is known to be what was released, as far as it is the record's. */
  readonly is_released: boolean
}

export interface PartFacts extends Omit<Decided, 'asked' | 'attempt'> {
  /** Of the key as a whole. */
  readonly attempt: RecordPart['attempt']
  /** All of the release is in the world but what was refused item by item. */
  readonly rest_stands: boolean
  readonly tries: (differences: readonly Difference<unknown>[]) => readonly RefusedTries[]
}

export function partOf(
  domain_id: number,
  { evaluation, rest_stands, tries, applied, guard, attempt, mode }: PartFacts,
): RecordPart {
  const isTheirs = ({ domain_ids = [] }: { readonly domain_ids?: readonly number[] }) =>
    domain_ids.length === 0 || domain_ids.includes(domain_id)
  const differences = evaluation.differences.filter(isTheirs)
  const obstacles = evaluation.obstacles.filter(isTheirs)
  const { unknown_because } = evaluation
  const is_right = unknown_because === null && !isOther(differences, [])
  const refused = tries(differences)
  const own = {
    applied: applied || is_right || (rest_stands && refused.length === 0),
    guard: is_right ? null : guard,
    attempt: is_right ? null : (attemptOf(refused) ?? attempt),
  }
  const facts = { ...own, mode, evaluation: { unknown_because, differences, obstacles }, asked: false }
  return { ...own, reaction: decide(facts), is_released: is_right && obstacles.length === 0 }
}

/** Several sets of one record may wait: the next one counts. */
function attemptOf(refused: readonly RefusedTries[]): RecordPart['attempt'] {
  const [next] = refused
  if (next === undefined) return null
  const { failures, until, refusal } = next
  return { failures, next_attempt_at: until, message: refusal.failure.message }
}
