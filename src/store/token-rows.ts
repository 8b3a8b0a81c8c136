/**
 * The rows of issued tokens, which are known by digest alone: a table for each kind of thing that they are for, with the same
 * columns but for the one that says whose a token is.
 */
import type { Kysely } from 'kysely'
import type { Instant } from '../kernel/clock.ts'
import { ENDED_MARK, endedDigest } from '../kernel/issued-secret.ts'
import type { IssuedToken, TokenRows } from '../kernel/issued-tokens.ts'
import { type RecordSet, recordSet } from '../ports/record-set.ts'
import type { Store, StoreWriter } from '../ports/store.ts'

/** Its table and its owner's column go by the names that they have there. */
type Db = Kysely<{ tokens: IssuedToken & { readonly owner_id: number } }>

/** What is done with single tokens of a table, whatever else their rows hold. */
export function tokenQueries<Row extends IssuedToken>(name: string) {
  const table = name as 'tokens'
  return {
    /** The token with this digest, ended or not; null where there is none. */
    byDigest: async (db: Db, digest: string): Promise<Row | null> => {
      const row = await db.selectFrom(table).selectAll().where('digest', '=', digest).executeTakeFirst()
      return (row as Row | undefined) ?? null
    },
    /** It goes on until then. One that is not there any more is left alone. */
    limit: async (db: Db, id: string, expires_at: Instant): Promise<void> => {
      await db.updateTable(table).set({ expires_at }).where('id', '=', id).execute()
    },
    /** For good: no secret has its digest from now on. One that is not there any more is left alone. */
    end: async (db: Db, id: string, expires_at: Instant): Promise<void> => {
      const row = await db.selectFrom(table).select('digest').where('id', '=', id).executeTakeFirst()
      if (row === undefined) return
      const digest = endedDigest(row.digest)
      await db.updateTable(table).set({ digest, expires_at }).where('id', '=', id).execute()
    },
    /** Drops what has ended before then. A token without an end has none before any time. */
    forget: async (db: Db, before: Instant): Promise<void> => {
      await db.deleteFrom(table).where('expires_at', '<', before).execute()
    },
  }
}

type OwnedToken<Owner extends string> = IssuedToken & { readonly [Column in Owner]: number }

/** @param column says whose a token is, by id */
export function tokenRecords<Owner extends string>(name: string, column: Owner) {
  const [table, owner_id] = [name as 'tokens', column as 'owner_id']
  const { byDigest, limit, end, forget } = tokenQueries<OwnedToken<Owner>>(name)
  return recordSet({
    reads: {
      byDigest,
      /** Of one owner, the oldest first. */
      of: (db: Db, owner: number) =>
        db
          .selectFrom(table)
          .selectAll()
          .where(owner_id, '=', owner)
          .orderBy('created_at')
          .orderBy('id')
          .execute() as Promise<readonly IssuedToken[]>,
      /** Of everything, those that have come to their end by the clock and are not ended for good. */
      past: (db: Db, at: Instant): Promise<readonly IssuedToken[]> =>
        db
          .selectFrom(table)
          .selectAll()
          .where('expires_at', '<=', at)
          .where('digest', 'not like', `${ENDED_MARK}%`)
          .execute(),
    },
    writes: {
      async add(db: Db, owner: number, { id, digest, created_at, expires_at }: IssuedToken): Promise<void> {
        const row = { id, [owner_id]: owner, digest, created_at, expires_at }
        await db
          .insertInto(table)
          .values(row as IssuedToken & { owner_id: number })
          .execute()
      },
      limit,
      end,
      forget,
    },
    closes: { limit: () => true, end: () => true },
  })
}

type Records = ReturnType<typeof tokenRecords<'owner_id'>>
/** Of whatever owners. */
export type TokenRecords = RecordSet<Omit<Records['reads'], 'byDigest'>, Records['writes']>

export function tokensOf(tx: StoreWriter, set: TokenRecords, owner: number): TokenRows {
  const rows = tx.of(set)
  return {
    all: () => rows.of(owner),
    add: (token) => rows.add(owner, token),
    limit: (id, ends_at) => rows.limit(id, ends_at),
    end: (id, ended_at) => rows.end(id, ended_at),
    forgetEnded: (at) => rows.forget(at),
  }
}

/** Those that have come to their end by now are ended for good: a clock that is set back brings none of them back. */
export async function endPastTokens(store: Store, set: TokenRecords, at: Instant): Promise<void> {
  const past = await store.of(set).past(at)
  if (past.length > 0) await endTokens(store, set, past)
}

/** At the times that they had for it. */
export const endTokens = (store: Store, set: TokenRecords, tokens: readonly IssuedToken[]): Promise<void> =>
  store.write(async (tx) => {
    for (const { id, expires_at } of tokens) if (expires_at !== null) await tx.of(set).end(id, expires_at)
  })
