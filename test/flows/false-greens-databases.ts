/** Ways to change the database by SQL, beside the daemon. */
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { ASKED_MS, type Way } from './false-greens.ts'
import { probed } from './false-greens-own.ts'
import { ZONE } from './health-peers.ts'
import type { HealthWorld } from './health-world.ts'

const APP = `app.${ZONE}`

/** Another process's connection, that heeds no key. */
function run(world: HealthWorld, work: (connection: InstanceType<typeof Database>) => void): void {
  const connection = new Database(join(world.paths.data, 'plumbline.db'), { timeout: 5000 })
  try {
    connection.pragma('foreign_keys = OFF')
    work(connection)
  } finally {
    connection.close()
  }
}

interface SqlWay extends Partial<Way<HealthWorld>> {
  readonly title: string
  readonly part: string
  readonly table: string
  readonly sql: string
}

/** Whatever is done to it, the table has the same rows again. */
function sqlWay({ title, part, table, sql, ...more }: SqlWay): Way<HealthWorld> {
  let rows: readonly Record<string, unknown>[] | null = null
  return {
    title: `database: ${title}`,
    part,
    within_ms: ASKED_MS,
    own: probed(part),
    do: (world) =>
      run(world, (connection) => {
        rows = connection.prepare(`SELECT * FROM ${table}`).all() as Record<string, unknown>[]
        connection.exec(sql)
      }),
    undo: (world) =>
      run(world, (connection) => {
        if (rows === null) return
        const [first] = rows
        if (first === undefined) return void connection.exec(`DELETE FROM ${table}`)
        const names = Object.keys(first)
        const insert = connection.prepare(
          `INSERT INTO ${table} (${names.map((name) => `"${name}"`).join(', ')}) VALUES (${names.map(() => '?').join(', ')})`,
        )
        connection.transaction(() => {
          connection.exec(`DELETE FROM ${table}`)
          for (const row of rows!) insert.run(...names.map((name) => row[name]))
        })()
        rows = null
      }),
    ...more,
  }
}

const rule = (name: string): string => `rule:${name}`
const UNSIGNED = 'rows of other tables than the records have no digest'

export const DATABASE_WAYS: readonly Way<HealthWorld>[] = [
  sqlWay({
    title: 'the backend of a record changed',
    part: rule('records_match_their_digests'),
    table: 'domains',
    sql: `UPDATE domains SET backend_host = '10.6.6.6' WHERE domain = '${APP}'`,
  }),
  sqlWay({
    title: 'the lock taken off a record',
    part: rule('records_match_their_digests'),
    table: 'domains',
    sql: `UPDATE domains SET auth_required = 0 WHERE domain = '${APP}'`,
  }),
  sqlWay({
    title: 'a record deleted',
    part: rule('active_records_released'),
    table: 'domains',
    sql: `DELETE FROM domains WHERE domain = '${APP}'`,
  }),
  sqlWay({
    title: 'a released row changed',
    part: rule('released_edition_is_the_fold'),
    table: 'released',
    sql: "UPDATE released SET fields = replace(fields, '10.0.0.5', '10.6.6.6')",
  }),
  sqlWay({
    title: 'a release deleted',
    part: rule('releases_gapless'),
    table: 'releases',
    sql: 'DELETE FROM releases WHERE number = 1',
  }),
  sqlWay({
    title: 'what a release froze changed',
    part: rule('artifacts_match_their_digests'),
    table: 'blobs',
    sql: "UPDATE blobs SET bytes = CAST('other' AS BLOB)",
  }),
  sqlWay({
    title: 'an entry of the audit trail deleted',
    part: rule('audit_gapless'),
    table: 'audit',
    sql: 'DELETE FROM audit WHERE id = (SELECT max(id) - 1 FROM audit)',
  }),
  sqlWay({
    title: 'the key of an SSH client changed',
    part: rule('ssh_clients_sound'),
    table: 'ssh_clients',
    sql: "UPDATE ssh_clients SET key = replace(key, 'AAAAC3', 'AAAAC4')",
  }),
  sqlWay({
    title: 'an SSH client deleted',
    part: 'ssh-gateway',
    table: 'ssh_clients',
    sql: 'DELETE FROM ssh_clients',
  }),
  sqlWay({
    title: 'what an SSH client may do changed',
    part: 'ssh-gateway',
    table: 'ssh_clients',
    sql: `UPDATE ssh_clients SET options = json_set(options, '$.from', json('["192.0.2.0/24"]'))`,
  }),
  sqlWay({
    title: 'a revocation taken back',
    part: 'people',
    table: 'people',
    sql: 'UPDATE people SET revoked_at = NULL',
    aside: UNSIGNED,
  }),
  sqlWay({
    title: 'a person put into another group',
    part: 'people',
    table: 'people',
    sql: `UPDATE people SET groups = '["admins"]' WHERE username = 'jo.doe'`,
    aside: 'kept in memory until the next start',
  }),
  sqlWay({
    title: 'the ledger of DNS forgets a record',
    part: `dns:${ZONE}`,
    table: 'dns_records',
    sql: `DELETE FROM dns_records WHERE name = '${APP}'`,
    aside: 'kept in memory until the next start',
  }),
  sqlWay({
    title: 'the ledger of DNS names garbage',
    part: rule('dns_ledger_sound'),
    table: 'dns_records',
    sql: `UPDATE dns_records SET "values" = '["nonsense"]' WHERE name = '${APP}'`,
  }),
  sqlWay({
    title: 'a reported address forged',
    part: 'ddns',
    table: 'reported_addresses',
    sql: `INSERT INTO reported_addresses VALUES ('${APP}', '192.0.2.66', NULL, 1, 1)`,
    aside: UNSIGNED,
  }),
  sqlWay({
    title: 'the token of an edge exchanged',
    part: 'edges',
    table: 'edge_tokens',
    sql: "UPDATE edge_tokens SET digest = replace(digest, substr(digest, 1, 4), 'beef')",
    aside: UNSIGNED,
  }),
  sqlWay({
    title: 'the token of an edge in plain',
    part: rule('tokens_hashed'),
    table: 'edge_tokens',
    sql: "UPDATE edge_tokens SET digest = 'secret'",
  }),
  sqlWay({
    title: 'the row of a certificate deleted',
    part: `cert:inside.${ZONE}`,
    table: 'certificates',
    sql: 'DELETE FROM certificates',
  }),
  sqlWay({
    title: 'the installation another one',
    part: rule('installation_matches'),
    table: 'meta',
    sql: "UPDATE meta SET value = 'another' WHERE key = 'installation_id'",
  }),
  {
    ...sqlWay({ title: 'an index dropped', part: rule('schema_current'), table: 'mails', sql: '' }),
    do: (world) => run(world, (connection) => connection.exec('DROP INDEX ddns_tokens_host')),
    undo: (world) =>
      run(world, (connection) => connection.exec('CREATE INDEX ddns_tokens_host ON ddns_tokens (host)')),
  },
  {
    ...sqlWay({ title: 'a table more', part: rule('schema_current'), table: 'mails', sql: '' }),
    do: (world) => run(world, (connection) => connection.exec('CREATE TABLE mine (a)')),
    undo: (world) => run(world, (connection) => connection.exec('DROP TABLE mine')),
  },
]
