/** A change of intent as a feature hands it to the commit, and what the commit answers. */
import type { PlanRequest } from '../../engine/plan.ts'
import type { Reach } from '../../engine/reach.ts'
import type { Instant } from '../../kernel/clock.ts'
import type { Became } from '../../model/domain/became.ts'
import type { DomainFields } from '../../model/domain/record.ts'
import type { GuardHit, Plan, RefusedRow } from '../../model/plan.ts'
import type { StoreWriter } from '../../ports/store.ts'
import type { ReleaseHead, ReleaseRow } from '../../ports/records/trails.ts'
import type { AuditFacts } from '../audit/facts.ts'
import type { Moving, RemarkedRecord } from './hooks.ts'
import type { Renamed } from '../../engine/editions/renamed.ts'

export interface Change<R> {
  readonly result: R
  readonly audit: readonly AuditFacts[]
  /** Rows that move to the released edition; null when the change only saves. */
  readonly release: readonly ReleaseRow[] | null
  /** The release's reason: `activate app.example.com`. */
  readonly reason: string
  readonly warnings: readonly string[]
  /**
   * It takes away what somebody could do, and no outside write of its own follows: the world is told of it at once, or a
   * database that is set back before it would let them in again unnoticed.
   */
  readonly closes?: true
  /**
   * It takes away what somebody can do, so it is done although the database may be older than the world. `unread`: while it
   * is not known how far a place is; its own place says whether it may be written. `waiting`: also while a person is to
   * decide, since nothing outside is written for it and it stands whichever side is taken.
   */
  readonly goes_on?: 'unread' | 'waiting'
  /** Records that it saves and does not release. */
  readonly saves?: readonly RemarkedRecord[]
  /** Fields that move in what it saves; left out: any of them may. */
  readonly moves?: readonly (keyof DomainFields)[]
  /** Records whose status it moves, that it takes away, or that get values which nothing above names: its hash holds that. */
  readonly becomes?: readonly Became[]
  /** What it does that is neither of a record nor of a mode nor an action, such as ending a key: its hash holds that, too. */
  readonly does?: Readonly<Record<string, unknown>>
  /** What of the world it works on. Left out: what has to do with the records that it releases; nobody's where it releases none. */
  readonly reach?: Reach
  /** What is done outside though no row moves. */
  readonly actions?: PlanRequest['actions']
  /** What it sets of how far the reconciler goes on its own. */
  readonly mode?: PlanRequest['mode']
  /** What stands in its way beside what guards releases of records. */
  readonly guards?: readonly GuardHit[]
  /** Routers of others that what it releases stands for. */
  readonly replaces?: Moving['replaces'] | undefined
}

/** Of a change that releases nothing and has nothing compared. */
export const ONLY_SAVES = { release: null, reason: '' } as const

export type Committed<R> =
  | {
      readonly planned: false
      readonly result: R
      readonly head: ReleaseHead | null
      readonly warnings: readonly string[]
      /** Of those that the change was about: what stays as it is. */
      readonly refused: readonly RefusedRow[]
      /** Live records whose name moved. */
      readonly renamed: readonly Renamed[]
    }
  | { readonly planned: true; readonly result: R; readonly plan: Plan }

export interface Work<R> {
  (tx: StoreWriter, at: Instant): Promise<Change<R>>
  /**
   * It deploys: what cannot be carried out whole is refused before the first write. `one`: with the call; `each`: it is left
   * as it is while the others go on. Left out: it only saves, or takes away.
   */
  readonly opens?: 'one' | 'each'
}

export const opening = <R>(
  opens: 'one' | 'each',
  work: (tx: StoreWriter, at: Instant) => Promise<Change<R>>,
): Work<R> => Object.assign((tx: StoreWriter, at: Instant) => work(tx, at), { opens })

/** A stored plan that is being applied: exactly as it was, and at most once. */
export interface AppliedPlan {
  readonly id: string
  readonly plan: Plan
  /** Digest of what it saves. */
  readonly values: string
  /** Of it, what is not released. */
  readonly held: readonly RefusedRow[]
}
