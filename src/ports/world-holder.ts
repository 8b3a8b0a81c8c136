/**
 * The file beside a file of the world that says how far the world is, and what was released then.
 *
 * Contract: it belongs to one installation; another installation's stands beside it under another name. It is replaced as
 * a whole, and durable when `write` resolves. Reads are bounded and follow no link. Whoever may write to the folder can
 * put any file there, so it is signed: the number of any file counts, since a number can only stop; what a file holds
 * counts where the signature is ours.
 */
import type { IntentRow } from '../model/intent.ts'
import type { SshClient } from '../model/ssh/client.ts'
import type { WorldStamp } from '../model/world-stamp.ts'

/** Hexadecimal HMAC-SHA256 of a text, by a secret that was made once with the installation and never leaves its store. */
export type Sign = (text: string) => string

export interface HeldWorld extends HeldContent {
  readonly stamp: WorldStamp
}

/** What the newer database knew, as far as the world depends on it. */
export interface HeldContent {
  /** Number of the newest release; 0 before the first. */
  readonly release: number
  readonly rows: readonly IntentRow[]
  /** Ids of all records, also of those that were never released. */
  readonly present: readonly number[]
  readonly ssh_clients: readonly SshClient[]
  readonly people: readonly HeldPerson[]
}

export interface HeldPerson {
  readonly username: string
  readonly revoked: boolean
}

export interface HolderStamp extends WorldStamp {
  /** This installation has signed the whole file. */
  readonly signed: boolean
}

/** A file that this installation has signed. */
export interface SignedFile {
  readonly path: string
  readonly stamp: WorldStamp
  /** As it was written, by whichever version: to be judged before any of it is believed. Undefined for no JSON. */
  readonly content: unknown
}

export interface HolderFiles {
  /** The newest; null where none is signed. */
  readonly signed: SignedFile | null
  /** Paths of those whose signature is missing or wrong, or that were changed after they were signed. */
  readonly unsigned: readonly string[]
}

export interface WorldHolder {
  /** The component whose file it stands beside: `routes`. */
  readonly world: string
  readonly place: string
  /** A stamp of the file that changes whenever it may have changed, or null when it must be read. */
  glance(): string | null
  /**
   * The highest number, whoever wrote it; null where there is none. Throws a Failure that names the path and the remedy
   * where it cannot be understood.
   */
  stamp(signal: AbortSignal): Promise<HolderStamp | null>
  /** What stands there. Throws as `stamp` does. */
  read(signal: AbortSignal): Promise<HolderFiles>
  /** Throws `storage_full` or `storage_unwritable`; then the old one stands. */
  write(held: HeldWorld, signal: AbortSignal): Promise<void>
}
