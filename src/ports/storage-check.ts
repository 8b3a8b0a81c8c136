/** How the storage under the database is: asked of the file system and of the file itself, and nothing is written. */
export interface StorageState {
  /** Whether a transaction could begin now. Null: somebody else has held the write lock all the while. */
  readonly writable: boolean | null
  /** Why not; null where it could. */
  readonly detail: string | null
  /** Null where the file system does not say. */
  readonly free_bytes: number | null
}

/** Ends by the signal, whose reason is thrown; any other trouble is an answer. */
export type CheckStorage = (signal: AbortSignal) => Promise<StorageState>
