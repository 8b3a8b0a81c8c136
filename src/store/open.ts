/** Opening the store: prove that the file is ours and sound, bring its schema up to date, then hand it out. */
import { chmodSync, closeSync, lstatSync, openSync, type Stats, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { SqliteError } from 'better-sqlite3'
import type { Clock } from '../kernel/clock.ts'
import { Failure } from '../kernel/failure.ts'
import type { Log } from '../kernel/log.ts'
import { makeFolder } from '../kernel/make-folder.ts'
import type { Store } from '../ports/store.ts'
import { assertDurable, type Connection, makeDurable, openConnection } from './connection.ts'
import { onStorage } from './failures.ts'
import { backUp, newestBackup, newestSaved } from './files/backups.ts'
import { BallastFile } from './files/ballast.ts'
import { syncPath } from './files/durable-file.ts'
import { foundIn, identify, noteOpening } from './files/identity.ts'
import {
  assertOurs,
  type DirectoryContent,
  type Installation,
  type DirectoryState,
  readMarker,
  restoreAdvice,
  writeMarker,
} from './files/installation.ts'
import { DatabaseFiles } from './files/open-files.ts'
import {
  appliedMigrations,
  applyMigration,
  type Migration,
  ownMigrations,
  pendingMigrations,
} from './migrations.ts'
import { storeOn } from './store.ts'

export interface StoreOptions {
  /** The data directory; made when it is missing. The caller holds its lock. */
  readonly directory: string
  readonly log: Log
  readonly clock: Clock
  /** In order; by default those in `schema/`. */
  readonly migrations?: readonly Migration[]
}

export interface OpenedStore extends Store {
  readonly files: DatabaseFiles
  readonly ballast: BallastFile
}

/**
 * Opens `plumbline.db` in the data directory, or makes it for a new installation. Throws a Failure: `database_missing`,
 * `database_corrupt`, `schema_too_new`, `storage_full`, `storage_unwritable`, `store_unavailable`. Nothing is changed
 * then but, at the most, by a migration that succeeded before.
 */
export async function openStore(options: StoreOptions): Promise<OpenedStore> {
  const directory = resolve(options.directory)
  const place: DirectoryState = {
    directory,
    marker: readMarker(directory),
    newest_backup: newestBackup(directory, { until: options.clock.now() }),
    newest_saved: newestSaved(directory),
  }
  const path = join(directory, 'plumbline.db')
  onStorage(path, () => prepareFile(path, place))
  let connection: Connection | null = null
  try {
    connection = openConnection(path)
    const installation = onStorage(path, () => examineAndUpgrade(connection!, place, options))
    if (place.marker?.id !== installation.id) {
      writeMarker(directory, installation)
      options.log.info('installation marker written', { installation_id: installation.id })
    }
    const files = new DatabaseFiles(connection, options)
    const ballast = new BallastFile(directory, options.log)
    ballast.keep()
    return Object.assign(storeOn(connection, installation.id, { files, ballast }), { files, ballast })
  } catch (error) {
    connection?.close()
    throw withAdvice(error, path, place)
  }
}

/**
 * Makes the file, or closes it to others: the log and its index inherit its mode. That it is missing or empty is decided
 * before SQLite sees it, which would delete the log of a file that was emptied, and a rescue with it.
 */
function prepareFile(path: string, place: DirectoryState): void {
  const stats: Stats | undefined = statSync(path, { throwIfNoEntry: false })
  const is_link = lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true
  if (stats === undefined) {
    assertOurs(place, 'nothing')
    makeFolder(place.directory, 0o700)
    closeSync(openSync(path, 'wx', 0o600))
    syncPath(place.directory)
  } else if (stats.isFile()) {
    if (stats.size === 0) assertOurs(place, 'no tables')
    // What a link leads to may be anybody's: it is not known to be a database yet.
    if (!is_link && (stats.mode & 0o077) !== 0) chmodSync(path, 0o600)
  }
}

function examineAndUpgrade(
  connection: Connection,
  place: DirectoryState,
  { log, clock, migrations = ownMigrations() }: StoreOptions,
) {
  assertSound(connection)
  const found = foundIn(connection)
  assertOurs(place, found)
  return bringUpToDate(connection, { directory: place.directory, found, migrations, log, clock })
}

/** What SQLite calls damage, with the way back. */
function withAdvice(error: unknown, path: string, place: DirectoryState): unknown {
  if (!(error instanceof Failure) || error.code !== 'database_corrupt' || !(error.cause instanceof Error))
    return error
  return new Failure(
    'database_corrupt',
    `${path} is damaged: ${error.cause.message}. Nothing was changed. ${restoreAdvice(place)}`,
    { cause: error.cause },
  )
}

/** Lines of damage that are shown. */
const MAX_FAULTS = 3

/**
 * Whether a database file is sound, before anything relies on it. Throws what SQLite would throw on meeting the damage.
 * `integrity_check` reads every page and index and tries every constraint; `quick_check` leaves the indexes out and misses
 * most of what single flipped bits do.
 */
function assertSound(connection: Connection): void {
  const found = connection.prepare<[], string>(`PRAGMA integrity_check(${MAX_FAULTS})`).pluck().all()
  if (found.length !== 1 || found[0] !== 'ok') throw new SqliteError(found.join('; '), 'SQLITE_CORRUPT')
  const [broken] = connection.pragma('foreign_key_check') as { table: string; parent: string }[]
  if (broken !== undefined)
    throw new SqliteError(`broken references from ${broken.table} to ${broken.parent}`, 'SQLITE_CORRUPT')
}

// From a sound file to one with the newest schema, an identity and durable commits.

interface UpgradeOptions {
  readonly directory: string
  readonly found: DirectoryContent
  readonly migrations: readonly Migration[]
  readonly log: Log
  readonly clock: Clock
}

/** Copies the database before it changes its schema. Throws `schema_too_new`. */
function bringUpToDate(connection: Connection, options: UpgradeOptions): Installation {
  const { directory, found, migrations, log, clock } = options
  const applied = appliedMigrations(connection)
  const pending = pendingMigrations(migrations, applied, connection.name)
  const fresh = typeof found === 'string'
  if (pending.length > 0 && !fresh) {
    const backup = backUp(connection, directory, { schema: applied.at(-1)?.number ?? 0, at: clock.now() })
    log.info('database backed up', { path: backup })
  }
  makeDurable(connection)
  const installation = fresh ? create(connection, pending, clock) : found
  if (!fresh) for (const migration of pending) applyMigration(connection, migration, clock.now())
  noteOpening(connection, clock.now())
  assertDurable(connection)
  if (pending.length > 0) log.info('schema migrated', { from: applied.length, to: migrations.length })
  return installation
}

/** Tables and identity in one transaction: a database with tables but no identity is never ours. */
const create = (connection: Connection, pending: readonly Migration[], clock: Clock): Installation =>
  connection
    .transaction(() => {
      for (const migration of pending) applyMigration(connection, migration, clock.now())
      return identify(connection, clock.now())
    })
    .immediate()
