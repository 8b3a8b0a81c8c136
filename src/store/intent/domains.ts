/** Reading domain records: one, a page of them, their counts. */
import {
  type Expression,
  type ExpressionBuilder,
  type Kysely,
  type Selectable,
  sql,
  type SqlBool,
} from 'kysely'
import type { DomainRecord } from '../../model/domain/record.ts'
import type { DamagedRecord } from '../../ports/records/damaged.ts'
import type { DomainCount, DomainPage, DomainQuery } from '../../ports/store.ts'
import { type Cursor, decodeCursor, encodeCursor } from '../cursor.ts'
import { DAMAGE_REMEDY, damagedRecord, isDamaged } from './record-digest.ts'
import { recordOf } from '../rows.ts'
import type { DomainsTable, Tables } from '../tables.ts'

const MAX_NAME = 253

type Row = Selectable<DomainsTable>

/** Throws `database_corrupt` for a row that does not fit its digest. Null where there is none. */
export async function soundRow(db: Kysely<Tables>, id: number): Promise<Row | null> {
  return soundOrNone(await db.selectFrom('domains').selectAll().where('id', '=', id).executeTakeFirst())
}

export async function domainById(db: Kysely<Tables>, id: number): Promise<DomainRecord | null> {
  const row = await soundRow(db, id)
  return row === null ? null : recordOf(row)
}

export async function domainByName(db: Kysely<Tables>, name: string): Promise<DomainRecord | null> {
  const row = soundOrNone(
    await db.selectFrom('domains').selectAll().where('domain', '=', name).executeTakeFirst(),
  )
  return row === null ? null : recordOf(row)
}

/** The saved record with this id when it is damaged: what its row says is not to be believed but for the id. */
export async function damagedById(db: Kysely<Tables>, id: number): Promise<DamagedRecord | null> {
  const row = await db.selectFrom('domains').selectAll().where('id', '=', id).executeTakeFirst()
  return row === undefined || !isDamaged(row) ? null : { domain_id: id, domain: row.domain }
}

function soundOrNone(row: Row | undefined): Row | null {
  if (row === undefined) return null
  if (isDamaged(row)) throw damagedRecord(row)
  return row
}

export async function pageOfDomains(db: Kysely<Tables>, query: DomainQuery): Promise<DomainPage> {
  const cursor = query.cursor === undefined ? null : decodeCursor(query.cursor, query.sort)
  const { column, direction } = sortOf(query.sort)
  const rows = await db
    .selectFrom('domains')
    .selectAll()
    .where((eb) => matches(eb, query))
    .$if(cursor !== null, (page) => page.where(after(cursor!)))
    .orderBy(sorted(column), direction)
    .$if(column !== 'id', (page) => page.orderBy('id', direction))
    .limit(query.limit + 1)
    .execute()
  const { total } = await db
    .selectFrom('domains')
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .where((eb) => matches(eb, query))
    .executeTakeFirstOrThrow()
  const records = rows.slice(0, query.limit).map(shownRecord)
  const last = records.at(-1)
  const more = rows.length > query.limit && last !== undefined
  return {
    records,
    next: more
      ? encodeCursor({ sort: query.sort, value: rows[query.limit - 1]![column] ?? '', id: last.id })
      : null,
    total,
  }
}

/** One damaged record must not hide all others of its page: it is in error, with the reason, whatever its row says. */
function shownRecord(row: Row): DomainRecord {
  if (!isDamaged(row)) return recordOf(row)
  const status_reason = `The saved record does not fit its digest: it is damaged. ${DAMAGE_REMEDY}`
  const record = recordOf({
    ...row,
    middleware_config: '{"extra_middlewares":[]}',
    tags: '[]',
    backend_tls: null,
  })
  const times = {
    created_at: timeOr0(row.created_at),
    updated_at: timeOr0(row.updated_at),
    activated_at: null,
  }
  return { ...record, ...times, status: 'error', status_reason }
}

/** A number that is no time cannot be written as one. */
const timeOr0 = (at: number): number => (Math.abs(at) <= 8.64e15 ? at : 0)

/** What is damaged counts as the list shows it: in error, and behind no sign-in that anybody could vouch for. */
export async function countDomains(
  db: Kysely<Tables>,
  damaged: readonly DamagedRecord[],
): Promise<DomainCount[]> {
  const ids = damaged.map(({ domain_id }) => domain_id)
  const sound = await countsWhere(db, (eb) => (ids.length === 0 ? eb.lit(true) : eb('id', 'not in', ids)))
  if (ids.length === 0) return sound
  const others = await countsWhere(db, (eb) => eb('id', 'in', ids))
  return [...sound, ...others.map((count) => ({ ...count, status: 'error' as const, auth_required: false }))]
}

async function countsWhere(
  db: Kysely<Tables>,
  which: (eb: ExpressionBuilder<Tables, 'domains'>) => Expression<SqlBool>,
): Promise<DomainCount[]> {
  const groups = ['status', 'service_type', 'environment', 'protocol', 'auth_required'] as const
  const rows = await db
    .selectFrom('domains')
    .select(groups)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where(which)
    .groupBy(groups)
    .execute()
  return rows.map((row) => ({ ...row, auth_required: row.auth_required === 1 }))
}

type SortColumn = 'domain' | 'id' | 'updated_at' | 'created_at' | 'status' | 'service_type' | 'backend_host'

/** What has no backend comes as one with an empty name. */
const sorted = (column: SortColumn) =>
  column === 'backend_host' ? sql<string>`coalesce(backend_host, '')` : sql.ref<string | number>(column)

function sortOf(sort: DomainQuery['sort']): { column: SortColumn; direction: 'asc' | 'desc' } {
  return sort.startsWith('-')
    ? { column: sort.slice(1) as SortColumn, direction: 'desc' }
    : { column: sort as SortColumn, direction: 'asc' }
}

/** Names are stored in lower case, so a lower-case pattern matches any case in every database. */
function matches(eb: ExpressionBuilder<Tables, 'domains'>, query: DomainQuery) {
  const { status, q, tag, service_type, auth_required, zone, target, ids, except } = query
  const conditions = []
  if (status !== undefined) conditions.push(eb('status', '=', status))
  if (service_type !== undefined) conditions.push(eb('service_type', '=', service_type))
  if (auth_required !== undefined) conditions.push(eb('auth_required', '=', auth_required ? 1 : 0))
  if (q !== undefined) conditions.push(contains(q))
  if (zone !== undefined)
    conditions.push(eb.or([eb('domain', '=', zone.toLowerCase()), endsWith(`.${zone}`)]))
  if (tag !== undefined) conditions.push(hasTag(tag))
  if (target !== undefined) conditions.push(leadsTo(eb, target))
  if (ids !== undefined) conditions.push(isAmong(ids))
  if (except !== undefined) conditions.push(sql<SqlBool>`not ${isAmong(except)}`)
  return eb.and(conditions)
}

/** One text, however many there are: a list of parameters has an end. */
const isAmong = (ids: readonly number[]) =>
  sql<SqlBool>`(id in (select value from json_each(${JSON.stringify(ids)})))`

/** A damaged row may hold anything. */
const hasTag = (tag: string) =>
  sql<SqlBool>`case when json_valid(tags) then exists (select 1 from json_each(tags) where value = ${tag}) else 0 end`

function leadsTo(eb: ExpressionBuilder<Tables, 'domains'>, target: string) {
  const [, bracketed, bare, port] = /^(?:\[(.+)\]|(.*?))(?::(\d{1,5}))?$/.exec(target) ?? []
  const is_address = (target.match(/:/g)?.length ?? 0) > 1 && bracketed === undefined
  const host = (is_address ? target : (bracketed ?? bare ?? target)).toLowerCase()
  const at_host = eb('backend_host', '=', host)
  return is_address || port === undefined ? at_host : eb.and([at_host, eb('backend_port', '=', Number(port))])
}

/** A text that no name can hold matches nothing; SQLite would cut a pattern at NUL and refuse a very long one. */
function contains(q: string) {
  if (q.length > MAX_NAME || q.includes('\0')) return sql<SqlBool>`1 = 0`
  const pattern = `%${q.toLowerCase().replaceAll(/[\\%_]/g, '\\$&')}%`
  return sql<SqlBool>`domain LIKE ${pattern} ESCAPE '\\'`
}

function endsWith(end: string) {
  if (end.length > MAX_NAME || end.includes('\0')) return sql<SqlBool>`1 = 0`
  const pattern = `%${end.toLowerCase().replaceAll(/[\\%_]/g, '\\$&')}`
  return sql<SqlBool>`domain LIKE ${pattern} ESCAPE '\\'`
}

/** Compared as a pair, which an index on (column, id) answers with one seek. */
function after({ sort, value, id }: Cursor) {
  const { column, direction } = sortOf(sort)
  const than = sql.raw(direction === 'asc' ? '>' : '<')
  return sql<SqlBool>`(${sorted(column)}, id) ${than} (${value}, ${id})`
}
