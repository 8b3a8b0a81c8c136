/** What the engine does about a component on its own, without being asked. */

/** Each finishes the sentence "the engine will …". */
export const REACTIONS = [
  'leave_alone',
  'repair',
  'try_again',
  'only_report',
  'refuse',
  'stay_suspended',
  'look_again',
] as const
export type ReactionKind = (typeof REACTIONS)[number]

export interface Reaction {
  readonly will: ReactionKind
  /** A sentence, with what would change it where something can. */
  readonly because: string
}
