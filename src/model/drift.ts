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
 * Clean is the first row alone, so drift is true wherever there is a cause: also where the world already shows what is
 * saved and no release says so, because the reconciler undoes that.
 *
 * Apart from the table, `foreign_owner`: something that is not ours stands where ours should, or at its side, and is left
 * alone; `orphan`: it bears our mark and no record accounts for it, so that a person adopts it or takes it away; and
 * `not_loaded`: it was written as it should be, and whoever takes it (the proxy, the SSO provider, a provider of DNS) still
 * shows something else;
 * `rejected`: our write of it was not accepted, or who reads it has loaded it, finds fault with it, and does not serve it;
 * `access`: the bytes are right, and by owner or mode who must read them cannot, or who has no business there may write;
 * `neighbour`: another file, that is not ours, keeps what stands there from being taken;
 * `shadowed`: it is taken as it should be, and something that is not ours is asked before it or has its name;
 * `not_served`: whoever comes to the proxy is shown another certificate than the name's own;
 * `removing`: nobody asks for it any more, and it stays until what must come first is done, or until a person says so.
 */
export const DRIFT_CAUSES = [
  'pending_deploy',
  'renderer_changed',
  'edited',
  'lost',
  'applied_unrecorded',
  'edited_and_pending',
  'foreign_owner',
  'orphan',
  'not_loaded',
  'rejected',
  'access',
  'neighbour',
  'shadowed',
  'not_served',
  'removing',
] as const
export type DriftCause = (typeof DRIFT_CAUSES)[number]

/** What somebody has done by hand: they changed it, or took it away. */
export const BY_HAND: ReadonlySet<string> = new Set<DriftCause>(['edited', 'edited_and_pending', 'lost'])

/** Causes under which nothing is wrong in the world: what is saved waits for a deploy. */
export const AWAITS_DEPLOY: ReadonlySet<string> = new Set<DriftCause>(['pending_deploy', 'renderer_changed'])

/** Most urgent first: what a stranger did goes before what waits for us. */
const URGENCY = [
  'lost',
  'edited',
  'edited_and_pending',
  'access',
  'neighbour',
  'foreign_owner',
  'orphan',
  'not_loaded',
  'rejected',
  'shadowed',
  'not_served',
  'removing',
  'applied_unrecorded',
  'pending_deploy',
  'renderer_changed',
] as const satisfies { readonly length: (typeof DRIFT_CAUSES)['length'] } & readonly DriftCause[]

/** The most urgent of several causes; null for none. */
export function mostUrgent(causes: Iterable<string>): DriftCause | null {
  const all = new Set(causes)
  return URGENCY.find((cause) => all.has(cause)) ?? null
}

/** Clean, dirty, or unknown. Unknown is not clean. */
export type DriftState = false | true | null

/** One result over several: what is known to differ goes before what is not known, and unknown is not clean. */
export function driftOver(states: readonly DriftState[]): DriftState {
  if (states.includes(true)) return true
  return states.includes(null) ? null : false
}

/** One difference with its cause, for people. */
export interface ExplainedDifference {
  /** The thing that differs, in the target's own words: `http.routers.plumbline-site_app.example.com`. */
  readonly item: string
  readonly cause: DriftCause
  /** Domains that the thing belongs to; empty for what belongs to none. */
  readonly domains: readonly string[]
  readonly detail: string
}

/** Null where all are. @param found how many there are, of which so many are listed */
export const unlistedNote = (found: number, listed: number): string | null =>
  found > listed ? `${found - listed} further differences are not listed.` : null
