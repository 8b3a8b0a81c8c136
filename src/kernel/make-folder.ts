/**
 * A folder with its parents, made one by one. Node's own way (`recursive`) tries for ever where a file system says that the
 * parent is missing although it is there, as `/proc` does (24.21).
 */
import { mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { systemErrorCode } from './failure.ts'

/**
 * Throws what the system says.
 * @param mode of all that are made
 * @returns the first that was made, undefined where it was there
 */
export function makeFolder(folder: string, mode = 0o777): string | undefined {
  if (isMade(folder, mode)) return folder
  if (isFolder(folder)) return undefined
  const first = makeFolder(dirname(folder), mode)
  // Somebody else may have been faster.
  if (!isFolder(folder)) mkdirSync(folder, { mode })
  return first ?? folder
}

/** False where its parent is missing, or it is there. */
function isMade(folder: string, mode: number): boolean {
  try {
    mkdirSync(folder, { mode })
    return true
  } catch (error) {
    const code = systemErrorCode(error)
    if (isFolder(folder) || (code === 'ENOENT' && dirname(folder) !== folder)) return false
    throw error
  }
}

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
