/** Whether the proxy runs the routes file, as far as it was seen. */

/** See `on-disk.ts`. */
export type OnDisk = 'newest' | 'changed' | 'under_way' | 'not_written'

export interface LoadedState {
  /** Null where it cannot be told. */
  readonly loaded: boolean | null
  /** Why it is not so or not known, else null. */
  readonly detail: string | null
  /** Markers of ours that the proxy shows; empty while it was not seen. */
  readonly markers: readonly string[]
  /** What of the newest rendering stands on disk; null where nobody looked, as `loaded` is true or not known. */
  readonly on_disk: OnDisk | null
  /** Why it does not stand there, where that is known, else null; `detail` begins with it. */
  readonly not_there: string | null
}

/** Whether it was written: what is loaded was. Null where that is not known, or not decided yet. */
export function isWritten({ loaded, on_disk }: Pick<LoadedState, 'loaded' | 'on_disk'>): boolean | null {
  if (on_disk === null) return loaded
  return on_disk === 'under_way' ? null : on_disk !== 'not_written'
}
