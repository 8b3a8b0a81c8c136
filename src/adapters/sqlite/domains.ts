/** Reading domain records: one, a page of them, their counts. */
import { type ExpressionBuilder, type Kysely, sql, type SqlBool } from 'kysely'
import type { DomainRecord } from '../../model/domain.ts'
import type { DomainCount, DomainPage, DomainQuery } from '../../ports/store.ts'
import { type Cursor, decodeCursor, encodeCursor } from './cursor.ts'
import { recordOf } from './rows.ts'
import type { Tables } from './tables.ts'

const LONGEST_NAME = 253

export async function domainById(db: Kysely<Tables>, id: number): Promise<DomainRecord | null> {
  const row = await db.selectFrom('domains').selectAll().where('id', '=', id).executeTakeFirst()
  return row === undefined ? null : recordOf(row)
}

export async function domainByName(db: Kysely<Tables>, name: string): Promise<DomainRecord | null> {
  const row = await db.selectFrom('domains').selectAll().where('domain', '=', name).executeTakeFirst()
  return row === undefined ? null : recordOf(row)
}

export async function pageOfDomains(db: Kysely<Tables>, query: DomainQuery): Promise<DomainPage> {
  const cursor = query.cursor === undefined ? null : decodeCursor(query.cursor, query.sort)
  const { column, direction } = sortOf(query.sort)
  const rows = await db
    .selectFrom('domains')
    .selectAll()
    .where((eb) => matches(eb, query))
    .$if(cursor !== null, (page) => page.where(after(cursor!)))
    .orderBy(column, direction)
    .$if(column !== 'id', (page) => page.orderBy('id', direction))
    .limit(query.limit + 1)
    .execute()
  const { total } = await db
    .selectFrom('domains')
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .where((eb) => matches(eb, query))
    .executeTakeFirstOrThrow()
  const records = rows.slice(0, query.limit).map(recordOf)
  const last = records.at(-1)
  const more = rows.length > query.limit && last !== undefined
  return {
    records,
    next: more ? encodeCursor({ sort: query.sort, value: last[column], id: last.id }) : null,
    total,
  }
}

export async function countDomains(db: Kysely<Tables>): Promise<DomainCount[]> {
  const groups = ['status', 'service_type', 'environment', 'protocol', 'auth_required'] as const
  const rows = await db
    .selectFrom('domains')
    .select(groups)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .groupBy(groups)
    .execute()
  return rows.map((row) => ({ ...row, auth_required: row.auth_required === 1 }))
}

type SortColumn = 'domain' | 'id' | 'updated_at'

function sortOf(sort: DomainQuery['sort']): { column: SortColumn; direction: 'asc' | 'desc' } {
  return sort.startsWith('-')
    ? { column: sort.slice(1) as SortColumn, direction: 'desc' }
    : { column: sort as SortColumn, direction: 'asc' }
}

/** Names are stored in lower case, so a lower-case pattern matches any case in every database. */
function matches(eb: ExpressionBuilder<Tables, 'domains'>, { status, q }: DomainQuery) {
  const conditions = []
  if (status !== undefined) conditions.push(eb('status', '=', status))
  if (q !== undefined) conditions.push(contains(q))
  return eb.and(conditions)
}

/** A text that no name can hold matches nothing; SQLite would cut a pattern at NUL and refuse a very long one. */
function contains(q: string) {
  if (q.length > LONGEST_NAME || q.includes('\0')) return sql<SqlBool>`1 = 0`
  const pattern = `%${q.toLowerCase().replaceAll(/[\\%_]/g, '\\$&')}%`
  return sql<SqlBool>`domain LIKE ${pattern} ESCAPE '\\'`
}

/** Compared as a pair, which an index on (column, id) answers with one seek. */
function after({ sort, value, id }: Cursor) {
  const { column, direction } = sortOf(sort)
  const than = sql.raw(direction === 'asc' ? '>' : '<')
  return sql<SqlBool>`(${sql.ref(column)}, id) ${than} (${value}, ${id})`
}
