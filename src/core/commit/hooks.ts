/** What features have to say of a change of intent, and do along with it: the commit asks each, in the order of the list. */
import type { Instant } from '../../kernel/clock.ts'
import type { DomainFields, DomainRecord } from '../../model/domain/record.ts'
import type { Intent } from '../../model/intent.ts'
import type { GuardHit, PlanInput } from '../../model/plan.ts'
import type { ReplacedRouter } from '../../model/replaced-router.ts'
import type { StoreWriter } from '../../ports/store.ts'
import type { ReleaseRow } from '../../ports/records/trails.ts'
import type { AuditFacts } from '../audit/facts.ts'

export interface CommitHooks {
  /** What keeps a plan from doing what is meant, told before it is done. @param rows that would move; null for none of them */
  planned?(rows: readonly ReleaseRow[] | null, signal: AbortSignal): Promise<readonly string[]>
  /** The same of what is released by now, told by the deploy. @param domain_ids of the records that it is about */
  deployed?(domain_ids: readonly number[]): Promise<readonly string[]>
  /** Keys at which what is released of these records asks for nothing: whatever stands there stays, read or not. */
  idle?(domain_ids: readonly number[]): Promise<readonly string[]>
  /** What of records is allowed and may well not do what is meant. @param records saved or live, without those that are to go. @param moves the fields that a save moves; null where any may */
  warnings?(
    records: readonly RemarkedRecord[],
    moves: ReadonlySet<keyof DomainFields> | null,
  ): Promise<readonly string[]>
  /** Places that could not be asked whether they have something to do with it. @param component that alone is planned, or null */
  unread?(prospect: Intent, component: string | null, signal: AbortSignal): Promise<readonly UnreadPlace[]>
  /** Within the transaction: what these rows bring along. */
  carried?(tx: StoreWriter, rows: readonly ReleaseRow[]): Promise<readonly string[]>
  /** Within the transaction: what ends with the change. */
  ended?(tx: StoreWriter, made: MadeChange): Promise<Ended>
  readonly examiner?: Examiner
}

/** Its number where it is saved. */
export type RemarkedRecord = DomainFields & Partial<Pick<DomainRecord, 'id'>>

export type UnreadPlace = Pick<PlanInput, 'component' | 'key' | 'detail'>

/** A change as it is made. */
export interface MadeChange {
  readonly audit: readonly AuditFacts[]
  /** Rows that move to the released edition. */
  readonly moving: readonly ReleaseRow[]
  /** As it was before. */
  readonly released: Intent
  readonly at: Instant
  /** Who makes it. */
  readonly actor: string
}

export interface Ended {
  readonly audit: readonly AuditFacts[]
  readonly warnings: readonly string[]
  /** Called once that is durable: what is kept in memory follows. */
  durable(): void
}

/** What a change moves, and which routers of others it stands for. */
export interface Moving {
  readonly release: readonly ReleaseRow[] | null
  readonly replaces?: readonly ReplacedRouter[] | undefined
}

/**
 * Guards a change by what is outside. That is looked at before the transaction: a change that turns out to concern something
 * new is taken back, it is looked at, and the change is made once more.
 */
export interface Examiner<Concern = unknown> {
  /** What of the change is to be looked at; plain data. */
  concerns(released: Intent, moving: Moving): readonly Concern[]
  look(concerns: readonly Concern[], moving: Moving, signal: AbortSignal): Promise<Examined>
  /** Said to whoever has confirmed a plan that shows something else by now. */
  readonly moved_on: string
}

export interface Examined {
  readonly guards: readonly GuardHit[]
  readonly warnings: readonly string[]
  /** What a confirmation rests on, beside the world that the targets look at. */
  readonly inputs: readonly PlanInput[]
}
