/**
 * Hints that a file may have changed, from the kernel's watch on its folder.
 *
 * The watch is on an inode: when the folder is deleted, moved or made anew, it goes blind without a word. So a slow
 * check compares the folder with the one that is watched, at once when the folder itself reports a change, and arms
 * anew. A hint may be missing (no watches left); the resync finds the change then.
 */
import { type FSWatcher, statSync, watch } from 'node:fs'
import { basename } from 'node:path'
import { systemErrorCode } from '../../kernel/failure.ts'
import type { Log } from '../../kernel/log.ts'

const CHECK_ARMED_MS = 30_000
const CHECK_UNARMED_MS = 500

export interface WatchOptions {
  readonly directory: string
  readonly base: string
  readonly log: Log
  /** @param about nothing but the file can have changed; left out: its folder may have, too */
  readonly hint: (about?: 'glance') => void
}

/** Never throws. The watch keeps no process alive. */
export function watchFile(options: WatchOptions): { close(): void } {
  const watcher = new FolderWatch(options)
  watcher.check()
  return { close: () => watcher.close() }
}

class FolderWatch {
  readonly #options: WatchOptions
  #watcher: FSWatcher | null = null
  #inode: string | null = null
  #timer: NodeJS.Timeout | null = null
  #closed = false
  #complained = false
  #was_armed = false

  constructor(options: WatchOptions) {
    this.#options = options
  }

  /** Arms when nothing is armed or the folder is not the watched one any more, and plans the next check. */
  check(): void {
    if (this.#closed) return
    const inode = inodeOf(this.#options.directory)
    if (inode !== this.#inode || this.#watcher === null) {
      this.#disarm()
      if (inode !== null) this.#arm(inode)
    }
    if (this.#timer !== null) clearTimeout(this.#timer)
    const delay_ms = this.#watcher === null && !this.#complained ? CHECK_UNARMED_MS : CHECK_ARMED_MS
    this.#timer = setTimeout(() => this.check(), delay_ms).unref()
  }

  close(): void {
    this.#closed = true
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#disarm()
  }

  #arm(inode: string): void {
    const { directory, hint } = this.#options
    try {
      this.#watcher = watch(directory, { persistent: false }, (_event, name) => this.#heard(name))
      this.#watcher.on('error', (error) => this.#lost(error))
      this.#inode = inode
      this.#complained = false
      // What happened while nobody watched is unknown.
      if (this.#was_armed) hint()
      this.#was_armed = true
    } catch (error) {
      this.#lost(error)
    }
  }

  #heard(name: string | null): void {
    if (this.#closed) return
    const { base, directory, hint } = this.#options
    // The kernel reports what happens to the folder itself under the folder's own name.
    const about_folder = name === null || name === basename(directory)
    if (about_folder) hint()
    else if (name === base) hint('glance')
    if (about_folder) this.check()
  }

  #lost(error: unknown): void {
    this.#disarm()
    // ENOENT: the folder went away just now; the next check is soon.
    if (this.#complained || systemErrorCode(error) === 'ENOENT') return
    this.#complained = true
    this.#options.log.warn('file watch is off; changes are found by the resync', {
      directory: this.#options.directory,
      code: systemErrorCode(error),
      remedy: 'raise fs.inotify.max_user_watches and max_user_instances, or the limit of open files',
    })
  }

  #disarm(): void {
    this.#watcher?.close()
    this.#watcher = null
    this.#inode = null
  }
}

function inodeOf(directory: string): string | null {
  try {
    const status = statSync(directory, { bigint: true, throwIfNoEntry: false })
    return status?.isDirectory() ? `${status.dev}:${status.ino}` : null
  } catch {
    return null
  }
}
