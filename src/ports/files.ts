/**
 * One file that we own and others may damage.
 *
 * Contract: nothing here ever follows a symbolic link at the file's own name (but to judge what its reader finds there, where
 * that is asked for: never to take it for the file), opens anything but a regular file, or writes in place. Reads are bounded. Every wait ends by the signal.
 */

import type { AccessFault } from '../model/file-access.ts'

/** What stands at the path. `digest` is the SHA-256 of the bytes. */
export type FileLook =
  | {
      readonly kind: 'file'
      readonly digest: string
      readonly bytes: Uint8Array
      /** What is wrong with its mode, where something is: who must read it cannot, or who has no business there may. */
      readonly access?: AccessFault
      /** Why nobody but root gets to it through its folder, with what would help; only where modes are judged. */
      readonly shut_in?: string
    }
  | { readonly kind: 'absent' }
  /** Larger than `most` bytes; not read. */
  | { readonly kind: 'oversize'; readonly size: number }
  /** Something that is not a regular file, or a file of our own that was closed against ourselves. */
  | {
      readonly kind: 'intruder'
      readonly what: 'directory' | 'symlink' | 'fifo' | 'socket' | 'device' | 'closed file'
      /** What stood there when it was last seen as a file, where that is kept and nobody closed it. */
      readonly before?: Uint8Array
      /** Beside `before`: what a link leads to, where that is a file that can be read. Its reader finds that. */
      readonly behind?: Uint8Array
    }

/** What a writer expects to stand there: the SHA-256 of a file, null for nothing, else the kind. */
export const lookIdentity = (look: FileLook): string | null => {
  if (look.kind === 'file') return look.digest
  return look.kind === 'absent' ? null : look.kind
}

/**
 * What a file held when it was last one can be put back in place of what somebody put there instead. To be given every look:
 * where something else than a file stands, the answer has the bytes that stood there before.
 */
export function lastSeen(): (look: FileLook) => FileLook {
  let before: Uint8Array | null = null
  return (look) => {
    if (look.kind === 'file') before = look.bytes
    if (look.kind !== 'intruder') return look
    const { behind, ...bare } = look
    if (look.what === 'closed file' || before === null) return bare
    return { ...bare, before, ...(behind !== undefined && { behind }) }
  }
}

/** Names what stands there, its mode included: equal for equal looks. */
export function lookStamp(look: FileLook): string {
  switch (look.kind) {
    case 'file':
      return look.access === undefined ? look.digest : `${look.digest} ${look.access.what}`
    case 'absent':
      return 'absent'
    case 'oversize':
      return `oversize:${look.size}`
    case 'intruder':
      return `intruder:${look.what}`
  }
}

export interface ReplaceOptions {
  /** Of a file that is made; one that is judged by its mode keeps its own, put right. */
  readonly mode: number
  /** A file that is there keeps its own mode. */
  readonly keeps_mode?: true
  /**
   * SHA-256 of what must stand there right before the rename, null for nothing, `intruder` for what is no file: anything
   * else is left alone, and the call throws `conflict`. For a file that somebody else writes too.
   */
  readonly expected?: string | null
  readonly evidence: boolean
  /** Called with the path under which something that stood there is kept. */
  readonly kept?: ((path: string) => void) | undefined
  /** SHA-256 of the chunks where the caller knows it: later looks then compare instead of hashing. */
  readonly digest?: string
}

export interface ManagedFile {
  readonly path: string

  /**
   * A stamp that changes whenever the file may have changed (inode, size, mtime, ctime), and where its mode is judged, when its folder is
   * closed or opened. Null
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

  /**
   * What is wrong with its mode or its folder, with what would help; null for nothing, and where no file stands. By its
   * status alone.
   */
  placeFault(): Promise<string | null>

  /**
   * Puts its mode right and leaves its bytes, and who else may read it, as they are; nothing to do where nothing is wrong.
   * Throws `storage_unwritable` where the mode is not ours to change.
   */
  restoreMode(signal: AbortSignal): Promise<void>

  /**
   * Calls `hint` soon after the file or its folder changes. A hint says *look*; it may be missing or false.
   * @param hint gets `glance` where nothing but the file itself can have changed
   */
  watch(hint: (about?: 'glance') => void): { close(): void }
}
