/** What SQLite and the file system say when they refuse, as failures that name the file and what would help. */
import { Failure, type FailureCode, systemErrorCode } from '../kernel/failure.ts'

interface Refusal {
  readonly code: FailureCode
  readonly remedy: string
  /** SQLite reports extended codes (`SQLITE_IOERR_FSYNC`), Node plain ones (`EROFS`): beginnings are compared. */
  readonly prefixes: readonly string[]
}

/** The first that fits wins. https://sqlite.org/rescode.html */
const REFUSALS: readonly Refusal[] = [
  {
    code: 'storage_full',
    remedy: 'the disk is full, or its quota is. Nothing of this was saved; free space there and try again',
    prefixes: ['SQLITE_FULL', 'SQLITE_IOERR_SHMSIZE', 'ENOSPC', 'EDQUOT'],
  },
  {
    code: 'storage_unwritable',
    remedy: 'it cannot be opened for writing. Make the file, its folder and the mount writable for this user',
    prefixes: ['SQLITE_READONLY', 'SQLITE_CANTOPEN', 'SQLITE_PERM', 'EACCES', 'EPERM'],
  },
  {
    // ENOENT is what a recursive mkdir says on a read-only file system.
    code: 'storage_unwritable',
    remedy: 'it cannot be made there. Mount the disk writable, or choose another PLUMBLINE_DATA_DIR',
    prefixes: ['EROFS', 'ENOTDIR', 'EEXIST', 'EISDIR', 'ENOENT'],
  },
  {
    code: 'store_unavailable',
    remedy: 'another process holds it. Stop that process, or try again when it has finished',
    prefixes: ['SQLITE_BUSY', 'SQLITE_LOCKED'],
  },
  {
    code: 'database_corrupt',
    remedy: 'it is damaged, or no database at all. Stop, and restore a backup',
    prefixes: ['SQLITE_CORRUPT', 'SQLITE_NOTADB'],
  },
  {
    code: 'store_unavailable',
    remedy: 'the system did not answer as it must. Check the disk and the system log',
    prefixes: ['SQLITE_', 'E'],
  },
]

const OURS = ['SQLITE_ERROR', 'SQLITE_MISUSE', 'SQLITE_RANGE', 'SQLITE_MISMATCH', 'SQLITE_TOOBIG']

/**
 * The failure for anything that was thrown while the file at `path` was used. Failures pass unchanged; constraints
 * are `internal` until `conflicts.ts` has looked at them; what is no refusal at all stays what it is.
 */
export function storageFailure(error: unknown, path: string): unknown {
  const code = systemErrorCode(error)
  if (error instanceof Failure || code === null || code.startsWith('ERR_')) return error
  const inside = `${path}: ${code}: ${(error as Error).message}`
  if (code.startsWith('SQLITE_CONSTRAINT'))
    return new Failure('internal', 'The database refused what the rules had let through.', {
      inside,
      cause: error,
    })
  if (OURS.includes(code))
    return new Failure('internal', 'The database did not understand a query.', { inside, cause: error })
  const refusal = REFUSALS.find(({ prefixes }) => prefixes.some((prefix) => code.startsWith(prefix)))
  if (refusal === undefined) return error
  return new Failure(refusal.code, `${path}: ${refusal.remedy} (${code}).`, { inside, cause: error })
}

/** Runs `work` on the file at `path` and throws its refusals as failures. */
export function onStorage<T>(path: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw storageFailure(error, path)
  }
}
