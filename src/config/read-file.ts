/** Reading a secret from the file that a setting names. */
import { closeSync, openSync, readSync } from 'node:fs'
import { systemErrorCode } from '../kernel/failure.ts'

/** The text of a small file, or null where there is none. Throws where it cannot be read or is no small file. */
export type ReadFile = (path: string) => string | null

const MAX_BYTES = 64 * 1024

export const readSmallFile: ReadFile = (path) => {
  const descriptor = openOrNone(path)
  if (descriptor === null) return null
  try {
    const buffer = Buffer.alloc(MAX_BYTES + 1)
    let length = 0
    for (;;) {
      const count = readSync(descriptor, buffer, length, buffer.length - length, null)
      length += count
      if (length > MAX_BYTES) throw new Error(`is larger than ${MAX_BYTES} bytes`)
      if (count === 0) return buffer.subarray(0, length).toString('utf8')
    }
  } finally {
    closeSync(descriptor)
  }
}

function openOrNone(path: string): number | null {
  try {
    return openSync(path, 'r')
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT') return null
    throw error
  }
}
