/**
 * The `authorized_keys` file of an SSH gateway, wherever it is. Others write to it, too.
 *
 * Contract: nothing here ever follows a symbolic link at the file's own name or writes in place. Reads are bounded. Every
 * wait ends by the signal. Until the rename the old file stands as it was.
 */
import type { WayToFile } from '../model/ssh/strict-modes.ts'
import type { FileLook } from './files.ts'

export interface KeysReplacement {
  /** SHA-256 of what stood there when the new bytes were made; null for nothing. */
  readonly expected: string | null
  /** Keep what is overwritten beside it. */
  readonly evidence: boolean
}

export interface AuthorizedKeys {
  /** A path, or `sftp://user@host:port/path`. */
  readonly place: string

  /** A stamp that changes whenever the file may have changed, or null when a look is needed anyway. */
  glance(): string | null

  /** Throws a Failure (`component_unavailable`, `provider_credentials`, `storage_unwritable`) when it cannot be told. */
  look(signal: AbortSignal): Promise<FileLook>

  /** Owners and modes of the file and what is above it; null where there is no file. Throws a Failure as a look does. */
  way(signal: AbortSignal): Promise<WayToFile | null>

  /**
   * Puts the bytes in place of the file. Owner and mode stay as they are (0600 for a new file), but for the bits that let
   * others write, for which sshd would ignore it. Throws `conflict` when another file stands there than was expected, and
   * `storage_unwritable`, `storage_full` or what a look throws; then the old file stands.
   */
  replace(bytes: Uint8Array, replacement: KeysReplacement, signal: AbortSignal): Promise<void>

  /** Calls `hint` when the file may have changed. It may never do that. */
  watch(hint: () => void): { close(): void }
}
