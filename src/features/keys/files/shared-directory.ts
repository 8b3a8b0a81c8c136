/** Whether others may write to the folder of our own files, where they could plant what is read as ours, or read our key. */
import { stat } from 'node:fs/promises'
import type { Log } from '../../../kernel/log.ts'

export async function warnIfShared(directory: string, log: Log): Promise<void> {
  const { mode } = await stat(directory)
  if ((mode & 0o022) === 0) return
  log.warn('others may write to the data directory, and could plant a key or a database there', {
    directory,
    mode: (mode & 0o777).toString(8),
    remedy: `chmod 700 ${directory}`,
  })
}

/** Of a file with a key in it. */
export async function warnIfReadable(path: string, log: Log): Promise<void> {
  const { mode } = await stat(path)
  if ((mode & 0o077) === 0) return
  log.warn('others may read the API key', {
    path,
    mode: (mode & 0o777).toString(8),
    remedy: `chmod 600 ${path}`,
  })
}
