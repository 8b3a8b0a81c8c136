/**
 * Opening the proxy's certificate store: nothing is followed, nothing blocks, nothing is unbounded, and a file that lets
 * others read its keys is refused, as the proxy refuses it.
 */
import { constants } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { systemErrorCode } from '../../kernel/failure.ts'
import type { AcmeFile } from '../../ports/acme-store.ts'

const MOST_BYTES = 16 * 1024 * 1024

export type Opened =
  | { readonly kind: 'text'; readonly text: string; readonly file: AcmeFile; readonly stamp: string }
  | { readonly kind: 'absent' }
  | { readonly kind: 'refused'; readonly detail: string; readonly file: AcmeFile | null }

export async function openStore(path: string): Promise<Opened> {
  let handle: FileHandle
  try {
    handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  } catch (error) {
    return faultOf(error, path)
  }
  try {
    return await readOpen(handle, path)
  } catch (error) {
    return faultOf(error, path)
  } finally {
    await handle.close()
  }
}

async function readOpen(handle: FileHandle, path: string): Promise<Opened> {
  const status = await handle.stat({ bigint: true })
  if (!status.isFile()) return refused(`${path} is not a regular file.`)
  const mode = Number(status.mode & 0o7777n)
  const size = Number(status.size)
  const file: AcmeFile = {
    path,
    size,
    modified_at: Number(status.mtimeMs),
    mode: mode.toString(8).padStart(4, '0'),
    owner: Number(status.uid),
  }
  if ((mode & 0o077) !== 0)
    return refused(
      `${path} can be read by others (${file.mode}); the proxy refuses it too. chmod 600 ${path}`,
      file,
    )
  if (size > MOST_BYTES)
    return refused(`${path} has ${size} bytes, more than the ${MOST_BYTES} that are read.`, file)
  const buffer = Buffer.alloc(size + 1)
  let length = 0
  while (length < buffer.length) {
    const { bytesRead } = await handle.read(buffer, length, buffer.length - length, length)
    if (bytesRead === 0) break
    length += bytesRead
  }
  // A file that grew while it was read is cut: its text will not parse, and is read again.
  const text = buffer.subarray(0, length).toString('utf8')
  return { kind: 'text', text, file, stamp: stampOf(status) }
}

/** Changes whenever the file does, but for changes within the clock's grain. */
export const stampOf = (status: {
  readonly ino: bigint
  readonly size: bigint
  readonly mtimeNs: bigint
  readonly ctimeNs: bigint
}): string => `${status.ino} ${status.size} ${status.mtimeNs} ${status.ctimeNs}`

function faultOf(error: unknown, path: string): Opened {
  const code = systemErrorCode(error)
  if (code === 'ENOENT' || code === 'ENOTDIR') return { kind: 'absent' }
  if (code === 'ELOOP')
    return refused(`${path} is a symbolic link, which is not followed. Name the file itself.`)
  if (code === 'EACCES' || code === 'EPERM')
    return refused(`${path} may not be read (${code}). Run Plumbline as the file's owner.`)
  if (code === null) throw error
  return refused(`${path} cannot be read (${code}).`)
}

const refused = (detail: string, file: AcmeFile | null = null): Opened => ({ kind: 'refused', detail, file })
