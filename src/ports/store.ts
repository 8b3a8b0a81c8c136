/**
 * The one database: domain records, releases, journal, audit trail and the engine's memory.
 *
 * Contract. Everything is asynchronous and in plain SQL terms, so that another database can stand behind it. `write`
 * runs its work in one transaction: all of it is durable when the promise resolves (WAL, `synchronous=FULL`), or none
 * of it happened. Reads outside `write` see the last commit. Work inside `write` uses the transaction it is handed and
 * nothing else, and must not wait for anything but the store. A refused write dooms the transaction: swallowing its
 * error does not save it. Not found is null. A store that cannot answer throws `store_unavailable`, a full disk `storage_full`.
 */
import type { Instant } from '../kernel/clock.ts'
import type { FailureCode } from '../kernel/failure.ts'
import type { Condition } from '../model/condition.ts'
import type { DomainFields, DomainRecord, DomainSort, Status } from '../model/domain/record.ts'
import type { Edition, Intent } from '../model/intent.ts'
import type { Mode } from '../model/mode.ts'
import type { AnswerReader, AnswerWriter } from './records/answers.ts'
import type { DamagedReader } from './records/damaged.ts'
import type { ActivationReader, ActivationWriter } from './records/open-activations.ts'
import type { UnservedReader, UnservedWriter } from './records/unserved.ts'
import type { Sign } from './world-holder.ts'
import type { ReaderOf, RecordSet, WriterOf } from './record-set.ts'
import type {
  AuditEntry,
  AuditQuery,
  AuditRecord,
  Confirmation,
  NewEvent,
  NewOperation,
  NewPlan,
  OperationEnd,
  OperationReader,
  ReleaseHead,
  ReleaseRecord,
  ReleaseRow,
  Revert,
  StoredEvent,
  StoredPlan,
  TrailPage,
} from './records/trails.ts'

export interface Store extends StoreReader {
  write<T>(work: (tx: StoreWriter) => Promise<T>): Promise<T>
  readonly installation_id: string // Random and made once; marks what is ours in the outside world.
  readonly sign: Sign
  close(): Promise<void>
}

type Readers = ActivationReader & AnswerReader & DamagedReader & OperationReader & UnservedReader
type Writers = ActivationWriter & AnswerWriter & UnservedWriter

export interface StoreReader extends Readers {
  /** What a feature keeps in tables of its own. */
  of<Set extends RecordSet>(set: Set): ReaderOf<Set>
  /** Throws `database_corrupt` for a record whose row does not fit its digest. So does `domainByName`. */
  domain(id: number): Promise<DomainRecord | null>
  domainByName(name: string): Promise<DomainRecord | null>
  /** A damaged record is shown in error, with that reason. */
  domains(query: DomainQuery): Promise<DomainPage>
  domainCounts(): Promise<readonly DomainCount[]>
  /**
   * All rows of an edition, ordered by domain. The answer is shared and frozen: do not change it. What a damaged record
   * should be is not known: the working edition has it as it was deployed, if it was.
   */
  intent(edition: Edition): Promise<Intent>
  latestRelease(): Promise<ReleaseHead | null>
  /** What the newest release froze for a target's key, or null where it froze nothing. */
  artifact(key: string): Promise<Artifact | null>
  /** What we last put into the world under each key; a key without a row was never written by us. */
  applied(): Promise<readonly Applied[]>
  openSteps(): Promise<readonly JournalStep[]>
  attempts(): Promise<readonly Attempt[]>
  modes(): Promise<readonly ModeSetting[]>
  /** The most recent deploy-all, or null before the first. */
  deployStatus(): Promise<string | null>
  /** Newest first. */
  releases(page: TrailPage): Promise<readonly ReleaseRecord[]>
  release(number: number): Promise<ReleaseRecord | null>
  /** Number of the newest release that moved the domain's row, in or out; null when none ever did. */
  lastReleaseOf(domain_id: number): Promise<number | null>
  /** The released edition as it was right after that release: the fold of all rows that moved until then. */
  releasedAt(number: number): Promise<Intent>
  /** What that release froze for a target's key. */
  artifactAt(number: number, key: string): Promise<Artifact | null>
  /** Newest first. */
  auditTrail(query: AuditQuery): Promise<readonly AuditRecord[]>
  plan(id: string): Promise<StoredPlan | null>
  conditions(): Promise<readonly Condition[]>
  /** Oldest first, those after the id. */
  eventsAfter(id: number, limit: number): Promise<readonly StoredEvent[]>
  /** Times at which a stranger put the key back since then, oldest first. */
  revertsSince(key: string, since: Instant): Promise<readonly Revert[]>
}

export interface StoreWriter extends StoreReader, Writers {
  of<Set extends RecordSet>(set: Set): WriterOf<Set>
  /** Throws `name_taken` or `entrypoint_taken`. */
  insertDomain(fields: DomainFields, at: Instant): Promise<DomainRecord>
  /** Writes the fields or the status as intent: revision + 1. Throws `not_found`, `name_taken` or `entrypoint_taken`. */
  reviseDomain(id: number, change: DomainRevision, at: Instant): Promise<DomainRecord>
  /** Writes the status that the reconciler found: no new revision. False, and nothing happens, where it is gone or damaged. */
  setDomainStatus(id: number, status: Status, status_reason: string | null): Promise<boolean>
  /** Nothing happens where the record is gone. */
  deleteDomain(id: number): Promise<void>
  /** Adds the next release: moves its rows into the released edition and keeps its artifacts. */
  addRelease(draft: ReleaseDraft): Promise<ReleaseHead>
  recordResults(release: number, results: Readonly<Record<string, string>>): Promise<void>
  audit(entry: AuditEntry): Promise<void>
  /** The same under a number above all that the trail has and above `number`; answers it. The only jump that there is. */
  auditAbove(entry: AuditEntry, number: number): Promise<number>
  beginStep(step: JournalIntent): Promise<number>
  endStep(id: number, outcome: StepOutcome, at: Instant): Promise<void>
  saveApplied(applied: Applied): Promise<void>
  saveAttempt(attempt: Attempt): Promise<void>
  clearAttempt(key: string): Promise<void>
  /** In the place of what was set for this scope, with all that stood below that. */
  saveMode(setting: ModeSetting): Promise<void>
  saveDeployStatus(status: string): Promise<void>
  savePlan(plan: NewPlan): Promise<void>
  /** Marks the plan as applied by that release; false when it was applied already. Exactly one caller gets true. */
  claimPlan(id: string, at: Instant, release: number): Promise<boolean>
  forgetPlans(expired_before: Instant): Promise<void>
  /** Uses up a plan's hash that was typed back; false when it was used before. */
  useConfirmation(confirmation: Confirmation): Promise<boolean>
  /** Replaces the conditions that are given, by domain and component. */
  saveConditions(conditions: readonly Condition[]): Promise<void>
  /** Drops a domain's own conditions for a component: it shares the component's again. */
  dropConditions(component: string, domain_ids: readonly number[]): Promise<void>
  addRevert(revert: Revert): Promise<void>
  clearReverts(key: string): Promise<void>
  addEvent(event: NewEvent): Promise<number>
  /** Keeps the newest that many events. */
  trimEvents(keep: number): Promise<void>
  /** A running operation. */
  beginOperation(operation: NewOperation): Promise<void>
  endOperation(id: string, end: OperationEnd): Promise<void>
  /** At start: whatever was running when the process died is `interrupted`. */
  interruptOperations(at: Instant): Promise<number>
  forgetOperations(before: Instant): Promise<void>
}

export interface DomainRevision {
  readonly fields?: DomainFields
  readonly status?: Status
  readonly activated_at?: Instant
}

export interface DomainQuery {
  readonly status?: Status
  /** Part of the domain name, any case. */
  readonly q?: string
  /** Records with this tag, of this type, behind a sign-in or not, at or below this name, with this backend. */
  readonly tag?: string
  readonly service_type?: DomainFields['service_type']
  readonly auth_required?: boolean
  readonly zone?: string
  /** The host of the backend, with its port where one is named: `10.0.0.5`, `10.0.0.5:8080`, `[fd00::5]:8080`. */
  readonly target?: string
  /** Only these. */
  readonly ids?: readonly number[]
  /** None of these. */
  readonly except?: readonly number[]
  readonly sort: DomainSort
  /** From the previous page; opaque outside the adapter. A foreign or broken one throws `validation_failed`. */
  readonly cursor?: string
  readonly limit: number
}

export interface DomainPage {
  readonly records: readonly DomainRecord[]
  /** Null on the last page. */
  readonly next: string | null
  /** All records that match, on every page. */
  readonly total: number
}

export interface DomainCount {
  readonly status: Status
  readonly service_type: DomainFields['service_type']
  readonly environment: DomainFields['environment']
  readonly protocol: DomainFields['protocol']
  readonly auth_required: boolean
  readonly count: number
}

export interface Artifact {
  readonly digest: string
  readonly chunks: readonly Uint8Array[]
}

export interface Applied {
  readonly key: string
  readonly release: number
  /** Where it was applied; empty in records from before places were kept, which stand for any. */
  readonly place: string
  /** Digest of the artifact that was applied. */
  readonly digest: string
  /** Fingerprint of the world right after it was applied: another one later means that a stranger was there. */
  readonly observed: string
  readonly at: Instant
}

export interface ReleaseDraft {
  readonly created_at: Instant
  readonly actor: string
  readonly request_id: string
  readonly reason: string
  readonly plan_hash: string | null
  readonly warnings: readonly string[]
  readonly rows: readonly ReleaseRow[]
  readonly artifacts: Readonly<Record<string, Artifact>>
}

/** Written before an outside effect, with enough to finish or undo it after a crash. */
export interface JournalIntent {
  readonly key: string
  readonly component: string
  readonly release: number
  readonly differences: readonly string[]
  /** The place that is written as one, such as a file's path; null where parts of it are. */
  readonly place: string | null
  /** Fingerprint of the observation that the step starts from. */
  readonly before: string
  /** Fingerprint that it leads to. */
  readonly after: string
  readonly at: Instant
}

export interface JournalStep extends JournalIntent {
  readonly id: number
}

export type StepOutcome =
  | { readonly kind: 'done' }
  | { readonly kind: 'failed'; readonly code: FailureCode; readonly message: string }
  /** Found open after a crash: what the world showed then. */
  | { readonly kind: 'recovered'; readonly found: 'after' | 'before' | 'neither' | 'unknown' }

/** A key's failures in a row. Survives restarts, so that a restart never resets a ban. */
export interface Attempt {
  readonly key: string
  readonly failures: number
  readonly failed_at: Instant
  readonly next_attempt_at: Instant
  readonly message: string
}

export interface ModeSetting {
  /** A component, or `*` for the installation. */
  readonly scope: string
  readonly mode: Mode
  readonly reason: string
  readonly actor: string
  /** A suspension ends by itself; null for never. */
  readonly expires_at: Instant | null
  /** What it was set over, newest first: the next that has not ended stands again at its end. Only of one with an end. */
  readonly below?: readonly StandingMode[]
  /** Its end was told, and nothing stood below it. */
  readonly end_reported?: true
}

export type StandingMode = Pick<ModeSetting, 'mode' | 'reason' | 'actor' | 'expires_at'>
