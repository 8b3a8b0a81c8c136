/** Small files beside the database, replaced whole or not at all. */
import { closeSync, fsyncSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { systemErrorCode } from '../../kernel/failure.ts'
import { onStorage } from '../failures.ts'

/** For its owner only. Written beside, synced, renamed, folder synced. One writer at a time: the lock's holder. */
export function replaceFile(path: string, text: string): void {
  const fresh = `${path}.new`
  onStorage(path, () => {
    writeNew(fresh, text, { flush: true })
    renameSync(fresh, path)
    syncPath(dirname(path))
  })
}

/** For its owner only, in the place of whatever stands there: a link that somebody put there is not written through. */
export function writeNew(path: string, content: string | Uint8Array, { flush = false } = {}): void {
  rmSync(path, { force: true })
  writeFileSync(path, content, { mode: 0o600, flush, flag: 'wx' })
}

/** Null when there is no file. */
export function readFileIfAny(path: string): string | null {
  return onStorage(path, () => {
    try {
      return readFileSync(path, 'utf8')
    } catch (error) {
      if (systemErrorCode(error) === 'ENOENT') return null
      throw error
    }
  })
}

/** Makes a file's content, or a folder's entries, survive a power cut. */
export function syncPath(path: string): void {
  const descriptor = openSync(path, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}
