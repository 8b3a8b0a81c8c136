/** Notes beside a zone file that the name server may not have loaded it: a process can end between the write and the command. */
import { lstat, unlink } from 'node:fs/promises'
import { systemErrorCode } from '../../../../kernel/failure.ts'
import type { ManagedFile } from '../../../../ports/files.ts'

const MODE = 0o644

export class UnloadedMark {
  readonly #path: string
  readonly #file: ManagedFile
  /** Null before the first look. */
  #stands: boolean | null = null

  constructor(path: string, file: ManagedFile) {
    this.#path = path
    this.#file = file
  }

  async stands(): Promise<boolean> {
    this.#stands ??= await isThere(this.#path)
    return this.#stands
  }

  /** Durable when it resolves. Throws what `replace` of a managed file does. */
  async put(signal: AbortSignal): Promise<void> {
    if (await this.stands()) return
    await this.#file.replace([], { mode: MODE, evidence: false }, signal)
    this.#stands = true
  }

  /** One that cannot be taken away costs another reload after the next start, and nothing else. */
  async take(): Promise<void> {
    this.#stands = false
    try {
      await unlink(this.#path)
    } catch {
      // See above.
    }
  }
}

/** What cannot be told counts as not there: the zone file beside it cannot be read, either. */
async function isThere(path: string): Promise<boolean> {
  try {
    await lstat(path)
    return true
  } catch (error) {
    const code = systemErrorCode(error)
    if (code === null) throw error
    return false
  }
}
