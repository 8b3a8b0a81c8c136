/** The tables of `schema/*.sql` as the query builder sees them. Flags are 0/1, times epoch milliseconds, lists and objects JSON. */
import type { Generated } from 'kysely'
import type { FailureCode } from '../kernel/failure.ts'
import type { Condition } from '../model/condition.ts'
import type { DomainFields, Status, Stored } from '../model/domain/record.ts'
import type { Mode } from '../model/mode.ts'
import type { StepOutcome } from '../ports/store.ts'
import type { StoredOperation } from '../ports/records/trails.ts'

export type Flag = 0 | 1
type Json = string

export interface Tables {
  meta: { key: string; value: string }
  domains: DomainsTable
  releases: ReleasesTable
  release_rows: ReleaseRowsTable
  released: ReleasedTable
  release_artifacts: { release: number; key: string; digest: string; manifest: Json }
  blobs: { digest: string; bytes: Uint8Array }
  journal: JournalTable
  audit: AuditTable
  applied: {
    key: string
    release: number
    place: string
    digest: string
    observed: string
    at: number
  }
  attempts: { key: string; failures: number; failed_at: number; next_attempt_at: number; message: string }
  modes: ModesTable
  deploy_status: { id: number; status: string }
  answers: AnswersTable
  plans: PlansTable
  confirmations: { hash: string; at: number; actor: string; request_id: string; rules: Json }
  conditions: Condition
  reverts: { id: Generated<number>; key: string; observed: string; at: number }
  events: { id: Generated<number>; at: number; kind: string; message: string; facts: Json }
  operations: OperationsTable
  open_activations: { domain_id: number; at: number }
  unserved_records: { domain_id: number }
}

type Column<T> =
  | Extract<T, null>
  | (Stored<T> extends 'flag' ? Flag : Stored<T> extends 'json' ? Json : Exclude<T, null>)

/** Of the fields of a record, under their own names. */
export type FieldColumns = { -readonly [K in keyof DomainFields]: Column<DomainFields[K]> }

export interface DomainsTable extends FieldColumns {
  id: Generated<number>
  status: Status
  status_reason: string | null
  revision: number
  created_at: number
  updated_at: number
  activated_at: number | null
  /** Of all the others (`record-digest.ts`). Null only between the two statements that write a new row. */
  digest: string | null
}

export interface ReleasesTable {
  number: Generated<number>
  created_at: number
  actor: string
  request_id: string
  reason: string
  plan_hash: string | null
  warnings: Json
  results: Json
}

export interface ReleaseRowsTable {
  release: number
  domain_id: number
  revision: number | null
  live: Flag | null
  retired: Flag
  fields: Json | null
}

export interface ReleasedTable {
  domain_id: number
  release: number
  revision: number
  live: Flag
  retired: Flag
  domain: string
  plain_tcp_entrypoint: string | null
  fields: Json
}

export interface ModesTable {
  scope: string
  mode: Mode
  reason: string
  actor: string
  expires_at: number | null
  below: Json
  end_reported: Flag
}

interface JournalTable {
  id: Generated<number>
  key: string
  component: string
  release: number
  differences: Json
  place: string | null
  before: string
  after: string
  at: number
  outcome: StepOutcome['kind'] | null
  code: FailureCode | null
  message: string | null
  found: 'after' | 'before' | 'neither' | 'unknown' | null
  ended_at: number | null
}

interface AuditTable {
  id: Generated<number>
  at: number
  actor: string
  request_id: string
  action: string
  domain_id: number | null
  domain: string | null
  revision_before: number | null
  revision_after: number | null
  plan_hash: string | null
  detail: Json
}

interface AnswersTable {
  key: string
  request_digest: string
  reserved_at: number
  status: number | null
  body: string | null
}

interface PlansTable {
  id: string
  created_at: number
  expires_at: number
  actor: string
  request_id: string
  scope: Json
  hash: string
  body: Json
  applied_at: number | null
  applied_release: number | null
}

interface OperationsTable {
  id: string
  created_at: number
  actor: string
  request_id: string
  method: string
  path: string
  state: StoredOperation['state']
  ended_at: number | null
  status: number | null
  body: string | null
}
