/** Domain records to table rows and back. SQLite binds no booleans and no objects, so every conversion stands here. */
import type { Selectable } from 'kysely'
import {
  type DomainFields,
  type DomainRecord,
  FIELD_NAMES,
  FIELDS,
  fieldsOf,
  isPlainTcp,
} from '../model/domain/record.ts'
import type { IntentRow } from '../model/intent.ts'
import type { ReleaseRow } from '../ports/records/trails.ts'
import { damagedValue, storedJson } from './stored-json.ts'
import type { DomainsTable, FieldColumns, Flag, ReleasedTable, ReleaseRowsTable } from './tables.ts'

const flag = (value: boolean): Flag => (value ? 1 : 0)

export const columnsOf = (fields: DomainFields): FieldColumns =>
  ofEach((name, stored) => {
    const value = fields[name]
    if (value === null || stored === 'plain') return value
    return stored === 'flag' ? flag(value === true) : JSON.stringify(value)
  }) as FieldColumns

export const recordOf = (row: Selectable<DomainsTable>): DomainRecord => ({
  id: row.id,
  ...(ofEach((name, stored) => {
    const value = row[name]
    // The name of a column may lose a bit, too.
    if (value === undefined) throw damagedValue('lacks a column', name)
    if (value === null || stored === 'plain') return value
    return stored === 'flag' ? value === 1 : storedJson(String(value))
  }) as unknown as DomainFields),
  status: row.status,
  status_reason: row.status_reason,
  revision: row.revision,
  created_at: row.created_at,
  updated_at: row.updated_at,
  activated_at: row.activated_at,
})

/** An object of what is made of each field. */
function ofEach<T>(make: (name: keyof DomainFields, stored: 'plain' | 'flag' | 'json') => T) {
  const made: Partial<Record<keyof DomainFields, T>> = {}
  for (const name of FIELD_NAMES) made[name] = make(name, FIELDS[name].stored)
  return made
}

/** The columns of the released edition, without the release's number. */
export const releasedColumnsOf = (row: IntentRow): Omit<ReleasedTable, 'release'> => ({
  domain_id: row.domain_id,
  revision: row.revision,
  live: flag(row.live),
  retired: flag(row.retired),
  domain: row.fields.domain,
  plain_tcp_entrypoint: isPlainTcp(row.fields) ? row.fields.tcp_entrypoint : null,
  fields: JSON.stringify(fieldsOf(row.fields)),
})

export const releasedRowOf = (
  row: Pick<ReleasedTable, 'domain_id' | 'revision' | 'live' | 'retired' | 'fields'>,
): IntentRow => ({
  domain_id: row.domain_id,
  revision: row.revision,
  live: row.live === 1,
  retired: row.retired === 1,
  fields: wholeFields(row.fields),
})

/** What a release moved: a row in, or a domain out. */
export function moveOf({ domain_id, revision, live, retired, fields }: ReleaseRowsTable): ReleaseRow {
  const out = revision === null || live === null || fields === null
  return { domain_id, row: out ? null : releasedRowOf({ domain_id, revision, live, retired, fields }) }
}

/** A key lost to a flipped bit would read as undefined, that is as "no": an `auth_required` must not end like that. */
function wholeFields(text: string): DomainFields {
  const fields = storedJson<DomainFields>(text)
  if (FIELD_NAMES.some((name) => fields[name] === undefined)) throw damagedValue('lacks a field', text)
  return fields
}
