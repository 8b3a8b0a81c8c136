/** Reading a file that others may have replaced by anything: nothing is followed, nothing blocks, nothing is unbounded. */
import { createHash } from 'node:crypto'
import { type BigIntStats, constants, type Stats } from 'node:fs'
import { type FileHandle, lstat, open, realpath } from 'node:fs/promises'
import { dirname } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { Failure, systemErrorCode } from '../../kernel/failure.ts'
import { accessFault, type AccessRule } from '../../model/file-access.ts'
import type { FileLook } from '../../ports/files.ts'
import { readFault } from './faults.ts'
import { folderFault } from './folder-fault.ts'

// Pieces keep the event loop free between them: one hashes in about 0.2 ms.
const PIECE_BYTES = 256 * 1024
const MAX_TRIES = 3
/** No link is followed, and a FIFO that was put there after an lstat is not waited for. */
export const SAFE_READ = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK

/** Content whose digest is known: comparing with it is several times cheaper than hashing. */
export interface KnownContent {
  readonly digest: string
  readonly chunks: readonly Uint8Array[]
}

export interface LookOptions {
  /** A larger file is not read. */
  readonly max_bytes: number
  /** What the file probably holds, or null. */
  readonly known: KnownContent | null
  /** What its mode is judged by; left out: not at all. */
  readonly access?: AccessRule
  /** A link is looked behind, too. */
  readonly through?: true
  /** Called with the mode of a file with whose mode nothing is wrong. */
  readonly sound?: (mode: number) => void
  /** Called with the status of every file that is read. */
  readonly met?: (status: Stats) => void
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
    if (tries === MAX_TRIES)
      throw new Failure(
        'component_unavailable',
        `${path} changed each of the ${MAX_TRIES} times it was read. Find out who keeps writing to it.`,
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
  if (what !== null) {
    const behind = what === 'symlink' && options.through ? await behindLink(path, options, signal) : null
    return { kind: 'intruder', what, ...(behind !== null && { behind }) }
  }
  if (status.size > options.max_bytes) return { kind: 'oversize', size: status.size }

  const handle = await open(path, SAFE_READ).catch((error: unknown) => {
    if (isClosedByMode(status, options, error)) return 'closed' as const
    return noneIfReplaced(error)
  })
  if (handle === null) return 'moved'
  if (handle === 'closed') return { kind: 'intruder', what: 'closed file' }
  try {
    const look = await readOpen(handle, options, signal)
    return look === 'moved' || look.kind !== 'file' ? look : { ...look, ...(await shutIn(path, options)) }
  } finally {
    await handle.close()
  }
}

/** What a link leads to, however many there are in a row; null where that is no file, or cannot be read. */
async function behindLink(
  path: string,
  { max_bytes }: LookOptions,
  signal: AbortSignal,
): Promise<Uint8Array | null> {
  try {
    const found = await lookOnce(await realpath(path), { max_bytes, known: null }, signal)
    return found !== 'moved' && found.kind === 'file' ? found.bytes : null
  } catch (error) {
    if (signal.aborted || systemErrorCode(error) === undefined) throw error
    return null
  }
}

async function readOpen(
  handle: FileHandle,
  { max_bytes, known, access, sound, met }: LookOptions,
  signal: AbortSignal,
): Promise<FileLook | 'moved'> {
  const status = await handle.stat()
  if (!status.isFile()) return 'moved'
  if (status.size > max_bytes) return { kind: 'oversize', size: status.size }
  const bytes = await readUnlessGrown(handle, status.size, signal)
  if (bytes === null) return 'moved'
  const digest =
    known !== null && isMadeOf(bytes, known.chunks) ? known.digest : await digestOf(bytes, signal)
  met?.(status)
  const fault = access === undefined ? null : accessFault(status, access)
  if (fault === null) sound?.(status.mode & 0o777)
  return { kind: 'file', digest, bytes, ...(fault === null ? {} : { access: fault }) }
}

/** All of its bytes; null where there are more than the expected. */
async function readUnlessGrown(
  handle: FileHandle,
  expected: number,
  signal: AbortSignal,
): Promise<Buffer | null> {
  // One byte more than expected, so that a file that grew is noticed.
  const buffer = Buffer.allocUnsafeSlow(expected + 1)
  let length = 0
  while (length < buffer.length) {
    signal.throwIfAborted()
    const { bytesRead } = await handle.read(buffer, length, Math.min(PIECE_BYTES, buffer.length - length))
    if (bytesRead === 0) break
    length += bytesRead
  }
  return length === buffer.length ? null : buffer.subarray(0, length)
}

/** A daemon that runs as root gets through any folder; who reads the file does not. */
async function shutIn(path: string, { access }: LookOptions): Promise<{ readonly shut_in?: string }> {
  if (access === undefined) return {}
  const shut_in = await folderFault(dirname(path))
  return shut_in === null ? {} : { shut_in }
}

/** Its owner can open it again, so it is no riddle but a difference. */
const isClosedByMode = ({ uid, mode }: Stats, { access }: LookOptions, error: unknown): boolean =>
  systemErrorCode(error) === 'EACCES' &&
  uid === process.geteuid?.() &&
  access !== undefined &&
  accessFault({ mode }, access) !== null

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

/** What kind of thing stands at a path, from its own status (never of what a link points to). */
type Intruder = Extract<FileLook, { kind: 'intruder' }>['what']

/** Null for a regular file. */
function intruderIn(status: Stats | BigIntStats): Intruder | null {
  if (status.isFile()) return null
  if (status.isDirectory()) return 'directory'
  if (status.isSymbolicLink()) return 'symlink'
  if (status.isFIFO()) return 'fifo'
  if (status.isSocket()) return 'socket'
  return 'device'
}
