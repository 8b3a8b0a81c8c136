/** What can be seen of a file or folder, as far as several worlds ask. */
import { access, constants, stat } from 'node:fs/promises'
import type { Finding } from '../cli/verb.ts'
import { systemErrorCode } from '../kernel/failure.ts'
import { bad } from './finding.ts'

export interface Seen {
  /** By us; of a folder: files can be made and replaced in it. */
  readonly is_writable: boolean
  /** Whether its mode lets anybody but its owner do anything. */
  readonly is_open_to_others: boolean
  /** Whether it lets others write. */
  readonly is_writable_by_others: boolean
}

/** Null where nothing is there; `hidden` where this user may not know. */
export async function see(path: string): Promise<Seen | 'hidden' | null> {
  const found = await stat(path).catch((error: unknown) => systemErrorCode(error))
  if (found === 'ENOENT' || found === 'ENOTDIR') return null
  if (found === null || typeof found === 'string') return 'hidden'
  return {
    is_writable: await isWritable(path),
    is_open_to_others: (found.mode & 0o077) !== 0,
    is_writable_by_others: (found.mode & 0o022) !== 0,
  }
}

export const hidden = (check: string, path: string): Finding =>
  bad(
    check,
    `${path} cannot be seen by this user`,
    'Look as the user that runs Plumbline, and let that user into the folders above it.',
  )

async function isWritable(path: string): Promise<boolean> {
  try {
    await access(path, constants.W_OK | constants.X_OK)
    return true
  } catch (error) {
    if (systemErrorCode(error) === null) throw error
    return false
  }
}
