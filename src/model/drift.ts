/**
 * Differences between what should be and what is, and their causes.
 *
 * One look at the world is compared with both editions, and that alone yields the cause. With R = the working edition's
 * desired state, A = the released one, O = what is there:
 *
 *   R = A = O            clean
 *   R ≠ A, A = O         pending_deploy, or renderer_changed when no row moved
 *   R = A ≠ O            edited, or lost when O is absent
 *   R = O ≠ A            applied_unrecorded
 *   all three differ     edited_and_pending
 *   O unreadable         no cause: drift is unknown (null)
 *
 * Apart from the table, `foreign_owner`: something that is not ours stands where ours should, and is left alone.
 */
export const DRIFT_CAUSES = [
  'pending_deploy',
  'renderer_changed',
  'edited',
  'lost',
  'applied_unrecorded',
  'edited_and_pending',
  'foreign_owner',
] as const
export type DriftCause = (typeof DRIFT_CAUSES)[number]

/** Clean, dirty, or unknown. Unknown is not clean. */
export type DriftState = false | true | null

/** One difference with its cause, for people. */
export interface ExplainedDifference {
  /** The thing that differs, in the target's own words: `http.routers.plumbline-site_app.example.com`. */
  readonly item: string
  readonly cause: DriftCause
  /** Domains that the thing belongs to; empty for what belongs to none. */
  readonly domains: readonly string[]
  readonly detail: string
}
