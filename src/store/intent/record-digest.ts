/**
 * The digest beside each saved record: over every column of its row, as they are stored. A row that does not fit it was
 * changed by no call of ours (a bit on the disk, a hand in the database), so nobody can say what its owner wanted.
 */
import type { Selectable } from 'kysely'
import { sha256 } from '../../kernel/digest.ts'
import { Failure } from '../../kernel/failure.ts'
import { LATER_FIELDS } from '../../model/domain/record.ts'
import type { Connection } from '../connection.ts'
import type { DomainsTable } from '../tables.ts'

type Row = Selectable<DomainsTable>

/** In this order for good: another one is another digest. A column that comes later is one of `LATER_FIELDS`. */
const COLUMNS = [
  'id',
  'domain',
  'service_type',
  'environment',
  'backend_host',
  'backend_port',
  'protocol',
  'tcp_entrypoint',
  'cors_enabled',
  'cors_origin',
  'default_path',
  'auth_required',
  'ddns_enabled',
  'ssl_enabled',
  'health_check_path',
  'middleware_config',
  'static_ip',
  'dns_ttl',
  'dns_proxied',
  'tags',
  'note',
  'status',
  'status_reason',
  'revision',
  'created_at',
  'updated_at',
  'activated_at',
] as const satisfies readonly (keyof DomainsTable)[]

/** Does not compile when a column is in no digest. */
type Covered = (typeof COLUMNS)[number] | (typeof LATER_FIELDS)[number] | 'digest'
COLUMNS satisfies Exclude<keyof DomainsTable, Covered> extends never ? unknown : never

export const recordDigest = (row: Omit<Row, 'digest'>): string =>
  sha256([JSON.stringify([...COLUMNS.map((column) => row[column]), ...laterValues(row)])])

function laterValues(row: Omit<Row, 'digest'>): readonly unknown[] {
  // The migration that brings the digest runs before the one that brings these.
  const values = LATER_FIELDS.map((column) => row[column] ?? null)
  // Those at the end that hold nothing are left out, so that a row that says nothing new keeps the digest that it had: a row
  // that was damaged before is not made sound by an upgrade.
  return values.slice(0, values.findLastIndex((value) => value !== null) + 1)
}

export const isDamaged = (row: Row): boolean => row.digest !== recordDigest(row)

export const DAMAGE_REMEDY =
  'Nothing is deployed from it. Restore a backup, or delete the record and create it again.'

export const damagedRecord = ({ id, domain }: Pick<Row, 'id' | 'domain'>): Failure =>
  new Failure(
    'database_corrupt',
    `The saved record ${domain} (${id}) does not fit its digest: it is damaged. ${DAMAGE_REMEDY}`,
    { facts: { domain_id: id } },
  )

/** What the migration that brings the column does after its SQL. */
export function digestAllRecords(connection: Connection): void {
  const rows = connection.prepare<[], Row>('SELECT * FROM domains').all()
  const save = connection.prepare('UPDATE domains SET digest = ? WHERE id = ?')
  for (const row of rows) save.run(recordDigest(row), row.id)
}
