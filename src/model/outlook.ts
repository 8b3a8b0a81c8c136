/** What the engine will do about a component on its own, without being asked. */

/** Each finishes the sentence "the engine will …". */
export const DEEDS = [
  'leave_alone',
  'repair',
  'try_again',
  'only_report',
  'refuse',
  'stay_suspended',
  'look_again',
] as const
export type Deed = (typeof DEEDS)[number]

export interface Outlook {
  readonly will: Deed
  /** A sentence, with what would change it where something can. */
  readonly because: string
}
