/** Whether a folder lets its own owner in: one that does not is nobody's intent. */
import { statSync } from 'node:fs'
import { lstat, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { accessFault, type AccessRule, octal } from '../../model/file-access.ts'

const OWNER_ENTERS = 0o500

/** Why nobody but root gets into it, with what would help; null where they do, and where that cannot be told. */
export async function folderFault(folder: string): Promise<string | null> {
  const status = await stat(folder).catch(() => null)
  // What is no folder is told by the look at the file in it.
  if (status === null || !status.isDirectory() || (status.mode & OWNER_ENTERS) === OWNER_ENTERS) return null
  return `${folder} is closed (mode ${octal(status.mode)}). Open it: chmod u+rx ${folder}.`
}

/** Of a file by its mode, and of its folder; null for nothing, and where no file stands. */
export async function placeFault(path: string, rule: AccessRule): Promise<string | null> {
  const status = await lstat(path).catch(() => null)
  const fault = status?.isFile() === true ? accessFault(status, rule) : null
  if (fault !== null) return `${path} ${fault.what}: chmod ${octal(fault.mode)} ${path}.`
  return folderFault(dirname(path))
}

/** For a stamp: what the file's own does not show. */
export const isClosedFolder = (folder: string): boolean => {
  const status = statSync(folder, { throwIfNoEntry: false })
  return status?.isDirectory() === true && (status.mode & OWNER_ENTERS) !== OWNER_ENTERS
}
