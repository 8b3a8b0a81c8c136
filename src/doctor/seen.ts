/** What can be seen of a file or folder, as far as several worlds ask. */
import { access, constants, stat } from 'node:fs/promises'
import { systemErrorCode } from '../kernel/failure.ts'

export interface Seen {
  /** By us; of a folder: files can be made and replaced in it. */
  readonly is_writable: boolean
  /** Whether its mode lets anybody but its owner do anything. */
  readonly is_open_to_others: boolean
}

/** Null where nothing is there. */
export async function see(path: string): Promise<Seen | null> {
  const found = await stat(path).catch(() => null)
  if (found === null) return null
  return { is_writable: await isWritable(path), is_open_to_others: (found.mode & 0o077) !== 0 }
}

async function isWritable(path: string): Promise<boolean> {
  try {
    await access(path, constants.W_OK | constants.X_OK)
    return true
  } catch (error) {
    if (systemErrorCode(error) === null) throw error
    return false
  }
}
