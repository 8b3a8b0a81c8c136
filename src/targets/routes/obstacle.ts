/** What may stand in the place of a routes file and is none, in plain words. */
import type { FileLook } from '../../ports/files.ts'
import { scanBlocks } from './blocks.ts'

/**
 * The end of a sentence when the world cannot be compared block by block, else null. A missing file is an obstacle only
 * once there has been a release: before that it is simply everything that waits for the first deploy.
 */
export function obstacleOf(look: FileLook, was_released: boolean): string | null {
  switch (look.kind) {
    case 'absent':
      return was_released ? 'the file is missing' : null
    case 'oversize':
      return `the file has ${look.size} bytes, far more than a routes file can have`
    case 'intruder':
      return `a ${look.what} stands in the place of the file`
    case 'file':
      return faultOf(look.bytes)
  }
}

function faultOf(bytes: Uint8Array): string | null {
  const text = decode(bytes)
  if (text === null) return 'the file is not text'
  if (text.trim() === '') return 'the file is empty, which the proxy takes for "no routes at all"'
  for (const { placed } of scanBlocks(text).values()) if (placed) return null
  return 'nothing in the file is an entry of a routes file'
}

/** The text to show beside the rendering: empty for a missing file, null where there is none. */
export function readableText(look: FileLook): string | null {
  if (look.kind === 'absent') return ''
  return look.kind === 'file' ? decode(look.bytes) : null
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
