/** The folder of a managed file: resolved once, made when it is missing, and never swapped under our hands. */
import { chmodSync, realpathSync, statSync } from 'node:fs'
import { chmod, realpath } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { Failure, systemErrorCode } from '../../kernel/failure.ts'
import { makeFolder } from '../../kernel/make-folder.ts'
import { writeFault } from './faults.ts'

// The proxy reads the files as another user; the umask of a service unit is often 077.
const MODE = 0o755

export interface ResolvedPath {
  readonly path: string
  readonly directory: string
  readonly base: string
  /** Anybody on the host may put files into the folder. */
  readonly open_to_all: boolean
}

/** Links in the folder's path are followed here, once. Throws `storage_unwritable` when the folder cannot be made. */
export function resolveDirectory(path: string): ResolvedPath {
  const wanted = resolve(path)
  const base = basename(wanted)
  if (base === '') throw new Failure('bad_configuration', `"${path}" is not the path of a file.`)
  try {
    if (makeFolder(dirname(wanted)) !== undefined) chmodSync(dirname(wanted), MODE)
    const directory = realpathSync(dirname(wanted))
    const { mode } = statSync(directory)
    return { path: join(directory, base), directory, base, open_to_all: (mode & 0o1002) === 0o002 }
  } catch (error) {
    throw writeFault(error, wanted)
  }
}

/**
 * Makes the folder anew when it was deleted, and refuses to write when it has become a link to somewhere else: that
 * would let whoever placed the link choose which file we overwrite.
 */
export async function secureDirectory(directory: string): Promise<void> {
  const real = await realpath(directory).catch(async (error: unknown) => {
    if (systemErrorCode(error) !== 'ENOENT') throw error
    makeFolder(directory)
    await chmod(directory, MODE)
    return realpath(directory)
  })
  if (real !== directory)
    throw new Failure(
      'storage_unwritable',
      `${directory} now leads to ${real}. If that is wanted, restart; else remove the symbolic link.`,
    )
}
