/** Reading a file that others may have replaced by anything: nothing is followed, nothing blocks, nothing is unbounded. */
import { createHash } from 'node:crypto'
import { constants } from 'node:fs'
import { type FileHandle, lstat, open } from 'node:fs/promises'
import { setImmediate } from 'node:timers/promises'
import { Failure, systemErrorCode } from '../../kernel/failure.ts'
import type { FileLook } from '../../ports/files.ts'
import { readFault } from './faults.ts'
import { intruderIn } from './kind.ts'

// Pieces keep the event loop free between them: one hashes in about 0.2 ms.
const PIECE_BYTES = 256 * 1024
const MOST_TRIES = 3
// O_NONBLOCK: opening a FIFO that was put there after the lstat must not wait for a writer.
const SAFE_READ = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK

/** Content whose digest is known: comparing with it is several times cheaper than hashing. */
export interface KnownContent {
  readonly digest: string
  readonly chunks: readonly Uint8Array[]
}

export interface LookOptions {
  /** A larger file is not read. */
  readonly most_bytes: number
  /** What the file probably holds, or null. */
  readonly known: KnownContent | null
}

/** What stands at `path`. Throws `component_unavailable` when that cannot be told. */
export async function lookAt(path: string, options: LookOptions, signal: AbortSignal): Promise<FileLook> {
  for (let tries = 1; ; tries++) {
    signal.throwIfAborted()
    try {
      const look = await lookOnce(path, options, signal)
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
async function lookOnce(
  path: string,
  options: LookOptions,
  signal: AbortSignal,
): Promise<FileLook | 'moved'> {
  const status = await lstat(path).catch(noneIfAbsent)
  if (status === null) return { kind: 'absent' }
  const what = intruderIn(status)
  if (what !== null) return { kind: 'intruder', what }
  if (status.size > options.most_bytes) return { kind: 'oversize', size: status.size }

  const handle = await open(path, SAFE_READ).catch(noneIfReplaced)
  if (handle === null) return 'moved'
  try {
    return await readOpen(handle, options, signal)
  } finally {
    await handle.close()
  }
}

async function readOpen(
  handle: FileHandle,
  { most_bytes, known }: LookOptions,
  signal: AbortSignal,
): Promise<FileLook | 'moved'> {
  const status = await handle.stat()
  if (!status.isFile()) return 'moved'
  if (status.size > most_bytes) return { kind: 'oversize', size: status.size }

  // One byte more than expected, so that a file that grew is noticed.
  const buffer = Buffer.allocUnsafeSlow(status.size + 1)
  let length = 0
  while (length < buffer.length) {
    signal.throwIfAborted()
    const { bytesRead } = await handle.read(buffer, length, Math.min(PIECE_BYTES, buffer.length - length))
    if (bytesRead === 0) break
    length += bytesRead
  }
  if (length === buffer.length) return 'moved'
  const bytes = buffer.subarray(0, length)
  const digest =
    known !== null && isMadeOf(bytes, known.chunks) ? known.digest : await digestOf(bytes, signal)
  return { kind: 'file', digest, bytes }
}

function isMadeOf(bytes: Buffer, chunks: readonly Uint8Array[]): boolean {
  let at = 0
  for (const chunk of chunks) {
    if (bytes.compare(chunk, 0, chunk.byteLength, at, Math.min(at + chunk.byteLength, bytes.length)) !== 0)
      return false
    at += chunk.byteLength
  }
  return at === bytes.length
}

async function digestOf(bytes: Buffer, signal: AbortSignal): Promise<string> {
  const hash = createHash('sha256')
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
    signal.throwIfAborted()
    hash.update(bytes.subarray(at, at + PIECE_BYTES))
    if (at + PIECE_BYTES < bytes.length) await setImmediate()
  }
  return hash.digest('hex')
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
