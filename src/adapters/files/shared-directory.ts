/** Whether others may write to the folder of our own files: they could plant what is read there as ours. */
import { stat } from 'node:fs/promises'
import type { Log } from '../../kernel/log.ts'

export async function warnIfShared(directory: string, log: Log): Promise<void> {
  const { mode } = await stat(directory)
  if ((mode & 0o022) === 0) return
  log.warn('others may write to the data directory, and could plant a key or a database there', {
    directory,
    mode: (mode & 0o777).toString(8),
    remedy: `chmod 700 ${directory}`,
  })
}
