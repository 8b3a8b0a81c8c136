/** Edges and their tokens, which are known by digest alone. */
import type { Kysely } from 'kysely'
import type { Instant } from '../../kernel/clock.ts'
import { Failure } from '../../kernel/failure.ts'
import type { Edge, EdgeContact } from '../../model/edge.ts'
import type { EdgeRevision, EdgeToken, NewEdge } from '../../ports/records/edges.ts'
import type { Tables } from '../tables.ts'

export const edges = (db: Kysely<Tables>): Promise<Edge[]> =>
  db.selectFrom('edges').selectAll().orderBy('name').execute()

export async function edgeById(db: Kysely<Tables>, id: number): Promise<Edge | null> {
  return (await db.selectFrom('edges').selectAll().where('id', '=', id).executeTakeFirst()) ?? null
}

export async function insertEdge(db: Kysely<Tables>, edge: NewEdge): Promise<Edge> {
  const { name, hostname, address, region, desired_state, created_at } = edge
  await assertNameFree(db, name, null)
  return db
    .insertInto('edges')
    .values({
      name,
      hostname,
      address,
      region,
      desired_state,
      revision: 1,
      created_at,
      updated_at: created_at,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
}

export async function reviseEdge(
  db: Kysely<Tables>,
  id: number,
  { name, hostname, address, region, desired_state, updated_at }: EdgeRevision,
): Promise<void> {
  await assertNameFree(db, name, id)
  await db
    .updateTable('edges')
    .set((eb) => ({
      name,
      hostname,
      address,
      region,
      desired_state,
      updated_at,
      revision: eb('revision', '+', 1),
    }))
    .where('id', '=', id)
    .execute()
}

/** There is one writer, so nobody takes the name between this and the write. */
async function assertNameFree(db: Kysely<Tables>, name: string, id: number | null): Promise<void> {
  const holder = await db.selectFrom('edges').select('id').where('name', '=', name).executeTakeFirst()
  if (holder === undefined || holder.id === id) return
  const facts = { edge_id: holder.id }
  throw new Failure('name_taken', `The name ${name} is taken by edge ${holder.id}.`, { facts })
}

export async function saveEdgeContact(
  db: Kysely<Tables>,
  id: number,
  { last_seen, config_version, served_version, lost_at }: EdgeContact,
): Promise<void> {
  const contact = { last_seen, config_version, served_version, lost_at }
  await db.updateTable('edges').set(contact).where('id', '=', id).execute()
}

export async function deleteEdge(db: Kysely<Tables>, id: number): Promise<void> {
  await db.deleteFrom('edge_tokens').where('edge_id', '=', id).execute()
  await db.deleteFrom('edges').where('id', '=', id).execute()
}

export async function edgeTokenByDigest(db: Kysely<Tables>, digest: string): Promise<EdgeToken | null> {
  const row = await db.selectFrom('edge_tokens').selectAll().where('digest', '=', digest).executeTakeFirst()
  return row ?? null
}

export const edgeTokens = (db: Kysely<Tables>, edge_id: number): Promise<EdgeToken[]> =>
  db
    .selectFrom('edge_tokens')
    .selectAll()
    .where('edge_id', '=', edge_id)
    .orderBy('created_at')
    .orderBy('id')
    .execute()

export async function addEdgeToken(
  db: Kysely<Tables>,
  { id, edge_id, digest, created_at, expires_at }: EdgeToken,
): Promise<void> {
  await db.insertInto('edge_tokens').values({ id, edge_id, digest, created_at, expires_at }).execute()
}

export async function endEdgeToken(db: Kysely<Tables>, id: string, expires_at: Instant): Promise<void> {
  await db.updateTable('edge_tokens').set({ expires_at }).where('id', '=', id).execute()
}

/** A token without an end has none before any time. */
export async function forgetEdgeTokens(db: Kysely<Tables>, before: Instant): Promise<void> {
  await db.deleteFrom('edge_tokens').where('expires_at', '<', before).execute()
}
