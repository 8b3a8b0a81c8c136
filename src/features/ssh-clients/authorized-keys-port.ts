/**
 * The `authorized_keys` file of an SSH gateway, wherever it is. Others write to it, too.
 *
 * Contract: nothing here ever takes what a symbolic link at the file's own name leads to for the file, or writes in place. A look at
 * anything else than a file has what stood there when it was last seen as one, and what a link leads to. Reads are bounded. Every
 * wait ends by the signal. Until the rename the old file stands as it was.
 */
import type { WayToFile } from '../../model/ssh/strict-modes.ts'
import type { FileLook } from '../../ports/files.ts'

export interface KeysReplacement {
  /** SHA-256 of what stood there when the new bytes were made; null for nothing, `intruder` for what is no file. */
  readonly expected: string | null
  /** Keep what is overwritten beside it. */
  readonly evidence: boolean
  /** Called with the path under which it is kept. */
  readonly kept?: ((path: string) => void) | undefined
}

export interface SeenKeys {
  readonly look: FileLook
  /** Of the file and what is above it, as far as that can be seen; null where there is no file. */
  readonly way: WayToFile | null
}

/** The bytes that are to stand there, or null for what is there. */
export type MakesKeys = (seen: SeenKeys) => Promise<Uint8Array | null>

export interface AuthorizedKeys {
  /** A path, or `sftp://user@host:port/path`. */
  readonly place: string

  /** A stamp that changes whenever the file may have changed, or null when a look is needed anyway. */
  glance(): string | null

  /**
   * Throws a Failure (`component_unavailable`, `provider_credentials`, `storage_unwritable`) when it cannot be told. A file
   * of our own that was closed against ourselves is a `closed file`.
   */
  look(signal: AbortSignal): Promise<FileLook>

  /** The same, with the owners and modes that sshd asks for; by one login, where it takes one. */
  see(signal: AbortSignal): Promise<SeenKeys>

  /**
   * Puts the bytes in place of the file. Owner and mode stay as they are (0600 for a new file), but for the bits that let
   * others write, for which sshd would ignore it. Throws `conflict` when another file stands there than was expected, and
   * `storage_unwritable`, `storage_full` or what a look throws; then the old file stands.
   */
  replace(bytes: Uint8Array, replacement: KeysReplacement, signal: AbortSignal): Promise<void>

  /**
   * Looks as `see` does and puts what `make` makes of it in place of what was seen, as `replace` does; by one login, where it
   * takes one. Nothing is written for null. Throws what `see`, `replace` and `make` throw.
   */
  rewrite(make: MakesKeys, replacement: Omit<KeysReplacement, 'expected'>, signal: AbortSignal): Promise<void>

  /**
   * Its owner can read the file again and nobody else can write to it; all other bits and every byte stay. Nothing happens to
   * what is no regular file. Throws what `replace` throws.
   */
  restoreMode(signal: AbortSignal): Promise<void>

  /** Calls `hint` when the file may have changed. It may never do that. */
  watch(hint: () => void): { close(): void }
}
