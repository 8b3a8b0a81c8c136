/**
 * Being the one writer: a separate, empty database held in an exclusive transaction for the life of the process.
 *
 * The kernel keeps this lock (POSIX record locks), so it is freed however its holder dies, and it also excludes across
 * network and process-id namespaces. Such locks have one trap: closing *any* descriptor of the file in the same process
 * gives the lock away. So once `lock.db` is there, nothing but SQLite opens it, which shares descriptors for that reason.
 */
import { closeSync, existsSync, openSync } from 'node:fs'
import { join, resolve } from 'node:path'
import Database from 'better-sqlite3'
import { type Clock, isoTime, type Milliseconds, systemClock } from '../../kernel/clock.ts'
import { Failure, systemErrorCode } from '../../kernel/failure.ts'
import { makeFolder } from '../../kernel/make-folder.ts'
import type { HeldLock, Holder } from '../../ports/lock.ts'
import { onStorage } from '../failures.ts'
import { believedHolder, forgetHolder, namedHolder, writeHolderFile } from './holder-file.ts'
import { isAlive } from '../../kernel/process-alive.ts'

/** `readHolder` holds the lock for microseconds to see that it is free; a start in that instant must not fail. */
const BUSY_TIMEOUT_MS = 25
/** Of `readHolder` itself, where the process that calls itself the holder lives: a command waits for nothing else so long. */
const LIKELY_BUSY_TIMEOUT_MS = 1

/** A connection that nothing refers to is closed by the garbage collector, and the lock with it. */
const held = new Set<Database.Database>()

const lockPath = (directory: string): string => join(directory, 'lock.db')

/** Takes the lock, or throws `data_directory_in_use` naming the holder. Makes the directory when it is missing. */
export function holdLock(data_directory: string, clock: Clock = systemClock): HeldLock {
  const directory = resolve(data_directory)
  const path = lockPath(directory)
  onStorage(path, () => makeLockFile(path, directory))
  const lock = tryLock(path)
  if (lock === null) throw inUse(directory)
  const holder: Holder = { pid: process.pid, listen: null, since: isoTime(clock.now()) }
  try {
    writeHolderFile(directory, holder)
  } catch (error) {
    lock.close()
    throw error
  }
  held.add(lock)
  return {
    announce(listen) {
      if (lock.open) writeHolderFile(directory, { ...holder, listen })
    },
    release() {
      if (!lock.open) return
      // While the lock is still ours: a moment later the file can be a successor's.
      forgetHolder(directory)
      lock.close()
      held.delete(lock)
    },
  }
}

/**
 * Who holds the lock, or null when nobody does, whatever the file beside it says. A holder that has not yet said who it
 * is has pid 0 and an empty `since`. Throws `bad_configuration` where somebody else may have written that file.
 */
export function readHolder(data_directory: string): Holder | null {
  const directory = resolve(data_directory)
  const path = lockPath(directory)
  if (!existsSync(path)) return null
  const named = namedHolder(directory)
  const free = tryLock(path, named !== null && isAlive(named.pid) ? LIKELY_BUSY_TIMEOUT_MS : BUSY_TIMEOUT_MS)
  if (free === null) return believedHolder(directory) ?? { pid: 0, listen: null, since: '' }
  free.close()
  return null
}

function makeLockFile(path: string, directory: string): void {
  makeFolder(directory, 0o700)
  try {
    closeSync(openSync(path, 'wx', 0o600))
  } catch (error) {
    if (systemErrorCode(error) !== 'EEXIST') throw error
  }
}

/** The connection whose open transaction is the lock, or null when it is taken. */
function tryLock(path: string, timeout: Milliseconds = BUSY_TIMEOUT_MS): Database.Database | null {
  const connection = onStorage(path, () => new Database(path, { timeout, fileMustExist: true }))
  try {
    connection.exec('BEGIN EXCLUSIVE')
    return connection
  } catch (error) {
    connection.close()
    const code = systemErrorCode(error)
    if (code?.startsWith('SQLITE_BUSY') === true) return null
    if (code === 'SQLITE_NOTADB' || code === 'SQLITE_CORRUPT')
      throw new Failure('storage_unwritable', `${path} is damaged. It holds no data: remove it.`, {
        cause: error,
      })
    return onStorage(path, () => {
      throw error
    })
  }
}

function inUse(directory: string): Failure {
  const holder = namedHolder(directory)
  const who =
    holder === null
      ? 'another process, which has not yet said who it is'
      : `process ${holder.pid}, ${holder.listen === null ? 'not listening' : `listening on ${holder.listen}`}, since ${holder.since}`
  return new Failure(
    'data_directory_in_use',
    `The data directory ${directory} is in use by ${who}. Stop it, or choose another PLUMBLINE_DATA_DIR.`,
    { facts: holder === null ? {} : { ...holder } },
  )
}
