/**
 * What guests of one cluster told of their addresses, kept over restarts: who falls silent has freed nothing. Both throw
 * what a store throws.
 */
import type { Instant } from '../../../kernel/clock.ts'

/** Addresses of settings that were changed while the guest runs: it has them until its next start. */
export interface Replaced {
  readonly addresses: readonly string[]
  /** Since when it runs; null where that is not told. */
  readonly started_at: Instant | null
}

export interface RememberedGuest {
  /** Unique in its cluster: `qemu/101`. */
  readonly guest: string
  readonly macs: readonly string[]
  /** Addresses of its settings, when it reported. */
  readonly fixed: readonly string[]
  readonly reported: readonly string[]
  /** Null for none. */
  readonly replaced: Replaced | null
}

export interface GuestMemory {
  all(): Promise<readonly RememberedGuest[]>
  /** One row a guest. */
  keep(rows: readonly RememberedGuest[], removed: readonly string[]): Promise<void>
}
