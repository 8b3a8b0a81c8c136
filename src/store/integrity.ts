/** Whether a database file is sound, before anything relies on it. */
import { SqliteError } from 'better-sqlite3'
import type { Connection } from './connection.ts'

const MOST_FAULTS = 3

/**
 * Throws what SQLite would throw on meeting the damage. `integrity_check` reads every page and index and tries every
 * constraint; `quick_check` leaves the indexes out and misses most of what single flipped bits do.
 */
export function assertSound(connection: Connection): void {
  const found = connection.prepare<[], string>(`PRAGMA integrity_check(${MOST_FAULTS})`).pluck().all()
  if (found.length !== 1 || found[0] !== 'ok') throw new SqliteError(found.join('; '), 'SQLITE_CORRUPT')
  const [broken] = connection.pragma('foreign_key_check') as { table: string; parent: string }[]
  if (broken !== undefined)
    throw new SqliteError(`broken references from ${broken.table} to ${broken.parent}`, 'SQLITE_CORRUPT')
}
