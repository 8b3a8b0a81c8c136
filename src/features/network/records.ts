/** The journal of names that clients were given. It mirrors `schema/0020-network-names.sql`. */
import type { Generated, Kysely } from 'kysely'
import type { Instant } from '../../kernel/clock.ts'
import { recordSet } from '../../ports/record-set.ts'

/** `superseded`: the controller has a third name by now, or the client is not there any more. */
export const RENAME_OUTCOMES = ['written', 'not_written', 'superseded'] as const
export type RenameOutcome = (typeof RENAME_OUTCOMES)[number]

export interface NewRename {
  readonly controller: string
  readonly site: string
  readonly user_id: string
  readonly mac: string
  readonly name_before: string | null
  readonly name: string
  readonly guest: string
}

export interface RenameRow extends NewRename {
  readonly id: number
  readonly begun_at: Instant
  readonly ended_at: Instant | null
  /** Null while it is not known. */
  readonly outcome: RenameOutcome | null
}

interface RenameTables {
  network_renames: Omit<RenameRow, 'id'> & { readonly id: Generated<number> }
}
type Db = Kysely<RenameTables>

/** The oldest first. */
const renames = (db: Db): Promise<readonly RenameRow[]> =>
  db.selectFrom('network_renames').selectAll().orderBy('id').execute()

const openRenames = (db: Db): Promise<readonly RenameRow[]> =>
  db.selectFrom('network_renames').selectAll().where('outcome', 'is', null).orderBy('id').execute()

const KEPT_OF_A_CLIENT = 10

/** Of a client only the newest are kept, and what is open. */
async function beginRename(db: Db, row: NewRename, begun_at: Instant): Promise<number> {
  const { controller, site, mac } = row
  const of_client = db
    .selectFrom('network_renames')
    .select('id')
    .where('controller', '=', controller)
    .where('site', '=', site)
    .where('mac', '=', mac)
  const rows = await of_client.where('outcome', 'is not', null).orderBy('id', 'desc').execute()
  const old = rows.slice(KEPT_OF_A_CLIENT - 1).map(({ id }) => id)
  if (old.length > 0) await db.deleteFrom('network_renames').where('id', 'in', old).execute()
  const { id } = await db
    .insertInto('network_renames')
    .values({ ...row, begun_at, ended_at: null, outcome: null })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

async function endRename(
  db: Db,
  id: number,
  { outcome, ended_at }: { readonly outcome: RenameOutcome; readonly ended_at: Instant },
): Promise<void> {
  await db.updateTable('network_renames').set({ outcome, ended_at }).where('id', '=', id).execute()
}

export const renameRecords = recordSet({
  reads: { renames, openRenames },
  writes: { beginRename, endRename },
})
