/** What the audit trail has of a sign-in: who it is called there, and the entries of its beginning and its end. */
import { OF_NO_RECORD } from '../../../core/audit/facts.ts'
import type { Instant } from '../../../kernel/clock.ts'
import type { AuditEntry } from '../../../ports/records/trails.ts'
import type { SessionRow } from '../records.ts'

/** People tell sign-ins apart by the first digits; the entries of their beginning and their end have all of them. */
export const SHOWN_DIGITS = 4

export const actorOf = ({ id }: SessionRow): string => `session:${id.slice(0, SHOWN_DIGITS)}`

/** Who does it, as the trail has it. */
export type By = Pick<AuditEntry, 'actor' | 'request_id' | 'caller_request_id'>

type Entry = By & { readonly at: Instant; readonly detail: Readonly<Record<string, unknown>> }

export const entry = (action: string, row: SessionRow, { detail, ...by }: Entry): AuditEntry => ({
  ...OF_NO_RECORD,
  ...by,
  action,
  plan_hash: null,
  detail: { session: row.id, ...detail },
})
