/** Writing domain records. Every function tells the working edition in memory what it made of the row. */
import type { Kysely, Selectable } from 'kysely'
import type { Instant } from '../../kernel/clock.ts'
import { Failure } from '../../kernel/failure.ts'
import { type DomainFields, type DomainRecord, isLive, type Status } from '../../model/domain/record.ts'
import { rowOf } from '../../model/intent.ts'
import type { DomainRevision } from '../../ports/store.ts'
import { workingConflict } from '../conflicts.ts'
import { soundRow } from './domains.ts'
import type { EditionMemory } from '../memory/editions.ts'
import { isDamaged, recordDigest } from './record-digest.ts'
import { columnsOf, recordOf } from '../rows.ts'
import { dropUnserved } from './unserved.ts'
import type { DomainsTable, Tables } from '../tables.ts'

export interface WorkingEdition {
  readonly db: Kysely<Tables>
  readonly memory: EditionMemory
}

export async function insertDomain(
  { db, memory }: WorkingEdition,
  fields: DomainFields,
  at: Instant,
): Promise<DomainRecord> {
  const values = newRow(fields, at)
  try {
    const row = await db.insertInto('domains').values(values).returningAll().executeTakeFirstOrThrow()
    await saveDigest(db, row)
    return remember(memory, row)
  } catch (error) {
    throw await workingConflict(db, error, fields)
  }
}

const newRow = (fields: DomainFields, at: Instant) =>
  ({
    ...columnsOf(fields),
    status: 'inactive',
    status_reason: null,
    revision: 1,
    created_at: at,
    updated_at: at,
    activated_at: null,
    digest: null,
  }) as const

/**
 * A new status takes the reason of an old error with it. Throws `not_found` for an id that is not there, and
 * `database_corrupt` for a damaged row: a new digest over it would make it look sound.
 */
export async function reviseDomain(
  { db, memory }: WorkingEdition,
  id: number,
  { change, at }: { change: DomainRevision; at: Instant },
): Promise<DomainRecord> {
  const before = await soundRow(db, id)
  if (before === null) throw new Failure('not_found', `There is no domain ${id}.`)
  const columns = {
    ...(change.fields && columnsOf(change.fields)),
    ...(change.status && { status: change.status, status_reason: null }),
    ...(change.activated_at !== undefined && { activated_at: change.activated_at }),
    updated_at: at,
    revision: before.revision + 1,
  }
  if (change.status !== undefined) await dropUnserved(db, id)
  try {
    return remember(memory, await saveRow(db, id, columns))
  } catch (error) {
    throw await workingConflict(db, error, change.fields ?? recordOf(before))
  }
}

/** Changes nothing for a record that was deleted meanwhile, or is damaged. */
export async function setDomainStatus(
  { db, memory }: WorkingEdition,
  id: number,
  change: { status: Status; status_reason: string | null },
): Promise<boolean> {
  const before = await db.selectFrom('domains').selectAll().where('id', '=', id).executeTakeFirst()
  if (before === undefined || isDamaged(before)) return false
  await dropUnserved(db, id)
  const row = await saveRow(db, id, change)
  // A status moves no intent unless it takes the record off or on line; an edition that stays is not derived again.
  if (memory.row(id)?.live !== isLive(row)) remember(memory, row)
  return true
}

export async function deleteDomain({ db, memory }: WorkingEdition, id: number): Promise<void> {
  await db.deleteFrom('domains').where('id', '=', id).execute()
  memory.stage(id, null)
}

async function saveRow(
  db: Kysely<Tables>,
  id: number,
  columns: Partial<Selectable<DomainsTable>>,
): Promise<Selectable<DomainsTable>> {
  const row = await db
    .updateTable('domains')
    .set(columns)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
  await saveDigest(db, row)
  return row
}

/** Of what the database gave back: an id is its to give, and a text may come back other than it was handed in. */
async function saveDigest(db: Kysely<Tables>, row: Selectable<DomainsTable>): Promise<void> {
  await db
    .updateTable('domains')
    .set({ digest: recordDigest(row) })
    .where('id', '=', row.id)
    .execute()
}

/** The edition keeps objects of its own: what a caller does to its record must not reach it. */
function remember(memory: EditionMemory, row: Selectable<DomainsTable>): DomainRecord {
  memory.stage(row.id, rowOf(recordOf(row)))
  return recordOf(row)
}
