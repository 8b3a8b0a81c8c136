/** What may stand in the place of a routes file and is none, in plain words. */
import type { FileLook } from '../../../ports/files.ts'

export interface Reading {
  /** The end of a sentence when the world cannot be compared entry by entry, else null. */
  readonly obstacle: string | null
  /** The text to show beside the rendering: empty for a missing file, null where there is none. */
  readonly text: string | null
}

/**
 * A missing file is an obstacle only once there has been a release: before that it is simply everything that waits for
 * the first deploy.
 */
export function readLook(look: FileLook, was_released: boolean): Reading {
  switch (look.kind) {
    case 'absent':
      return { obstacle: was_released ? 'the file is missing' : null, text: '' }
    case 'oversize':
      return { obstacle: `the file has ${look.size} bytes, far more than a routes file can have`, text: null }
    case 'intruder':
      return { obstacle: `a ${look.what} stands in the place of the file`, text: null }
    case 'file':
      return readBytes(look.bytes)
  }
}

function readBytes(bytes: Uint8Array): Reading {
  const text = decode(bytes)
  if (text === null) return { obstacle: 'the file is not text', text }
  return /\S/.test(text)
    ? { obstacle: null, text }
    : { obstacle: 'the file is empty, which the proxy takes for "no routes at all"', text }
}

/** Strict UTF-8 without NUL, or null. A byte-order mark stays: it is a difference. */
function decode(bytes: Uint8Array): string | null {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
    return text.includes('\0') ? null : text
  } catch {
    return null
  }
}
