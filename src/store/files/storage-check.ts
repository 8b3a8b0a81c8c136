/**
 * Whether the database could be written now, without writing: a connection of its own takes the write lock and gives it
 * back. It never waits for the lock, because a wait inside SQLite would hold up the whole process.
 */
import { accessSync, constants } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import Database from 'better-sqlite3'
import { type Milliseconds, systemClock } from '../../kernel/clock.ts'
import { Failure } from '../../kernel/failure.ts'
import type { CheckStorage, OpenFiles, StorageState } from '../../ports/storage-check.ts'
import type { Connection } from '../connection.ts'
import { onStorage } from '../failures.ts'

/** A transaction of our own is over long before. */
const BUSY_TIMEOUT_MS: Milliseconds = 1000
const AGAIN_AFTER_MS: Milliseconds = 50

type WriteCheck = Pick<StorageState, 'writable' | 'detail'>

const CLOSING: WriteCheck = { writable: null, detail: 'The database is being closed.' }

export interface StorageWatch {
  readonly check: CheckStorage
  /** Before the store is closed: whoever closes last writes the log back. A look that comes later opens nothing. */
  close(): void
}

/**
 * Waits by the machine's clock, as whoever holds the lock does.
 * @param files of the database that is open in the data directory
 */
export function storageWatch(data_dir: string, files: OpenFiles): StorageWatch {
  const path = join(resolve(data_dir), 'plumbline.db')
  let connection: Connection | null = null
  let closed = false
  const checkWritable = (): WriteCheck => {
    // First: SQLite deletes the log of a file that was emptied as soon as it opens it, and a rescue with it.
    const hindrance = files.hindrance()
    if (hindrance !== null) return { writable: false, detail: hindrance }
    return lockable(path, () => (connection ??= new Database(path, { timeout: 0, fileMustExist: true })))
  }
  return {
    async check(signal) {
      const until = systemClock.elapsed() + BUSY_TIMEOUT_MS
      for (;;) {
        signal.throwIfAborted()
        const found = closed ? CLOSING : checkWritable()
        if (closed || found.writable !== null || systemClock.elapsed() >= until)
          return { ...found, free_bytes: await freeBytes(dirname(path)) }
        await systemClock.sleep(AGAIN_AFTER_MS, signal)
      }
    },
    close() {
      closed = true
      connection?.close()
      connection = null
    },
  }
}

function lockable(path: string, connect: () => Connection): WriteCheck {
  try {
    return onStorage(path, () => {
      // An open connection does not notice that the mount or the mode is another by now.
      accessSync(path, constants.W_OK)
      accessSync(dirname(path), constants.W_OK)
      const connection = connect()
      connection.exec('BEGIN IMMEDIATE')
      connection.exec('ROLLBACK')
      return { writable: true, detail: null }
    })
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    return { writable: error.code === 'store_unavailable' ? null : false, detail: error.message }
  }
}

/** What an ordinary user may take; null where the file system does not say. */
async function freeBytes(directory: string): Promise<number | null> {
  const found = await statfs(directory).catch(() => null)
  return found === null ? null : found.bavail * found.bsize
}
