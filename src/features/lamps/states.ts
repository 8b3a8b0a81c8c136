/**
 * The states of a lamp, and which of them a cause or a reason means. Pure: nothing is judged anew here. Cause and reason come
 * from the one status of each key, which explain, drift and health tell, too.
 */
import type { ConditionReason } from '../../model/condition.ts'
import type { DriftCause } from '../../model/drift.ts'

/** In the order of the letters of a row. */
export const LAMPS = ['route', 'dns', 'certificate', 'sign_in', 'probe'] as const
export type LampName = (typeof LAMPS)[number]

export const LAMP_STATES = ['true', 'pending', 'moving', 'differs', 'wrong', 'unknown', 'not_used'] as const
export type LampState = (typeof LAMP_STATES)[number]

export const LETTERS: Readonly<Record<LampState, string>> = {
  true: 'o',
  pending: 'p',
  moving: 'm',
  differs: 'd',
  wrong: 'x',
  unknown: 'u',
  not_used: '-',
}

/** What is known to be wrong goes before what is not known, and that before what is well. */
const WORST_FIRST: readonly LampState[] = [
  'wrong',
  'differs',
  'unknown',
  'moving',
  'pending',
  'true',
  'not_used',
]
const RANK = new Map(WORST_FIRST.map((state, rank) => [state, rank]))

export const worstFirst = (a: LampState, b: LampState): number => RANK.get(a)! - RANK.get(b)!

const BY_CAUSE: Readonly<Record<DriftCause, LampState>> = {
  pending_deploy: 'pending',
  renderer_changed: 'pending',
  edited: 'differs',
  lost: 'differs',
  applied_unrecorded: 'differs',
  edited_and_pending: 'differs',
  foreign_owner: 'differs',
  orphan: 'differs',
  not_loaded: 'differs',
  rejected: 'wrong',
  access: 'differs',
  neighbour: 'differs',
  shadowed: 'differs',
  not_served: 'differs',
  removing: 'moving',
}

export const isWaiting = (cause: DriftCause | null): boolean =>
  cause !== null && BY_CAUSE[cause] === 'pending'

/** That a person has to move what is not ours says the cause; what else keeps a repair from being made is worse than it. */
const SAYS_MORE_THAN_A_REFUSAL: ReadonlySet<DriftCause | null> = new Set(['foreign_owner', 'orphan'])

/** Of what is known to be other than it should be. */
export function stateOf(cause: DriftCause | null, reason: ConditionReason): LampState {
  if (reason === 'failing') return 'wrong'
  if (reason === 'refused' && !SAYS_MORE_THAN_A_REFUSAL.has(cause)) return 'wrong'
  if (reason === 'unfinished') return 'moving'
  return cause === null ? 'differs' : BY_CAUSE[cause]
}
