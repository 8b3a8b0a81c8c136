/**
 * One file that we own and others may damage.
 *
 * Contract: nothing here ever follows a symbolic link at the file's own name, opens anything but a regular file, or
 * writes in place. Reads are bounded. Every wait ends by the signal.
 */

/** What stands at the path. `digest` is the SHA-256 of the bytes. */
export type FileLook =
  | { readonly kind: 'file'; readonly digest: string; readonly bytes: Uint8Array }
  | { readonly kind: 'absent' }
  /** Larger than `most` bytes; not read. */
  | { readonly kind: 'oversize'; readonly size: number }
  /** Something that is not a regular file. */
  | { readonly kind: 'intruder'; readonly what: 'directory' | 'symlink' | 'fifo' | 'socket' | 'device' }

export interface ReplaceOptions {
  readonly mode: number
  /** A file that is there keeps its own mode. */
  readonly keeps_mode?: true
  /**
   * SHA-256 of what must stand there right before the rename, null for nothing: anything else is left alone, and the
   * call throws `conflict`. For a file that somebody else writes too.
   */
  readonly expected?: string | null
  readonly evidence: boolean
  /** SHA-256 of the chunks where the caller knows it: later looks then compare instead of hashing. */
  readonly digest?: string
}

export interface ManagedFile {
  readonly path: string

  /**
   * A stamp that changes whenever the file may have changed (inode, size, mtime, ctime), from one system call. Null
   * when a look is needed anyway: the file was changed so recently that a later change could share its stamp, or it
   * cannot be examined.
   */
  glance(): string | null

  /** Reads the file. Throws a Failure (`storage_unwritable`, `component_unavailable`) when it cannot be read. */
  look(signal: AbortSignal): Promise<FileLook>

  /**
   * Puts the chunks, in order, in place of whatever is there: written completely to a new file in a sibling folder of
   * the same file system, synced, renamed over, folder synced. Whatever goes wrong, the old file stands. A directory
   * in the way is moved aside, never emptied. `evidence` keeps the replaced bytes beside it under a dated name.
   * Throws a Failure: `storage_full`, `storage_unwritable` naming path and remedy.
   */
  replace(chunks: readonly Uint8Array[], options: ReplaceOptions, signal: AbortSignal): Promise<void>

  /** Calls `hint` soon after the file or its folder changes. A hint says *look*; it may be missing or false. */
  watch(hint: () => void): { close(): void }
}
