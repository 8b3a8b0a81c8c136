/** Reading a file that others may have replaced by anything: nothing is followed, nothing blocks, nothing is unbounded. */
import { createHash } from 'node:crypto'
import { constants } from 'node:fs'
import { type FileHandle, lstat, open } from 'node:fs/promises'
import { Failure, systemErrorCode } from '../../kernel/failure.ts'
import type { FileLook } from '../../ports/files.ts'
import { readFault } from './faults.ts'
import { intruderIn } from './kind.ts'

// Pieces keep the event loop free between them: one hashes in about 0.2 ms.
const PIECE_BYTES = 256 * 1024
const MOST_TRIES = 3
// O_NONBLOCK: opening a FIFO that was put there after the lstat must not wait for a writer.
const SAFE_READ = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK

/** What stands at `path`. Throws `component_unavailable` when that cannot be told. */
export async function lookAt(path: string, most_bytes: number, signal: AbortSignal): Promise<FileLook> {
  for (let tries = 1; ; tries++) {
    signal.throwIfAborted()
    try {
      const look = await lookOnce(path, most_bytes, signal)
      if (look !== 'moved') return look
    } catch (error) {
      throw readFault(error, path)
    }
    if (tries === MOST_TRIES)
      throw new Failure(
        'component_unavailable',
        `${path} changed each of the ${MOST_TRIES} times it was read. Find out who keeps writing to it.`,
      )
  }
}

/** `'moved'` when the thing at the path changed its kind or grew while it was examined. */
async function lookOnce(path: string, most: number, signal: AbortSignal): Promise<FileLook | 'moved'> {
  const status = await lstat(path).catch(noneIfAbsent)
  if (status === null) return { kind: 'absent' }
  const what = intruderIn(status)
  if (what !== null) return { kind: 'intruder', what }
  if (status.size > most) return { kind: 'oversize', size: status.size }

  const handle = await open(path, SAFE_READ).catch(noneIfReplaced)
  if (handle === null) return 'moved'
  try {
    return await readOpen(handle, most, signal)
  } finally {
    await handle.close()
  }
}

async function readOpen(handle: FileHandle, most: number, signal: AbortSignal): Promise<FileLook | 'moved'> {
  const status = await handle.stat()
  if (!status.isFile()) return 'moved'
  if (status.size > most) return { kind: 'oversize', size: status.size }

  // One byte more than expected, so that a file that grew is noticed.
  const buffer = Buffer.allocUnsafeSlow(status.size + 1)
  const hash = createHash('sha256')
  let length = 0
  while (length < buffer.length) {
    signal.throwIfAborted()
    const { bytesRead } = await handle.read(buffer, length, Math.min(PIECE_BYTES, buffer.length - length))
    if (bytesRead === 0) break
    hash.update(buffer.subarray(length, length + bytesRead))
    length += bytesRead
  }
  if (length === buffer.length) return 'moved'
  return { kind: 'file', digest: hash.digest('hex'), bytes: buffer.subarray(0, length) }
}

function noneIfAbsent(error: unknown): null {
  if (systemErrorCode(error) === 'ENOENT') return null
  throw error
}

/** ENOENT: gone since the lstat. ELOOP: now a symbolic link. ENXIO: now a socket. */
function noneIfReplaced(error: unknown): null {
  if (['ENOENT', 'ELOOP', 'ENXIO'].includes(systemErrorCode(error) ?? '')) return null
  throw error
}
