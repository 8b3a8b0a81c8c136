/** The rows of edges and of their tokens, which are known by digest alone. They mirror `schema/0008-edges.sql`. */
import type { Generated, Kysely } from 'kysely'
import type { Instant } from '../../kernel/clock.ts'
import { Failure } from '../../kernel/failure.ts'
import type { DesiredEdgeState, Edge, EdgeContact, EdgeFields } from '../../model/edge.ts'
import { recordSet } from '../../ports/record-set.ts'
import { tokenRecords } from '../../store/token-rows.ts'

export interface NewEdge extends EdgeFields {
  readonly desired_state: DesiredEdgeState
  readonly created_at: Instant
}

interface EdgeRevision extends EdgeFields {
  readonly desired_state: DesiredEdgeState
  readonly updated_at: Instant
}

interface EdgeTables {
  edges: Omit<Edge, 'id'> & { readonly id: Generated<number> }
  edge_tokens: { readonly edge_id: number }
}
type Db = Kysely<EdgeTables>

/** Ordered by name. */
const edges = (db: Db): Promise<readonly Edge[]> =>
  db.selectFrom('edges').selectAll().orderBy('name').execute()

async function edge(db: Db, id: number): Promise<Edge | null> {
  return (await db.selectFrom('edges').selectAll().where('id', '=', id).executeTakeFirst()) ?? null
}

/** Throws `name_taken`. Ids are never given twice. */
async function insertEdge(db: Db, fields: NewEdge): Promise<Edge> {
  const { name, hostname, address, region, desired_state, created_at } = fields
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

/** Replaces what its owner writes: revision + 1. Throws `name_taken`; nothing happens where it is gone. */
async function reviseEdge(
  db: Db,
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
async function assertNameFree(db: Db, name: string, id: number | null): Promise<void> {
  const holder = await db.selectFrom('edges').select('id').where('name', '=', name).executeTakeFirst()
  if (holder === undefined || holder.id === id) return
  const facts = { edge_id: holder.id }
  throw new Failure('name_taken', `The name ${name} is taken by edge ${holder.id}.`, { facts })
}

/** Replaces what is known from its calls: no new revision. Nothing happens where it is gone. */
async function saveEdgeContact(
  db: Db,
  id: number,
  { last_seen, config_version, served_version, lost_at }: EdgeContact,
): Promise<void> {
  const contact = { last_seen, config_version, served_version, lost_at }
  await db.updateTable('edges').set(contact).where('id', '=', id).execute()
}

/** With its tokens. */
async function deleteEdge(db: Db, id: number): Promise<void> {
  await db.deleteFrom('edge_tokens').where('edge_id', '=', id).execute()
  await db.deleteFrom('edges').where('id', '=', id).execute()
}

export const edgeRecords = recordSet({
  reads: { edges, edge },
  writes: {
    insertEdge,
    reviseEdge,
    saveEdgeContact,
    deleteEdge,
  },
  closes: { deleteEdge: () => true },
})

/** Each opens the routes of its edge and nothing else. */
export const edgeTokens = tokenRecords('edge_tokens', 'edge_id')
