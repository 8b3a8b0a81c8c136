/** Somebody else on the host, who edits the routes file as editors do, and durably: what they wrote is owed to them. */
import { renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { syncPath } from './disk.ts'
import { worldIn } from './order.ts'

const MAX_TRIES = 5

export function replaceByHand(path: string, { by, folder }: { by: string; folder: string }): void {
  // On the disk of the file, or it could not be renamed.
  const draft = join(worldIn(folder), 'draft')
  insist(() => writeFileSync(draft, by))
  insist(() => syncPath(draft))
  insist(() => renameSync(draft, path))
  insist(() => syncPath(dirname(path)))
}

/** Tries again at once. */
export function insist<T>(deed: () => T): T {
  for (let tries = 1; ; tries++) {
    try {
      return deed()
    } catch (error) {
      if (tries === MAX_TRIES) throw error
    }
  }
}
