/**
 * What guests of one cluster told of their addresses, kept over restarts: who falls silent has freed nothing. Both throw
 * what a store throws.
 */
export interface RememberedGuest {
  /** Unique in its cluster: `qemu/101`. */
  readonly guest: string
  readonly macs: readonly string[]
  /** Addresses of its settings, when it reported. */
  readonly fixed: readonly string[]
  readonly reported: readonly string[]
}

export interface GuestMemory {
  all(): Promise<readonly RememberedGuest[]>
  /** One row a guest. */
  keep(rows: readonly RememberedGuest[], removed: readonly string[]): Promise<void>
}
