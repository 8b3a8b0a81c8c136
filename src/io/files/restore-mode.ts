/** Putting the mode of a file right, whose bytes stay. */
import { chmod, type FileHandle, lstat, open } from 'node:fs/promises'
import { Failure, systemErrorCode } from '../../kernel/failure.ts'
import { octal } from '../../model/file-access.ts'
import { writeFault } from './faults.ts'
import { SAFE_READ } from './look.ts'

/**
 * By a handle, so that nothing that takes its place meanwhile is changed; by its name where it is closed against ourselves.
 * Anything but a file is left alone. Throws a Failure (`storage_unwritable`) where the mode is not ours to change.
 */
export async function restoreMode(path: string, mended: (mode: number) => number): Promise<void> {
  try {
    const found = await lstat(path)
    if (!found.isFile() || mended(found.mode) === (found.mode & 0o777)) return
    const handle = await openUnlessClosed(path)
    if (handle === null) return await chmod(path, mended(found.mode)).catch(notOurs(path, mended(found.mode)))
    try {
      const now = await handle.stat()
      if (now.isFile()) await handle.chmod(mended(now.mode)).catch(notOurs(path, mended(now.mode)))
    } finally {
      await handle.close()
    }
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT') return
    throw writeFault(error, path)
  }
}

/** Null where it is closed against ourselves. */
const openUnlessClosed = (path: string): Promise<FileHandle | null> =>
  open(path, SAFE_READ).catch((error: unknown) => {
    if (systemErrorCode(error) === 'EACCES') return null
    throw error
  })

const notOurs =
  (path: string, mode: number) =>
  (error: unknown): never => {
    if (systemErrorCode(error) !== 'EPERM') throw error
    throw new Failure(
      'storage_unwritable',
      `${path} belongs to somebody else, who alone may change its mode: chmod ${octal(mode)} ${path}.`,
      { cause: error },
    )
  }
