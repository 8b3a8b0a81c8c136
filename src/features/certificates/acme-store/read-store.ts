/**
 * Opening the proxy's certificate store: nothing is followed, nothing blocks, nothing is unbounded, and a file that lets
 * others read its keys is refused, as the proxy refuses it.
 */
import { type BigIntStats, lstatSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { SAFE_READ } from '../../../io/files/look.ts'
import type { Instant } from '../../../kernel/clock.ts'
import { systemErrorCode } from '../../../kernel/failure.ts'
import type { AcmeFile } from './port.ts'

const MAX_BYTES = 16 * 1024 * 1024
/** Beyond it a date cannot be written (ECMA-262 §21.4.1.1); file systems can hold more. */
const LAST_INSTANT: Instant = 8.64e15

export type Opened =
  | { readonly kind: 'bytes'; readonly bytes: Buffer; readonly file: AcmeFile; readonly stamp: FileStamp }
  | { readonly kind: 'absent' }
  | { readonly kind: 'refused'; readonly detail: string; readonly file: AcmeFile | null }
  /** Written to while it was read: the bytes may be of two contents. */
  | { readonly kind: 'torn'; readonly file: AcmeFile; readonly stamp: FileStamp }

/** Changes whenever the file does, but for changes within one step of the kernel's clock. */
export type FileStamp = Pick<BigIntStats, 'ino' | 'size' | 'mtimeNs' | 'ctimeNs'>

export const sameStamp = (a: FileStamp, b: FileStamp): boolean =>
  a.ctimeNs === b.ctimeNs && a.mtimeNs === b.mtimeNs && a.size === b.size && a.ino === b.ino

/** One system call. Null where there is nothing or it cannot be seen: opening the file will say why. */
export function glanceAt(path: string): FileStamp | null {
  try {
    return lstatSync(path, { bigint: true, throwIfNoEntry: false }) ?? null
  } catch {
    return null
  }
}

export async function openStore(path: string): Promise<Opened> {
  let handle: FileHandle | null = null
  try {
    handle = await open(path, SAFE_READ)
    return await readOpen(handle, path)
  } catch (error) {
    return faultOf(error, path)
  } finally {
    // Nothing was written: a failing close loses nothing.
    await handle?.close().catch(() => undefined)
  }
}

async function readOpen(handle: FileHandle, path: string): Promise<Opened> {
  const status = await handle.stat({ bigint: true })
  if (!status.isFile()) return refused(`${path} is not a regular file.`)
  const file = fileOf(path, status)
  if ((status.mode & 0o077n) !== 0n)
    return refused(
      `${path} can be read by others (${file.mode}); the proxy refuses it too. chmod 600 ${path}`,
      file,
    )
  if (file.size > MAX_BYTES)
    return refused(
      `${path} has ${file.size} bytes, more than the ${MAX_BYTES} that are read. Give each resolver a storage of its own.`,
      file,
    )
  const bytes = await readWhole(handle, file.size)
  const stamp: FileStamp = status
  const after = await handle.stat({ bigint: true })
  return sameStamp(stamp, after) && bytes.length === file.size
    ? { kind: 'bytes', bytes, file, stamp }
    : { kind: 'torn', file: fileOf(path, after), stamp: after }
}

const fileOf = (path: string, { size, mtimeMs, mode, uid }: BigIntStats): AcmeFile => ({
  path,
  size: Number(size),
  modified_at: Math.max(-LAST_INSTANT, Math.min(Number(mtimeMs), LAST_INSTANT)),
  mode: (mode & 0o7777n).toString(8).padStart(4, '0'),
  owner: Number(uid),
})

/** One byte more than there should be, so that a file that grew is seen. */
async function readWhole(handle: FileHandle, size: number): Promise<Buffer> {
  const buffer = Buffer.alloc(size + 1)
  let length = 0
  while (length < buffer.length) {
    const { bytesRead } = await handle.read(buffer, length, buffer.length - length, length)
    if (bytesRead === 0) break
    length += bytesRead
  }
  return buffer.subarray(0, length)
}

function faultOf(error: unknown, path: string): Opened {
  const code = systemErrorCode(error)
  if (code === 'ENOENT' || code === 'ENOTDIR') return { kind: 'absent' }
  if (code === 'ELOOP')
    return refused(`${path} is a symbolic link, which is not followed. Name the file itself.`)
  if (code === 'EACCES' || code === 'EPERM')
    return refused(`${path} may not be read (${code}). Run Plumbline as the file's owner.`)
  return refused(`${path} cannot be read (${code ?? 'unknown error'}).`)
}

const refused = (detail: string, file: AcmeFile | null = null): Opened => ({ kind: 'refused', detail, file })
