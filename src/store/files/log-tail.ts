/**
 * Whether the newest commit still stands in the log. Its size alone does not say so: what was cut off behind it is filled
 * with zeros by the next write, and the log is as long as ever.
 *
 * SQLite never touches a frame again that it has committed, until it begins the log anew with other salts.
 */
import type { WalIndex, WalState } from './wal-index.ts'

interface Tail {
  readonly log: string
  readonly frames: number
  readonly bytes: Uint8Array
}

/** https://sqlite.org/fileformat2.html#wal_file_format: both of the frame's checksum, the highest byte first. */
const CHECKSUM_AT = 16

export class LogTail {
  readonly #index: WalIndex
  /** As of the last look that found it right. */
  #known: Tail | null = null

  constructor(index: WalIndex) {
    this.#index = index
  }

  /** @param isStill whether `state` holds yet: what was read while it moved says nothing */
  isOverwritten(state: WalState, isStill: () => boolean): boolean {
    const { log, frames, page_bytes } = state
    if (frames === 0) return false
    const known = this.#known?.log === log && this.#known.frames <= frames ? this.#known : null
    const before = known === null ? null : this.#index.frame(known.frames, page_bytes)
    const bytes = known?.frames === frames ? before : this.#index.frame(frames, page_bytes)
    if (bytes === null || !isStill()) return false
    if (known !== null && before !== null && !isSame(before, known.bytes)) return true
    if (checksumOf(bytes) !== state.checksum) return true
    this.#known = { log, frames, bytes }
    return false
  }
}

const isSame = (a: Uint8Array, b: Uint8Array): boolean => Buffer.compare(a, b) === 0

function checksumOf(frame: Uint8Array): string {
  const view = new DataView(frame.buffer, frame.byteOffset)
  return `${view.getUint32(CHECKSUM_AT)}.${view.getUint32(CHECKSUM_AT + 4)}`
}
