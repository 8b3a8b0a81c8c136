/**
 * A few megabytes that are given up when the disk is full and something is to be removed or closed: to revoke a key or to
 * delete a record must not wait for somebody to tidy up. Made anew when there is room.
 */
import { randomBytes } from 'node:crypto'
import { lstatSync, rmSync, statfsSync } from 'node:fs'
import { join } from 'node:path'
import type { Log } from '../../kernel/log.ts'
import type { Ballast } from '../../ports/storage-check.ts'
import { writeNew } from './durable-file.ts'

const CHUNK_BYTES = 1024 * 1024
const CHUNKS = 4
const BYTES = CHUNKS * CHUNK_BYTES
/** On a smaller rest it would be the ballast that fills the disk. */
const MIN_FREE_BYTES = 4 * BYTES

export class BallastFile implements Ballast {
  readonly #path: string
  readonly #log: Log
  #spent = false

  constructor(directory: string, log: Log) {
    this.#path = join(directory, 'ballast')
    this.#log = log
  }

  get spent(): boolean {
    return this.#spent
  }

  keep(): void {
    try {
      if (!this.#isWhole()) {
        const { bavail, bsize } = statfsSync(join(this.#path, '..'))
        if (bavail * bsize < MIN_FREE_BYTES) return
        // Random: a file system that compresses would give nothing for zeros.
        const chunk = randomBytes(CHUNK_BYTES)
        writeNew(this.#path, Buffer.concat(Array.from({ length: CHUNKS }, () => chunk)))
      }
      if (this.#spent) this.#log.info('ballast is there again', { path: this.#path })
      this.#spent = false
    } catch (error) {
      // Half of one would take room and give none.
      rmSync(this.#path, { force: true })
      this.#log.warn('ballast could not be made', { path: this.#path, error })
    }
  }

  /** A link to something of that size gives no room. */
  #isWhole(): boolean {
    const seen = lstatSync(this.#path, { throwIfNoEntry: false })
    return seen?.isFile() === true && seen.size === BYTES
  }

  spend(): boolean {
    try {
      rmSync(this.#path)
    } catch {
      return false
    }
    this.#spent = true
    this.#log.warn('disk is full: ballast given up for a removal', { path: this.#path, bytes: BYTES })
    return true
  }
}
