/** What SQLite and the file system say when they refuse, as failures that name the file and what would help. */
import { Failure, type FailureCode, systemErrorCode } from '../../kernel/failure.ts'

/**
 * First prefix wins. SQLite reports extended codes (`SQLITE_IOERR_FSYNC`), Node plain ones (`EROFS`).
 * https://sqlite.org/rescode.html
 */
const REFUSALS: readonly (readonly [prefix: string, FailureCode, remedy: string])[] = [
  [
    'SQLITE_FULL',
    'storage_full',
    'the disk is full. Nothing of this was saved; free space there and try again',
  ],
  [
    'SQLITE_IOERR_SHMSIZE',
    'storage_full',
    'the disk is full. Nothing of this was saved; free space there and try again',
  ],
  ['ENOSPC', 'storage_full', 'the disk is full. Nothing of this was saved; free space there and try again'],
  [
    'EDQUOT',
    'storage_full',
    'the disk quota is used up. Nothing of this was saved; free space there and try again',
  ],
  [
    'SQLITE_READONLY',
    'storage_unwritable',
    'it cannot be written. Make the file, its folder and the mount writable for this user',
  ],
  [
    'SQLITE_CANTOPEN',
    'storage_unwritable',
    'it cannot be opened. Make the file and its folder readable and writable for this user',
  ],
  [
    'SQLITE_PERM',
    'storage_unwritable',
    'access is denied. Make the file and its folder readable and writable for this user',
  ],
  [
    'EACCES',
    'storage_unwritable',
    'access is denied. Make the file and its folder readable and writable for this user',
  ],
  ['EPERM', 'storage_unwritable', 'access is denied. Make the file and its folder belong to this user'],
  [
    'EROFS',
    'storage_unwritable',
    'the file system is read-only. Mount it writable, or choose another PLUMBLINE_DATA_DIR',
  ],
  ['ENOTDIR', 'storage_unwritable', 'a part of its path is not a folder. Choose another PLUMBLINE_DATA_DIR'],
  ['EEXIST', 'storage_unwritable', 'a part of its path is not a folder. Choose another PLUMBLINE_DATA_DIR'],
  // What a recursive mkdir says on a read-only file system.
  [
    'ENOENT',
    'storage_unwritable',
    'its folder is missing and cannot be made. Make it, or choose another PLUMBLINE_DATA_DIR',
  ],
  ['EISDIR', 'storage_unwritable', 'a folder stands in its place. Move the folder away'],
  [
    'SQLITE_BUSY',
    'store_unavailable',
    'another process holds it. Stop that process, or try again when it has finished',
  ],
  [
    'SQLITE_LOCKED',
    'store_unavailable',
    'another process holds it. Stop that process, or try again when it has finished',
  ],
  ['SQLITE_CORRUPT', 'database_corrupt', 'it is damaged. Stop, and restore a backup'],
  [
    'SQLITE_NOTADB',
    'database_corrupt',
    'it is not a database, or its head is damaged. Stop, and restore a backup',
  ],
  ['SQLITE_', 'store_unavailable', 'it did not answer as it must. Check the disk and the system log'],
  ['E', 'store_unavailable', 'the system refused it. Check the disk and the system log'],
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
  const refusal = REFUSALS.find(([prefix]) => code.startsWith(prefix))
  if (refusal === undefined) return error
  return new Failure(refusal[1], `${path}: ${refusal[2]} (${code}).`, { inside, cause: error })
}

/** Runs `work` on the file at `path` and throws its refusals as failures. */
export function onStorage<T>(path: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw storageFailure(error, path)
  }
}
