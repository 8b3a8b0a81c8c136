/** Rules of the file as a whole: whose it is, which schema it has, and whether pages, references and texts are sound. */
import Database from 'better-sqlite3'
import type { Connection } from '../connection.ts'
import { foundIn } from '../files/identity.ts'
import { readMarker } from '../files/installation.ts'
import { appliedMigrations, ownMigrations, pendingMigrations } from '../migrations.ts'
import { Failure } from '../../kernel/failure.ts'
import type { Content } from './content.ts'
import { FROM_OUTSIDE, type Rule } from './rule.ts'

const MAX_PAGE_FAULTS = 3

export const FILE_RULES: readonly Rule[] = [
  {
    name: 'installation_matches',
    promise: 'The database belongs to the installation that the data directory names.',
    remedy: 'Put back the database of this installation, or the data directory of that one.',
    broken: strangers,
  },
  {
    name: 'schema_current',
    promise: 'Tables and indexes are those that the migrations of this program make, no more and no fewer.',
    remedy:
      'Start the daemon of this version, which brings the schema up to date; what was altered by hand must be put back.',
    broken: schemaFaults,
  },
  {
    name: 'pages_intact',
    promise: 'Every page, index and constraint of the file is sound.',
    remedy: 'Stop the daemon, look after the disk, and restore a backup.',
    heavy: true,
    broken: pageFaults,
  },
  {
    name: 'foreign_keys_hold',
    promise: 'No row refers to one that is not there.',
    remedy: FROM_OUTSIDE,
    *broken({ connection }) {
      for (const { table, parent } of connection.pragma('foreign_key_check') as Reference[])
        yield `a row of ${table} refers to none of ${parent}`
    },
  },
  {
    name: 'texts_parse',
    promise: 'Every list and object that is stored as text can be read.',
    remedy: FROM_OUTSIDE,
    heavy: true,
    *broken(content) {
      for (const [table, column] of JSON_COLUMNS) {
        const sql = `SELECT COUNT(*) FROM ${table} WHERE "${column}" IS NOT NULL AND NOT json_valid("${column}")`
        const count = content.count(sql)
        if (count > 0) yield `${table}.${column} cannot be read in ${count} rows`
      }
    },
  },
]

interface Reference {
  readonly table: string
  readonly parent: string
}

/** Trails and records whose readers take the shape for granted. Both editions are read by rules of their own. */
const JSON_COLUMNS: readonly (readonly [table: string, column: string])[] = [
  ['releases', 'warnings'],
  ['releases', 'results'],
  ['release_artifacts', 'manifest'],
  ['journal', 'differences'],
  ['audit', 'detail'],
  ['plans', 'scope'],
  ['plans', 'body'],
  ['confirmations', 'rules'],
  ['events', 'facts'],
]

/** A marker that is missing or unreadable is written again at the next start. */
function* strangers({ connection, directory }: Content): Iterable<string> {
  const marker = readMarker(directory)
  const found = foundIn(connection)
  if (typeof found === 'string') yield `the database holds ${found}`
  else if (marker !== null && marker.id !== null && marker.id !== found.id)
    yield `installation.json names ${marker.id}, the database ${found.id}`
}

function* pageFaults({ connection }: Content): Iterable<string> {
  const sql = `PRAGMA integrity_check(${MAX_PAGE_FAULTS})`
  const found = connection.prepare<[], string>(sql).pluck().all()
  if (found.length !== 1 || found[0] !== 'ok') yield* found
}

function* schemaFaults({ connection }: Content): Iterable<string> {
  const own = ownMigrations()
  try {
    const pending = pendingMigrations(own, appliedMigrations(connection), connection.name)
    for (const { name } of pending) yield `lacks ${name}`
    if (pending.length > 0) return
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    return yield error.message
  }
  const present = objectsIn(connection)
  const wanted = objectsOf(own.map(({ sql }) => sql))
  for (const [name, sql] of wanted)
    if (present.get(name) !== sql) yield present.has(name) ? `${name} was altered` : `${name} is missing`
  for (const name of present.keys()) if (!wanted.has(name)) yield `${name} is not ours`
}

/** Made once: the migrations of a running program do not change. */
let made: ReadonlyMap<string, string> | null = null

function objectsOf(migrations: readonly string[]): ReadonlyMap<string, string> {
  if (made !== null) return made
  const fresh = new Database(':memory:')
  try {
    for (const sql of migrations) fresh.exec(sql)
    made = objectsIn(fresh)
    return made
  } finally {
    fresh.close()
  }
}

interface SchemaObject {
  readonly type: string
  readonly name: string
  readonly sql: string | null
}

/** By type and name, each with the text that made it. Comments and blanks are nobody's business. */
function objectsIn(connection: Connection): ReadonlyMap<string, string> {
  const rows = connection
    .prepare<[], SchemaObject>(
      `SELECT type, name, sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite\\_%' ESCAPE '\\'`,
    )
    .all()
  return new Map(rows.map(({ type, name, sql }) => [`${type} ${name}`, plain(sql ?? '')]))
}

const plain = (sql: string): string =>
  sql
    .replace(/--[^\n]*/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
