/** Every refusal of SQLite and of the file system has one code, names the file and says what would help. */
import { SqliteError } from 'better-sqlite3'
import { expect, test } from 'vitest'
import { storageFailure } from '../../src/store/failures.ts'
import { Failure, type FailureCode } from '../../src/kernel/failure.ts'

const PATH = '/data/plumbline.db'

const system = (code: string): Error => Object.assign(new Error(`${code}: refused`), { code })

test.each<[string, FailureCode, string]>([
  ['SQLITE_FULL', 'storage_full', 'free space'],
  ['SQLITE_IOERR_SHMSIZE', 'storage_full', 'free space'],
  ['ENOSPC', 'storage_full', 'free space'],
  ['EDQUOT', 'storage_full', 'free space'],
  ['SQLITE_READONLY', 'storage_unwritable', 'writable'],
  ['SQLITE_READONLY_DBMOVED', 'storage_unwritable', 'writable'],
  ['SQLITE_CANTOPEN', 'storage_unwritable', 'writable'],
  ['SQLITE_CANTOPEN_ISDIR', 'storage_unwritable', 'writable'],
  ['SQLITE_PERM', 'storage_unwritable', 'writable'],
  ['EACCES', 'storage_unwritable', 'writable'],
  ['EROFS', 'storage_unwritable', 'PLUMBLINE_DATA_DIR'],
  ['SQLITE_BUSY', 'store_unavailable', 'Stop that process'],
  ['SQLITE_BUSY_SNAPSHOT', 'store_unavailable', 'Stop that process'],
  ['SQLITE_IOERR_FSYNC', 'store_unavailable', 'Check the disk'],
  ['SQLITE_NOMEM', 'store_unavailable', 'Check'],
  ['EIO', 'store_unavailable', 'Check the disk'],
  ['EMFILE', 'store_unavailable', 'Check'],
  ['SQLITE_CORRUPT', 'database_corrupt', 'restore a backup'],
  ['SQLITE_CORRUPT_INDEX', 'database_corrupt', 'restore a backup'],
  ['SQLITE_NOTADB', 'database_corrupt', 'restore a backup'],
])('%s becomes %s', (code, wanted, help) => {
  const refusal = code.startsWith('SQLITE') ? new SqliteError('refused', code) : system(code)
  const failure = storageFailure(refusal, PATH)
  expect(failure).toBeInstanceOf(Failure)
  expect(failure).toMatchObject({ code: wanted, cause: refusal })
  expect((failure as Failure).message).toContain(PATH)
  expect((failure as Failure).message).toContain(help)
  expect((failure as Failure).message).toContain(code)
})

test.each(['SQLITE_CONSTRAINT_CHECK', 'SQLITE_CONSTRAINT_DATATYPE', 'SQLITE_ERROR', 'SQLITE_MISUSE'])(
  '%s is our own fault, and its text stays inside',
  (code) => {
    const failure = storageFailure(new SqliteError('near "x": secret', code), PATH) as Failure
    expect(failure.code).toBe('internal')
    expect(failure.message).not.toContain('secret')
    expect(failure.details.inside).toContain('secret')
  },
)

test('what is no refusal stays what it is', () => {
  const errors = [new Failure('conflict', 'x'), new TypeError('x'), system('ERR_INVALID_ARG_TYPE')]
  for (const error of errors) expect(storageFailure(error, PATH)).toBe(error)
})
