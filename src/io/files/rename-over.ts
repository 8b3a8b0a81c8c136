/**
 * Renaming over a file that somebody else writes, too, in place: what they write up to the very rename is not lost.
 *
 * Between the last look and the rename there is always a moment. So the old file keeps a second name over it: who had
 * begun to write in that moment wrote into the old file, as is seen there afterwards (opening a file to write it anew
 * empties it at once), and the old file is put back. A writer who renames in that moment cannot be seen.
 */
import { link, rename, unlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Failure, systemErrorCode } from '../../kernel/failure.ts'
import { newTempName } from './temps.ts'

/** What may stand at the path: the same as the caller has seen. */
export interface Expectation {
  /** That nothing stands there. */
  readonly absent: boolean
  isMet(at: string, signal: AbortSignal): Promise<boolean>
}

/** Throws `conflict`; then what somebody else wrote stands. */
export async function renameOver(
  temp: string,
  path: string,
  { expectation, signal }: { readonly expectation: Expectation; readonly signal: AbortSignal },
): Promise<void> {
  const kept = expectation.absent ? null : await secondName(path, dirname(temp))
  try {
    if (!(await expectation.isMet(path, signal))) throw overtaken(path)
    if (expectation.absent) return await renameToNothing(temp, path)
    await rename(temp, path)
    // Not to be broken off: what is there now may have to be taken back.
    if (kept === null || (await expectation.isMet(kept, new AbortController().signal))) return
    await rename(kept, path)
    throw overtaken(path)
  } finally {
    if (kept !== null) await unlink(kept).catch(() => undefined)
  }
}

/** Null where the file system has no second names, or they are not for us to give. */
async function secondName(path: string, folder: string): Promise<string | null> {
  const kept = join(folder, newTempName())
  return link(path, kept).then(
    () => kept,
    () => null,
  )
}

/** A link, unlike a rename, never takes the place of a file that has come in the meantime. */
export async function renameToNothing(temp: string, path: string): Promise<void> {
  try {
    await link(temp, path)
  } catch (error) {
    const code = systemErrorCode(error) ?? ''
    if (code === 'EEXIST') throw overtaken(path)
    if (!['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'].includes(code)) throw error
    return rename(temp, path)
  }
  await unlink(temp)
}

export const overtaken = (path: string): Failure =>
  new Failure('conflict', `${path} was changed by somebody else while it was being replaced.`)
