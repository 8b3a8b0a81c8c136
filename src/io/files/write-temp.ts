/** A new file, complete and on the disk, under a name that nobody reads yet. */
import type { Stats } from 'node:fs'
import { type FileHandle, open, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { Failure, systemErrorCode } from '../../kernel/failure.ts'
import { newTempName } from './temps.ts'

// Far below IOV_MAX (1024) and below the 2 GiB that one call may write.
const MAX_CHUNKS_PER_CALL = 256

export interface TempOptions {
  /** The file that the temp will become, for messages. */
  readonly path: string
  readonly mode: number
  /** The file that will be replaced: its owner and group are kept where we may. */
  readonly replaces: Stats | null
}

/**
 * Writes the chunks, in order, to a new file in `folder`, synced; answers its path. Private (0600) until it is complete.
 * On any error the file is gone; a failed fsync is never tried again on it, since the kernel reports it only once.
 */
export async function writeTemp(
  folder: string,
  chunks: readonly Uint8Array[],
  options: TempOptions,
  signal: AbortSignal,
): Promise<string> {
  const temp = join(folder, newTempName())
  // wx: a planted file or symbolic link of that name makes this fail, it is never followed.
  const handle = await open(temp, 'wx', 0o600)
  try {
    await fill(handle, chunks, options, signal)
    await handle.close()
    return temp
  } catch (error) {
    await handle.close().catch(() => undefined)
    await unlink(temp).catch(() => undefined)
    throw error
  }
}

async function fill(
  handle: FileHandle,
  chunks: readonly Uint8Array[],
  options: TempOptions,
  signal: AbortSignal,
): Promise<void> {
  await writeAll(handle, chunks, signal)
  if (options.replaces !== null) await keepOwner(handle, options.replaces)
  await handle.chmod(options.mode)
  signal.throwIfAborted()
  await handle.sync()
  await assertWhole(handle, chunks, options.path)
}

async function assertWhole(handle: FileHandle, chunks: readonly Uint8Array[], path: string): Promise<void> {
  const { size } = await handle.stat()
  const wanted = chunks.reduce((sum, chunk) => sum + chunk.byteLength, 0)
  if (size !== wanted)
    throw new Failure(
      'storage_unwritable',
      `${path} could not be written: its new version has ${size} bytes instead of ${wanted}. Check the file system.`,
    )
}

/** Writes until all bytes are out: on a nearly full disk a call writes less than asked and does not fail. */
export async function writeAll(
  handle: Pick<FileHandle, 'writev'>,
  chunks: readonly Uint8Array[],
  signal: AbortSignal,
): Promise<void> {
  let rest = chunks.filter((chunk) => chunk.byteLength > 0)
  while (rest.length > 0) {
    signal.throwIfAborted()
    const { bytesWritten } = await handle.writev(rest.slice(0, MAX_CHUNKS_PER_CALL))
    if (bytesWritten === 0) throw Object.assign(new Error('writev wrote nothing'), { code: 'ENOSPC' })
    rest = without(rest, bytesWritten)
  }
}

/** The chunks after their first `count` bytes. */
function without(chunks: readonly Uint8Array[], count: number): Uint8Array[] {
  let index = 0
  let left = count
  while (index < chunks.length && left >= chunks[index]!.byteLength) left -= chunks[index++]!.byteLength
  const rest = chunks.slice(index)
  if (left > 0) rest[0] = rest[0]!.subarray(left)
  return rest
}

/** Before the chmod, since a change of owner may clear mode bits. Without the right to it, the group alone is tried. */
async function keepOwner(handle: FileHandle, replaced: Stats): Promise<void> {
  const { uid, gid } = await handle.stat()
  if (uid === replaced.uid && gid === replaced.gid) return
  for (const owner of [replaced.uid, uid]) {
    try {
      return await handle.chown(owner, replaced.gid)
    } catch (error) {
      if (!['EPERM', 'EINVAL'].includes(systemErrorCode(error) ?? '')) throw error
    }
  }
}
