/** Writing domain records. Every function tells the working edition in memory what it made of the row. */
import type { Kysely, Selectable } from 'kysely'
import type { Instant } from '../../kernel/clock.ts'
import { Failure } from '../../kernel/failure.ts'
import { type DomainFields, type DomainRecord, isLive, type Status } from '../../model/domain.ts'
import { rowOf } from '../../model/intent.ts'
import type { DomainRevision } from '../../ports/store.ts'
import { workingConflict } from './conflicts.ts'
import { domainById } from './domains.ts'
import type { EditionMemory } from './edition-memory.ts'
import { columnsOf, recordOf } from './rows.ts'
import type { DomainsTable, Tables } from './tables.ts'

export interface WorkingEdition {
  readonly db: Kysely<Tables>
  readonly memory: EditionMemory
}

export async function insertDomain(
  { db, memory }: WorkingEdition,
  fields: DomainFields,
  at: Instant,
): Promise<DomainRecord> {
  const values = {
    ...columnsOf(fields),
    status: 'inactive',
    status_reason: null,
    revision: 1,
    created_at: at,
    updated_at: at,
    activated_at: null,
  } as const
  try {
    return remember(
      memory,
      await db.insertInto('domains').values(values).returningAll().executeTakeFirstOrThrow(),
    )
  } catch (error) {
    throw await workingConflict(db, error, fields)
  }
}

/** A new status takes the reason of an old error with it. Throws `not_found` for an id that is not there. */
export async function reviseDomain(
  { db, memory }: WorkingEdition,
  id: number,
  { change, at }: { change: DomainRevision; at: Instant },
): Promise<DomainRecord> {
  const columns = {
    ...(change.fields && columnsOf(change.fields)),
    ...(change.status && { status: change.status, status_reason: null }),
    ...(change.activated_at !== undefined && { activated_at: change.activated_at }),
    updated_at: at,
  }
  try {
    const row = await db
      .updateTable('domains')
      .set(columns)
      .set((eb) => ({ revision: eb('revision', '+', 1) }))
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirst()
    if (row !== undefined) return remember(memory, row)
  } catch (error) {
    const wanted = change.fields ?? (await domainById(db, id))
    throw wanted === null ? error : await workingConflict(db, error, wanted)
  }
  throw new Failure('not_found', `There is no domain ${id}.`)
}

/** A verdict on a record that was deleted meanwhile has nothing to say, so it is let go. */
export async function judgeDomain(
  { db, memory }: WorkingEdition,
  id: number,
  verdict: { status: Status; status_reason: string | null },
): Promise<void> {
  const row = await db
    .updateTable('domains')
    .set(verdict)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()
  // A verdict moves no intent unless it takes the record off or on line; an edition that stays is not derived again.
  if (row !== undefined && memory.row(id)?.live !== isLive(row)) remember(memory, row)
}

export async function deleteDomain({ db, memory }: WorkingEdition, id: number): Promise<void> {
  await db.deleteFrom('domains').where('id', '=', id).execute()
  memory.stage(id, null)
}

/** The edition keeps objects of its own: what a caller does to its record must not reach it. */
function remember(memory: EditionMemory, row: Selectable<DomainsTable>): DomainRecord {
  memory.stage(row.id, rowOf(recordOf(row)))
  return recordOf(row)
}
