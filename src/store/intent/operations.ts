/** Calls that go on after their caller was answered: begun, ended once, or cut short by the end of the process. */
import type { Kysely } from 'kysely'
import type { Instant } from '../../kernel/clock.ts'
import { Failure } from '../../kernel/failure.ts'
import type {
  CallQuery,
  Committed,
  NewOperation,
  OperationEnd,
  OperationQuery,
  StoredOperation,
} from '../../ports/records/trails.ts'
import type { Tables } from '../tables.ts'

export async function operationById(db: Kysely<Tables>, id: string): Promise<StoredOperation | null> {
  const row = await db.selectFrom('operations').selectAll().where('id', '=', id).executeTakeFirst()
  return row ?? null
}

export function operationsOf(
  db: Kysely<Tables>,
  { state, limit }: OperationQuery,
): Promise<StoredOperation[]> {
  const all = db.selectFrom('operations').selectAll()
  const meant = state === undefined ? all : all.where('state', '=', state)
  return meant.orderBy('created_at', 'desc').orderBy('id').limit(limit).execute()
}

export async function beginOperation(
  db: Kysely<Tables>,
  { id, created_at, actor, request_id, method, path }: NewOperation,
): Promise<void> {
  await db
    .insertInto('operations')
    .values({ id, created_at, actor, request_id, method, path, state: 'running' })
    .execute()
}

/** A second end means that two calls ran under one id. */
export async function endOperation(
  db: Kysely<Tables>,
  id: string,
  { state, at, status, body }: OperationEnd,
): Promise<void> {
  const { numUpdatedRows } = await db
    .updateTable('operations')
    .set({ state, ended_at: at, status, body })
    .where('id', '=', id)
    .where('state', '=', 'running')
    .executeTakeFirstOrThrow()
  if (numUpdatedRows !== 1n) throw new Failure('internal', `Operation ${id} is not running.`)
}

export async function interruptOperations(db: Kysely<Tables>, at: Instant): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable('operations')
    .set({ state: 'interrupted', ended_at: at })
    .where('state', '=', 'running')
    .executeTakeFirstOrThrow()
  return Number(numUpdatedRows)
}

/** One that still runs is kept, however old: its end needs the row. */
export async function forgetOperations(db: Kysely<Tables>, before: Instant): Promise<void> {
  await db.deleteFrom('operations').where('created_at', '<', before).where('state', '<>', 'running').execute()
}

/** A go-back to an older release bears the same request id, and another actor. */
export async function committedBy(
  db: Kysely<Tables>,
  { request_id, actor, since, until }: CallQuery,
): Promise<Committed> {
  const released = await db
    .selectFrom('releases')
    .select(({ fn }) => fn.min<number | null>('number').as('number'))
    .where('request_id', '=', request_id)
    .where('actor', '=', actor)
    .where('created_at', '>=', since)
    .where('created_at', '<=', until)
    .executeTakeFirst()
  const audited = await db
    .selectFrom('audit')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('request_id', '=', request_id)
    .where('actor', '=', actor)
    .where('at', '>=', since)
    .where('at', '<=', until)
    .where('action', '<>', 'refused')
    .executeTakeFirst()
  return { release: released?.number ?? null, changes: Number(audited?.count ?? 0) }
}
