/**
 * Writing the log back into the main file apart from the commit. SQLite does it within the commit that makes the log long
 * enough, and nobody else has a turn before both are on the disk.
 */
import type { Connection } from './connection.ts'

/** SQLite's own default: https://sqlite.org/pragma.html#pragma_wal_autocheckpoint */
const AUTOMATIC_PAGES = 1000

/** For a commit that leaves it to `writeBack`. */
export async function withoutWritingBack<T>(connection: Connection, commit: () => Promise<T>): Promise<T> {
  connection.pragma('wal_autocheckpoint = 0')
  try {
    return await commit()
  } finally {
    connection.pragma(`wal_autocheckpoint = ${AUTOMATIC_PAGES}`)
  }
}

/** What is committed is durable without it: where it fails, the next commit tries again, as after those of SQLite's own. */
export function writeBack(connection: Connection): void {
  try {
    connection.pragma('wal_checkpoint(PASSIVE)')
  } catch {
    // As SQLite does it.
  }
}
