/** What a person can do about something that is not as it should be: one call of the API each, named by a closed list. */

export const ACT_IDS = [
  // Brings out what is saved.
  'deploy',
  // Brings the world back to what is released.
  'repair',
  'adopt',
  'release_record',
  // Lets a difference stay until an end.
  'ignore',
  'save_theirs',
  // Gives up what is saved for what is released.
  'discard',
  'retry',
  // Ends a quarantine.
  'lift',
  // Ends a suspension, or a mode that only looks.
  'resume',
  'look',
  'go_back',
  'configure',
] as const
export type ActId = (typeof ACT_IDS)[number]

/**
 * How an act is shown before it is done: `plan`: the call answers a kept plan, and `POST /api/plans/{plan_id}/apply` does it;
 * `dry_run`: the call takes `?dry_run=true` first; `asks`: the same, and what is null in the body is asked of a person before;
 * `none`: it only reads.
 */
export const ACT_CONFIRMS = ['plan', 'dry_run', 'asks', 'none'] as const
export type ActConfirm = (typeof ACT_CONFIRMS)[number]

export interface Act {
  readonly id: ActId
  /** A verb and what it is done to. */
  readonly label: string
  readonly method: 'GET' | 'POST' | 'PUT'
  /** With its query. */
  readonly path: string
  readonly body: Readonly<Record<string, unknown>> | null
  readonly confirm: ActConfirm
  /** Why it is not possible now; null where it is. */
  readonly why_not: string | null
}
