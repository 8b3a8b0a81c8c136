/** Being the one writer of a data directory. The kernel frees the lock when its holder dies, however it dies. */
export interface Holder {
  /** 0 while the holder has not yet said who it is. */
  readonly pid: number
  /** The address its API listens on, or null while it has none (a command that works without a daemon). */
  readonly listen: string | null
  /** RFC 3339. */
  readonly since: string
}

export interface HeldLock {
  /** Publishes the address for commands that look for the running daemon. */
  announce(listen: string): void
  release(): void
}
