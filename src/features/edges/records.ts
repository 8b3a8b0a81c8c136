/** The rows of edges and of their tokens, which are known by digest alone. They mirror `schema/0008-edges.sql`. */
import type { Generated, Kysely } from 'kysely'
import type { Instant } from '../../kernel/clock.ts'
import { Failure } from '../../kernel/failure.ts'
import { ENDED_MARK, endedDigest } from '../../kernel/issued-secret.ts'
import type { DesiredEdgeState, Edge, EdgeContact, EdgeFields } from '../../model/edge.ts'
import { recordSet } from '../../ports/record-set.ts'

export interface NewEdge extends EdgeFields {
  readonly desired_state: DesiredEdgeState
  readonly created_at: Instant
}

interface EdgeRevision extends EdgeFields {
  readonly desired_state: DesiredEdgeState
  readonly updated_at: Instant
}

export interface EdgeToken {
  readonly id: string
  readonly edge_id: number
  /** SHA-256 of the secret, lower-case hexadecimal; of one that has ended for good, what `endedDigest` makes of it. */
  readonly digest: string
  readonly created_at: Instant
  /** Null while it is valid without end. */
  readonly expires_at: Instant | null
}

interface EdgeTables {
  edges: Omit<Edge, 'id'> & { readonly id: Generated<number> }
  edge_tokens: EdgeToken
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

/** The token with this digest, ended or not; null where there is none. */
async function edgeTokenByDigest(db: Db, digest: string): Promise<EdgeToken | null> {
  const row = await db.selectFrom('edge_tokens').selectAll().where('digest', '=', digest).executeTakeFirst()
  return row ?? null
}

/** The oldest first. */
const edgeTokens = (db: Db, edge_id: number): Promise<readonly EdgeToken[]> =>
  db
    .selectFrom('edge_tokens')
    .selectAll()
    .where('edge_id', '=', edge_id)
    .orderBy('created_at')
    .orderBy('id')
    .execute()

async function addEdgeToken(
  db: Db,
  { id, edge_id, digest, created_at, expires_at }: EdgeToken,
): Promise<void> {
  await db.insertInto('edge_tokens').values({ id, edge_id, digest, created_at, expires_at }).execute()
}

/** It goes on until then. */
async function limitEdgeToken(db: Db, id: string, expires_at: Instant): Promise<void> {
  await db.updateTable('edge_tokens').set({ expires_at }).where('id', '=', id).execute()
}

/** For good: no secret has its digest from now on. One that is not there any more is left alone. */
async function endEdgeToken(db: Db, id: string, expires_at: Instant): Promise<void> {
  const row = await db.selectFrom('edge_tokens').select('digest').where('id', '=', id).executeTakeFirst()
  if (row === undefined) return
  const digest = endedDigest(row.digest)
  await db.updateTable('edge_tokens').set({ digest, expires_at }).where('id', '=', id).execute()
}

/** Of everything, those that have come to their end by the clock and are not ended for good. */
const pastEdgeTokens = (db: Db, at: Instant): Promise<readonly EdgeToken[]> =>
  db
    .selectFrom('edge_tokens')
    .selectAll()
    .where('expires_at', '<=', at)
    .where('digest', 'not like', `${ENDED_MARK}%`)
    .execute()

/** Drops what has ended before then. A token without an end has none before any time. */
async function forgetEdgeTokens(db: Db, before: Instant): Promise<void> {
  await db.deleteFrom('edge_tokens').where('expires_at', '<', before).execute()
}

export const edgeRecords = recordSet({
  reads: { edges, edge, edgeTokenByDigest, edgeTokens, pastEdgeTokens },
  writes: {
    insertEdge,
    reviseEdge,
    saveEdgeContact,
    deleteEdge,
    addEdgeToken,
    limitEdgeToken,
    endEdgeToken,
    forgetEdgeTokens,
  },
  closes: { deleteEdge: () => true, limitEdgeToken: () => true, endEdgeToken: () => true },
})
