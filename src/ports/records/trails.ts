/** The records that only grow, and what is asked of them: releases, audit, plans, events, operations. Part of the store's contract. */
import type { Instant } from '../../kernel/clock.ts'
import type { IntentRow } from '../../model/intent.ts'

export interface ReleaseHead {
  readonly number: number
  readonly created_at: Instant
  readonly actor: string
  readonly request_id: string
  readonly reason: string
  readonly warnings: readonly string[]
  /** Digest of what was frozen, by target key. */
  readonly digests: Readonly<Record<string, string>>
}

/** A row that moves: into the released edition, or, as null, out of it. */
export interface ReleaseRow {
  readonly domain_id: number
  readonly row: IntentRow | null
}

export interface ReleaseRecord extends ReleaseHead {
  readonly plan_hash: string | null
  /** The rows that moved with it. */
  readonly rows: readonly ReleaseRow[]
  /** Outcome by target key; empty until it was applied. */
  readonly results: Readonly<Record<string, string>>
}

/** A page of a trail that only grows: entries with a number below `before`, newest first. */
export interface TrailPage {
  readonly limit: number
  readonly before?: number
}

export interface AuditQuery extends TrailPage {
  readonly domain_id?: number
  /** The name that the record had when the entry was written. */
  readonly domain?: string
  /**
   * The same, and the name that the entry took away from it: a rename is found under both. Of the record that has the name now,
   * or had it when it was deleted, also what happened under its earlier names.
   */
  readonly called?: string
  /** `rename` is each entry that gave a record another name. */
  readonly action?: string
  /** Any of them. */
  readonly actors?: readonly string[]
  /** Only entries at or after this time. */
  readonly since?: Instant
}

export interface AuditEntry {
  readonly at: Instant
  readonly actor: string
  readonly request_id: string
  /** The caller's own name of the request; left out where it gave none. */
  readonly caller_request_id?: string
  readonly action: string
  readonly domain_id: number | null
  readonly domain: string | null
  readonly revision_before: number | null
  readonly revision_after: number | null
  readonly plan_hash: string | null
  readonly detail: Readonly<Record<string, unknown>>
}

export interface AuditRecord extends AuditEntry {
  readonly id: number
}

export interface NewPlan {
  readonly id: string
  readonly created_at: Instant
  readonly expires_at: Instant
  readonly actor: string
  readonly request_id: string
  /** JSON. */
  readonly scope: string
  readonly hash: string
  /** JSON. */
  readonly body: string
}

export interface StoredPlan extends NewPlan {
  readonly applied_at: Instant | null
  readonly applied_release: number | null
}

export interface Confirmation {
  readonly hash: string
  readonly at: Instant
  readonly actor: string
  readonly request_id: string
  /** The guard rules that it lifted. */
  readonly rules: readonly string[]
}

export interface Revert {
  readonly key: string
  /** Fingerprint of what the stranger put there. */
  readonly observed: string
  readonly at: Instant
}

export interface NewEvent {
  readonly at: Instant
  readonly kind: string
  readonly message: string
  readonly facts: Readonly<Record<string, unknown>>
}

export interface StoredEvent extends NewEvent {
  readonly id: number
}

export interface NewOperation {
  readonly id: string
  readonly created_at: Instant
  readonly actor: string
  readonly request_id: string
  readonly method: string
  readonly path: string
}

export interface OperationReader {
  operation(id: string): Promise<StoredOperation | null>
  /** Newest first. */
  operations(query: OperationQuery): Promise<readonly StoredOperation[]>
  committedBy(call: CallQuery): Promise<Committed>
}

export interface OperationEnd {
  readonly state: 'succeeded' | 'failed'
  readonly at: Instant
  /** The answer that the call would have given. */
  readonly status: number
  readonly body: string
}

/** A call, as audit trail and releases know it: a caller may give two of its calls one id, so the time counts, too. */
export interface CallQuery {
  readonly request_id: string
  readonly actor: string
  readonly since: Instant
  readonly until: Instant
}

/** What of a call is durable. */
export interface Committed {
  /** Its own release, the first one where there are several; null where it made none. */
  readonly release: number | null
  /** Its entries of the audit trail; that it was refused is no change. */
  readonly changes: number
}

export interface OperationQuery {
  /** Left out: all. */
  readonly state?: StoredOperation['state']
  readonly limit: number
}

export interface StoredOperation extends NewOperation {
  readonly state: 'running' | 'succeeded' | 'failed' | 'interrupted'
  readonly ended_at: Instant | null
  readonly status: number | null
  readonly body: string | null
}
