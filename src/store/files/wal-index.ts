/**
 * How far the write-ahead log is, and how far checkpoints have carried it into the main file, as every process that has the
 * database open sees it (https://sqlite.org/walformat.html#the_wal_index_file_format).
 *
 * Reads through descriptors of its own, which stay open for as long as SQLite has these files open in this process: closing
 * one earlier would give SQLite's locks away.
 */
import { createHash } from 'node:crypto'
import { closeSync, openSync, readSync } from 'node:fs'

const FORMAT = 3_007_000
const INDEX_BYTES = 136
/** A larger main file is not read as a whole: it would hold up the process. */
const MAX_DIGESTED_BYTES = 8 * 1024 * 1024
const CHUNK_BYTES = 1024 * 1024
/** https://sqlite.org/fileformat2.html#the_write_ahead_log */
export const LOG_HEADER_BYTES = 32
export const FRAME_HEADER_BYTES = 24

export interface WalState {
  readonly page_bytes: number
  /** In the log, as of the last commit. */
  readonly frames: number
  /** Of the whole database, as of the last commit. */
  readonly pages: number
  /** The salts of the log: others each time that it begins anew. */
  readonly log: string
  /** Of the last frame in the log. */
  readonly checksum: string
  /** Moved by every checkpoint that writes the main file, and by every fresh start of the log. */
  readonly checkpoints: string
  /** Every frame stands in the main file, too. */
  readonly is_written_back: boolean
  /** A checkpoint is under way, or was killed in the middle: the main file may be written at any moment. */
  readonly is_writing_back: boolean
}

export class WalIndex {
  readonly #index: number
  readonly #main: number
  readonly #log: number
  #is_open = true

  /** @param path of the main file; database and index are there */
  constructor(path: string) {
    this.#main = openSync(path, 'r')
    this.#index = openSync(`${path}-shm`, 'r')
    this.#log = openSync(`${path}-wal`, 'r')
  }

  /** Null where it cannot be read as a whole, or another process is just changing it. */
  read(): WalState | null {
    // Its numbers are in the byte order of the machine.
    const words = new Uint32Array(INDEX_BYTES / 4)
    if (!this.#is_open || readAt(this.#index, words, 0) < INDEX_BYTES) return null
    const is_torn = words.subarray(0, 12).some((word, i) => word !== words[12 + i])
    if (is_torn || words[0] !== FORMAT) return null
    const [frames, pages, backfilled, attempted] = [words[4]!, words[5]!, words[24]!, words[32]!]
    // Of 16 bits; 65536 does not fit and stands as 1.
    const page_bytes = new Uint16Array(words.buffer)[7]!
    return {
      page_bytes: page_bytes === 1 ? 65_536 : page_bytes,
      frames,
      pages,
      log: `${words[8]}.${words[9]}`,
      checksum: `${words[6]}.${words[7]}`,
      checkpoints: `${words[8]}.${words[9]}.${backfilled}`,
      is_written_back: backfilled === frames && attempted <= backfilled,
      is_writing_back: attempted > backfilled,
    }
  }

  /** A frame of the log with its header, the first one being 1; null where it cannot be read as a whole. */
  frame(number: number, page_bytes: number): Uint8Array | null {
    const bytes = new Uint8Array(FRAME_HEADER_BYTES + page_bytes)
    const at = LOG_HEADER_BYTES + (number - 1) * bytes.byteLength
    return this.#is_open && readAt(this.#log, bytes, at) === bytes.byteLength ? bytes : null
  }

  /** Of every byte of the main file; null where it cannot be read, or is too large to be read at once. */
  mainDigest(size: number): string | null {
    if (!this.#is_open || size > MAX_DIGESTED_BYTES) return null
    const hash = createHash('sha256')
    const chunk = new Uint8Array(CHUNK_BYTES)
    for (let at = 0; at < size;) {
      const read = readAt(this.#main, chunk, at)
      if (read <= 0) return null
      hash.update(chunk.subarray(0, read))
      at += read
    }
    return hash.digest('hex')
  }

  /** Only when no connection of this process has the database open any more. */
  close(): void {
    if (!this.#is_open) return
    this.#is_open = false
    closeSync(this.#index)
    closeSync(this.#main)
    closeSync(this.#log)
  }
}

/** A disk that cannot be read is told by whoever needs what stands there: -1. */
function readAt(file: number, into: Uint8Array | Uint32Array, at: number): number {
  try {
    return readSync(file, into, 0, into.byteLength, at)
  } catch {
    return -1
  }
}

export const isSameState = (a: WalState, b: WalState): boolean =>
  a.frames === b.frames &&
  a.pages === b.pages &&
  a.checkpoints === b.checkpoints &&
  a.is_writing_back === b.is_writing_back
