/** The audit trail: who changed what, and at whose request. It only grows. */
import { type ExpressionBuilder, type Kysely, sql } from 'kysely'
import type { AuditEntry } from '../../ports/records/trails.ts'
import type { AuditQuery, AuditRecord } from '../../ports/records/trails.ts'
import { storedJson } from '../stored-json.ts'
import type { Tables } from '../tables.ts'

export async function audit(db: Kysely<Tables>, entry: AuditEntry): Promise<void> {
  await db.insertInto('audit').values(rowOf(entry)).execute()
}

export async function auditAbove(db: Kysely<Tables>, entry: AuditEntry, number: number): Promise<number> {
  const newest = await db
    .selectFrom('audit')
    .select(({ fn }) => fn.max<number | null>('id').as('id'))
    .executeTakeFirst()
  const id = Math.max(newest?.id ?? 0, number) + 1
  await db
    .insertInto('audit')
    .values({ ...rowOf(entry), id })
    .execute()
  return id
}

/** No entry has this action: what renames a record is an update, or a restore, say. */
const RENAME = 'rename'
const DELETE = 'delete'
const RENAMED = '%"domain":{"before":"%'

/** Ordered by number, not by time: a clock that was set back must not hide or repeat an entry between two pages. */
export async function auditTrail(db: Kysely<Tables>, query: AuditQuery): Promise<AuditRecord[]> {
  const { limit, before, domain_id, domain, called, action, actors, since } = query
  const rows = await db
    .selectFrom('audit')
    .selectAll()
    .$if(before !== undefined, (page) => page.where('id', '<', before!))
    .$if(domain_id !== undefined, (page) => page.where('domain_id', '=', domain_id!))
    .$if(domain !== undefined, (page) => page.where('domain', '=', domain!))
    .$if(called !== undefined, (page) => page.where((is) => calledSo(is, called!)))
    .$if(action === RENAME, (page) => page.where(sql<boolean>`detail LIKE ${RENAMED}`))
    .$if(action !== undefined && action !== RENAME, (page) => page.where('action', '=', action!))
    .$if(actors !== undefined, (page) => page.where('actor', 'in', actors!))
    .$if(since !== undefined, (page) => page.where('at', '>=', since!))
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
  return rows.map((row) => ({ ...row, ...storedDetail(row.detail) }))
}

/**
 * The whole trail of the record that has the name now, or had it when it was deleted. Of the records that ever had it, which an
 * index finds, those entries that say that it was renamed away.
 */
const calledSo = (is: ExpressionBuilder<Tables, 'audit'>, name: string) => {
  const bearers = is.selectFrom('audit as known').select('known.domain_id').where('known.domain', '=', name)
  const bearer = is.selectFrom('domains').select('domains.id').where('domains.domain', '=', name)
  const was = `%"domain":{"before":"${name.replaceAll(/[\\%_]/g, String.raw`\$&`)}",%`
  return is.or([
    is('audit.domain', '=', name),
    is('audit.domain_id', 'in', bearer),
    is('audit.domain_id', 'in', bearers.where('known.action', '=', DELETE)),
    is.and([is('audit.domain_id', 'in', bearers), sql<boolean>`audit.detail LIKE ${was} ESCAPE '\\'`]),
  ])
}

/** The caller's name of a request stands in the detail, where only we write: a trail from before has none. */
const rowOf = ({ caller_request_id, detail, ...columns }: AuditEntry) => ({
  ...columns,
  detail: JSON.stringify(caller_request_id === undefined ? detail : { ...detail, caller_request_id }),
})

function storedDetail(text: string): Pick<AuditEntry, 'detail' | 'caller_request_id'> {
  const { caller_request_id, ...detail } = storedJson<Record<string, unknown>>(text)
  return typeof caller_request_id === 'string' ? { detail, caller_request_id } : { detail }
}
