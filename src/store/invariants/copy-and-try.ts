/** The copy of a day: made beside whoever works on the database, tried by every rule, and kept only where it is sound. */
import { rmSync, statfsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { type Connection, openForLooking } from '../connection.ts'
import { copyUntried, keepDaily, untriedCopy } from '../files/backups.ts'
import { syncPath } from '../files/durable-file.ts'
import { readMarker } from '../files/installation.ts'
import { allUnknown, lookByAll, reason } from './look.ts'
import type { Looked, LookOptions } from './rule.ts'

/** What is left for others on the disk, beside as much again as the copy takes. */
const SPARED_BYTES = 64 * 1024 * 1024

/** What could not be done is null, with the reason. Never throws. */
export function copyAndTry(
  directory: string,
  { kept, ...options }: LookOptions & { readonly kept: number },
): readonly Looked[] {
  const path = join(directory, 'plumbline.db')
  let connection: Connection | null = null
  try {
    assertSpace(path)
    connection = openForLooking(path)
    const copy = copyUntried(connection, directory)
    connection.close()
    syncPath(copy)
    connection = openForLooking(copy)
    const looked = lookByAll({ connection, directory }, options)
    const from = readMarker(directory)?.created_at ?? null
    if (looked.every(({ holds }) => holds === true)) keepDaily(directory, { at: options.now, kept, from })
    return looked
  } catch (error) {
    return allUnknown(options, `${path} could not be copied: ${reason(error)}`)
  } finally {
    connection?.close()
    rmSync(untriedCopy(directory), { force: true })
  }
}

/** A full disk stops the daemon from keeping what it acknowledges, which counts for more than a copy. */
function assertSpace(path: string): void {
  const bytes = [path, `${path}-wal`].reduce(
    (sum, file) => sum + (statSync(file, { throwIfNoEntry: false })?.size ?? 0),
    0,
  )
  const { bavail, bsize } = statfsSync(path)
  if (bavail * bsize < 2 * bytes + SPARED_BYTES)
    throw new Error(`its disk has ${Math.floor((bavail * bsize) / 1e6)} MB left, which is too little`)
}
