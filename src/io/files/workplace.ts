/**
 * Where the temps and the evidence of a file live.
 *
 * First choice is a sibling of the file's folder, `.<folder>.plumbline`: the same file system, and a rename out of it
 * is a single event for whoever watches the folder. Where the folder is a mount of its own, or its parent cannot be
 * written, it is the folder itself.
 */
import { lstat, mkdir, rmdir } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { systemErrorCode } from '../../kernel/failure.ts'

/** Null where there is no place for a sibling: the folder is the root of the file system. */
export function siblingOf(directory: string): string | null {
  const parent = dirname(directory)
  return parent === directory ? null : join(parent, `.${basename(directory)}.plumbline`)
}

export class Workplace {
  readonly directory: string
  #sibling: string | null

  /** @param watched false when nobody minds events in the folder: then temps go there right away. */
  constructor(directory: string, watched: boolean) {
    this.directory = directory
    this.#sibling = watched ? siblingOf(directory) : null
  }

  /** The folders to try, best first. The last one is always the file's own. */
  async folders(): Promise<readonly string[]> {
    return this.#sibling !== null && (await isOurs(this.#sibling))
      ? [this.#sibling, this.directory]
      : [this.directory]
  }

  /** The sibling turned out to be on another mount (EXDEV): it is not tried again. */
  async leaveSibling(): Promise<void> {
    if (this.#sibling !== null) await rmdir(this.#sibling).catch(() => undefined)
    this.#sibling = null
  }
}

/** Makes the sibling folder, private to us. One that somebody else planted (a link, another owner) is not used. */
async function isOurs(sibling: string): Promise<boolean> {
  try {
    await mkdir(sibling, { mode: 0o700 })
  } catch (error) {
    if (systemErrorCode(error) !== 'EEXIST') return false
  }
  const status = await lstat(sibling).catch(() => null)
  return status !== null && status.isDirectory() && status.uid === process.geteuid?.()
}
