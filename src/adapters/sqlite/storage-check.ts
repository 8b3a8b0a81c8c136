/**
 * Whether the database could be written now, without writing: a connection of its own takes the write lock and gives it
 * back. It never waits for the lock, because a wait inside SQLite would hold up the whole process.
 */
import { type Stats, statSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import Database from 'better-sqlite3'
import type { Clock, Milliseconds } from '../../kernel/clock.ts'
import { Failure } from '../../kernel/failure.ts'
import type { CheckStorage, StorageState } from '../../ports/storage-check.ts'
import { onStorage } from './failures.ts'

/** A transaction of our own is over long before. */
const PATIENCE_MS: Milliseconds = 1000
const AGAIN_AFTER_MS: Milliseconds = 50

type Verdict = Pick<StorageState, 'writable' | 'detail'>

/** @param data_dir with the database open in it */
export function storageCheck(data_dir: string, clock: Clock): CheckStorage {
  const path = join(resolve(data_dir), 'plumbline.db')
  const opened = statSync(path)
  return async (signal) => {
    const until = clock.elapsed() + PATIENCE_MS
    for (;;) {
      signal.throwIfAborted()
      const verdict = verdictOn(path, opened)
      if (verdict.writable !== null || clock.elapsed() >= until)
        return { ...verdict, free_bytes: await freeBytes(dirname(path)) }
      await clock.sleep(AGAIN_AFTER_MS, signal)
    }
  }
}

/** SQLite deletes the log of a file that was emptied as soon as it opens it, and a rescue with it: so it is looked at first. */
function verdictOn(path: string, opened: Stats): Verdict {
  const found = statSync(path, { throwIfNoEntry: false })
  if (found === undefined) return no(`${path} is gone. Stop, and restore a backup.`)
  if (found.ino !== opened.ino || found.dev !== opened.dev)
    return no(`${path} is another file than the one that was opened. Stop, and see which is the right one.`)
  if (found.size === 0) return no(`${path} was emptied. Stop, and restore a backup.`)
  try {
    return onStorage(path, () => tryLock(path))
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    return error.code === 'store_unavailable' ? { writable: null, detail: error.message } : no(error.message)
  }
}

const no = (detail: string): Verdict => ({ writable: false, detail })

function tryLock(path: string): Verdict {
  const connection = new Database(path, { timeout: 0, fileMustExist: true })
  try {
    connection.exec('BEGIN IMMEDIATE')
    connection.exec('ROLLBACK')
    return { writable: true, detail: null }
  } finally {
    connection.close()
  }
}

/** What an ordinary user may take; null where the file system does not say. */
async function freeBytes(directory: string): Promise<number | null> {
  const found = await statfs(directory).catch(() => null)
  return found === null ? null : found.bavail * found.bsize
}
