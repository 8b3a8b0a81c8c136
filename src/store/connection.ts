/** One connection to one database file, set up so that what was acknowledged survives a power cut. */
import Database from 'better-sqlite3'
import type { SqliteDatabase, SqliteStatement } from 'kysely'
import { Failure } from '../kernel/failure.ts'
import { onStorage } from './failures.ts'

export type Connection = Database.Database

/** Fixes a race between a checkpoint and a WAL reset that could lose commits (https://sqlite.org/wal.html#walresetbug). */
const OLDEST_LIBRARY = [3, 51, 3]
const BUSY_TIMEOUT_MS = 5000
const FULL = 2
const MAX_STATEMENTS = 300
/** What a transaction changes beyond this goes into the log while it runs, and is not all left to its commit. */
const CACHE_KIB = 4096

/** Opens an existing file without writing to it. */
export function openConnection(path: string): Connection {
  return onStorage(path, () => openWarily(path, { timeout: BUSY_TIMEOUT_MS }))
}

/** Waiting is what the look itself is for: whoever holds the file for so long holds it for good. */
const LOOKING_TIMEOUT_MS = 500

/** Opens an existing file beside whoever works on it, to read and for nothing else. Throws what SQLite throws. */
export const openForLooking = (path: string): Connection =>
  openWarily(path, { timeout: LOOKING_TIMEOUT_MS, readonly: true })

/**
 * A hand-made schema cannot run functions of its own (`trusted_schema`), and every page is measured before it is believed
 * (`cell_size_check`).
 */
function openWarily(path: string, options: Database.Options): Connection {
  const connection = new Database(path, { ...options, fileMustExist: true })
  try {
    assertLibrary(connection)
    connection.pragma('trusted_schema = OFF')
    connection.pragma('cell_size_check = ON')
    return connection
  } catch (error) {
    // One that is left open would keep the log of the next start from being written back.
    connection.close()
    throw error
  }
}

/**
 * The settings that every writing connection needs. better-sqlite3 is built so that WAL means `synchronous=NORMAL`,
 * which loses acknowledged commits on power loss, so FULL is set each time and asserted after a write.
 */
export function makeDurable(connection: Connection): void {
  const mode = connection.pragma('journal_mode = WAL', { simple: true })
  if (mode !== 'wal')
    throw new Failure(
      'store_unavailable',
      `${connection.name}: the file system cannot hold a write-ahead log (journal mode stays "${String(mode)}"). ` +
        'Put the data directory on a local disk.',
    )
  connection.pragma('synchronous = FULL')
  connection.pragma('foreign_keys = ON')
  connection.pragma(`cache_size = -${CACHE_KIB}`)
}

/** To be called after a write: before the first one the pragma reads FULL even where it will not hold. */
export function assertDurable(connection: Connection): void {
  const level = connection.pragma('synchronous', { simple: true })
  if (level !== FULL)
    throw new Failure(
      'store_unavailable',
      `${connection.name}: commits are not durable (synchronous is ${String(level)}, wanted ${FULL}).`,
    )
}

function assertLibrary(connection: Connection): void {
  const version = connection.prepare<[], string>('SELECT sqlite_version()').pluck().get()!
  const parts = version.split('.').map(Number)
  const first = OLDEST_LIBRARY.findIndex((part, i) => parts[i] !== part)
  if (first >= 0 && (parts[first] ?? 0) < OLDEST_LIBRARY[first]!)
    throw new Failure(
      'store_unavailable',
      `SQLite ${version} can lose commits; ${OLDEST_LIBRARY.join('.')} is needed. Install the pinned better-sqlite3.`,
    )
}

/**
 * What the query builder gets: statements are prepared once per text, and every refusal becomes a failure.
 *
 * SQLite ends a transaction by itself when a statement in it meets a full disk or a broken one. Whatever ran after that
 * would commit alone, so `guarded` refuses it: `transacting` says whether a transaction is meant to be open.
 */
export function guarded(connection: Connection, transacting: () => boolean): SqliteDatabase {
  const statements = new Map<string, SqliteStatement>()
  const path = connection.name
  const run = <T>(work: () => T): T => {
    if (!connection.open) throw new Failure('store_unavailable', `${path}: the store is closed.`)
    if (transacting() && !connection.inTransaction)
      throw new Failure('store_unavailable', `${path}: the transaction was rolled back before its end.`)
    return onStorage(path, work)
  }
  const prepare = (sql: string): SqliteStatement => {
    const statement = run(() => connection.prepare<unknown[]>(sql))
    return {
      reader: statement.reader,
      all: (parameters) => run(() => statement.all(parameters)),
      run: (parameters) => run(() => statement.run(parameters)),
      iterate: (parameters) => run(() => statement.iterate(parameters)),
    }
  }
  return {
    close: () => connection.close(),
    prepare(sql) {
      const known = statements.get(sql)
      if (known !== undefined) return known
      if (statements.size >= MAX_STATEMENTS) statements.delete(statements.keys().next().value!)
      const statement = prepare(sql)
      statements.set(sql, statement)
      return statement
    },
  }
}
