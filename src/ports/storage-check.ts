/** How the storage under the database is: asked of the file system and of the file itself. */
export interface StorageState {
  /** Whether a transaction could begin now. Null: somebody else has held the write lock all the while. */
  readonly writable: boolean | null
  /** Why not; null where it could. */
  readonly detail: string | null
  /** Null where the file system does not say. */
  readonly free_bytes: number | null
}

/** Nothing is written. Ends by the signal, whose reason is thrown; any other trouble is an answer. */
export type CheckStorage = (signal: AbortSignal) => Promise<StorageState>

/**
 * Whether the files that the store has open are still those that stand at their paths. While they are not, the store
 * refuses every write: what it would commit goes into a file that nobody finds again.
 */
export interface OpenFiles {
  /** Compares now, cheaply. Null while all of them are in place; else what happened, with the way back, in sentences. */
  hindrance(): string | null
  /** Another one after each commit that was not the store's own; null where that cannot be told now. */
  strangersStamp(): string | null
  /** Called with each new hindrance, and with null when the files are in place again. */
  onChange(listener: (hindrance: string | null) => void): void
}

/** Room that is given up on a full disk when something is to be removed or closed. */
export interface Ballast {
  /** It was given up, and is not made anew yet. */
  readonly spent: boolean
  /** Makes it where it is missing and there is room. Never throws. */
  keep(): void
  /** Gives it up. False where there is none to give. */
  spend(): boolean
}
