/**
 * Putting new bytes in place of a file: written completely elsewhere, synced, renamed over, folder synced. Until the
 * rename the old file stands as it was; after it the new one does; a reader never sees anything between.
 */
import type { Stats } from 'node:fs'
import { lstat, open, rename, unlink } from 'node:fs/promises'
import { systemErrorCode } from '../../kernel/failure.ts'
import type { Log } from '../../kernel/log.ts'
import { secureDirectory } from './directory.ts'
import { keepEvidence, moveDirectoryAside } from './evidence.ts'
import { writeFault } from './faults.ts'
import { type Expectation, overtaken, renameOver, renameToNothing } from './rename-over.ts'
import type { Workplace } from './workplace.ts'
import { writeTemp } from './write-temp.ts'

export interface Replacement {
  readonly path: string
  readonly chunks: readonly Uint8Array[]
  readonly mode: number
  readonly keeps_mode?: true
  /** The mode that takes the place of a file's own; goes before the others. */
  readonly mended?: (mode: number) => number
  /** For a file that somebody else writes, too. */
  readonly expectation?: Expectation
  readonly evidence: boolean
  readonly kept?: ((path: string) => void) | undefined
  /** The file as it was last seen: whose it was, and its mode, hold for what takes the place of something else. */
  readonly owned?: Stats | null
  readonly log: Log
}

// The sibling folder may be on another mount, and that one may be full or read-only; the file's own folder decides.
const TRY_ELSEWHERE = ['EXDEV', 'EACCES', 'EPERM', 'EROFS', 'ENOENT', 'ENOTDIR', 'ENOSPC', 'EDQUOT']

/**
 * Throws a Failure (`storage_full`, `storage_unwritable`) that names path and remedy; then the old file stands. The one
 * exception is a disk that fails to sync the folder after the rename: then the new file stands, whole.
 */
export async function replaceFile(
  workplace: Workplace,
  replacement: Replacement,
  signal: AbortSignal,
): Promise<void> {
  try {
    await secureDirectory(workplace.directory)
    // Opened first: a process that is out of descriptors must fail before the rename, not after it.
    const directory = await open(workplace.directory, 'r')
    try {
      await replaceFromBestFolder(workplace, replacement, signal)
      await directory.sync()
    } finally {
      await directory.close()
    }
  } catch (error) {
    throw writeFault(error, replacement.path)
  }
}

async function replaceFromBestFolder(
  workplace: Workplace,
  replacement: Replacement,
  signal: AbortSignal,
): Promise<void> {
  for (const folder of await workplace.folders()) {
    try {
      return await replaceFrom(folder, replacement, signal)
    } catch (error) {
      const code = systemErrorCode(error) ?? ''
      if (folder === workplace.directory || !TRY_ELSEWHERE.includes(code)) throw error
      if (code === 'EXDEV') await workplace.leaveSibling()
    }
  }
}

async function replaceFrom(folder: string, replacement: Replacement, signal: AbortSignal): Promise<void> {
  const { path, chunks, log } = replacement
  signal.throwIfAborted()
  const found = await statusOf(path)
  const replaces = found === null || found.isFile() ? found : (replacement.owned ?? null)
  const mode = replaces === null ? replacement.mode : modeOver(replaces, replacement)
  const temp = await writeTemp(folder, chunks, { path, mode, replaces }, signal)
  try {
    const context = { path, folder, log, kept: replacement.kept, signal }
    const { expectation } = replacement
    if (found?.isDirectory()) {
      if (expectation !== undefined && !(await expectation.isMet(path, signal))) throw overtaken(path)
      await moveDirectoryAside(found, context)
    } else if (found !== null && replacement.evidence) await keepEvidence(found, context)
    signal.throwIfAborted()
    if (expectation === undefined) await rename(temp, path)
    else if (found?.isDirectory()) await renameToNothing(temp, path)
    else await renameOver(temp, path, { expectation, signal })
  } catch (error) {
    await unlink(temp).catch(() => undefined)
    throw error
  }
}

function modeOver({ mode }: Stats, { mended, keeps_mode, mode: own }: Replacement): number {
  if (mended !== undefined) return mended(mode)
  return keeps_mode === true ? mode & 0o777 : own
}

async function statusOf(path: string): Promise<Stats | null> {
  try {
    return await lstat(path)
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT') return null
    throw error
  }
}
