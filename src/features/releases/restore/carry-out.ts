/** Writes a restoration within the caller's transaction, and says what became of each record. */
import type { Instant } from '../../../kernel/clock.ts'
import { type DomainFields, type DomainRecord, fieldsOf, isLive } from '../../../model/domain/record.ts'
import { type IntentRow, rowOf } from '../../../model/intent.ts'
import type { StoreWriter } from '../../../ports/store.ts'
import type { AuditFacts } from '../../../core/audit/facts.ts'
import { changeStatus, retiredRow } from '../../domains/change-status.ts'
import { findDomain } from '../../../core/find-domain.ts'
import { park } from '../../domains/editions/park.ts'
import { fieldChanges } from '../../../model/domain/field-changes.ts'
import type { Restoration } from './restoration.ts'
import { lineOf, RECREATE } from './stand-ins.ts'

/** One record that the restore moved. */
export interface Moved {
  readonly before: DomainRecord | null
  readonly after: DomainRecord
  /** What is to be released of it: of what goes off line what was deployed, never an edit that only was saved. */
  readonly row: IntentRow
  readonly audit: AuditFacts
}

export interface CarriedOut {
  readonly restored: readonly Moved[]
  readonly deactivated: readonly Moved[]
  readonly created: readonly Moved[]
}

interface Context {
  readonly at: Instant
  /** Number of the release that is restored. */
  readonly release: number
}

export async function carryOut(
  tx: StoreWriter,
  { restore, deactivate, create }: Restoration,
  context: Context,
): Promise<CarriedOut> {
  const befores = await recordsOf(
    tx,
    restore.map(({ present }) => present),
  )
  // Names may have gone round in a circle since.
  await park(tx, { moves: restore, comes: create }, context.at)
  const restored: Moved[] = []
  for (const [index, { fields }] of restore.entries())
    restored.push(await restoreOne(tx, befores[index]!, fields, context))
  const deactivated: Moved[] = []
  for (const before of await recordsOf(tx, deactivate)) {
    const after = await changeStatus(tx, before, 'deactivate', context.at)
    deactivated.push({ ...moved(before, after, context), row: await retiredRow(tx, before, after) })
  }
  const created: Moved[] = []
  for (const row of create) created.push(await createOne(tx, row, context))
  return { restored, deactivated, created }
}

async function recordsOf(tx: StoreWriter, rows: readonly IntentRow[]): Promise<DomainRecord[]> {
  const records: DomainRecord[] = []
  for (const { domain_id } of rows) records.push(await findDomain(tx, domain_id))
  return records
}

async function restoreOne(
  tx: StoreWriter,
  before: DomainRecord,
  fields: DomainFields,
  context: Context,
): Promise<Moved> {
  const parked = await findDomain(tx, before.id)
  const same = Object.keys(fieldChanges(parked, fields)).length === 0
  const revised = same ? parked : await tx.reviseDomain(before.id, { fields }, context.at)
  const after = isLive(revised) ? revised : await changeStatus(tx, revised, 'activate', context.at)
  return moved(before, after, context)
}

async function createOne(tx: StoreWriter, row: IntentRow, { at, release }: Context): Promise<Moved> {
  const line = await lineOf(tx, row.domain_id)
  const created = await tx.insertDomain(fieldsOf(row.fields), at)
  const after = await changeStatus(tx, created, 'activate', at)
  const detail = { release, replaces: row.domain_id, line }
  return {
    before: null,
    after,
    row: rowOf(after),
    audit: { ...auditOf(null, after), action: RECREATE, detail },
  }
}

function moved(before: DomainRecord, after: DomainRecord, { release }: Context): Moved {
  const status =
    before.status === after.status ? {} : { status: { before: before.status, after: after.status } }
  const changes = { ...fieldChanges(before, after), ...status }
  return {
    before,
    after,
    row: rowOf(after),
    audit: { ...auditOf(before, after), detail: { release, ...changes } },
  }
}

const auditOf = (before: DomainRecord | null, after: DomainRecord): AuditFacts => ({
  action: 'restore',
  domain_id: after.id,
  domain: after.domain,
  revision_before: before?.revision ?? null,
  revision_after: after.revision,
})
