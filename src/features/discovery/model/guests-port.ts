/**
 * Virtual machines and system containers of a host or cluster. The contract of a look is that of `lab-port.ts`. A list that
 * the credential sees only a part of says so (`missing`), so that a guest that is not on it is never taken for none.
 */
import type { GuestKind, GuestState } from './guest.ts'
import type { LabLook } from './lab-port.ts'

export interface GuestCluster {
  /** As the operator calls it. */
  readonly name: string
  look(signal: AbortSignal): Promise<LabLook<Guests>>
  /**
   * Whether the number is in use, also by a guest that the list leaves out; null where that cannot be told. Throws only the
   * signal's reason.
   */
  isTaken(vmid: number, signal: AbortSignal): Promise<boolean | null>
}

export interface ClusterNode {
  readonly name: string
  readonly state: 'online' | 'offline' | 'unknown'
}

export interface Guests {
  readonly version: string | null
  /** Without templates, which never run. */
  readonly guests: readonly Guest[]
  /** They hold numbers and addresses, as guests do. */
  readonly templates: readonly Guest[]
  /** Hosts of the cluster, in the order of their names; null where they are not told. */
  readonly nodes: readonly ClusterNode[] | null
  readonly unreadable: number
  /** Why there may be guests that are not on the list; null where it is whole. */
  readonly missing: string | null
}

export interface Guest {
  /** Unique within its cluster: `qemu/101`. */
  readonly id: string
  readonly kind: GuestKind
  readonly vmid: number
  readonly name: string
  readonly node: string
  readonly state: GuestState
  readonly tags: readonly string[]
  /** Of its network cards, lower-case with colons. */
  readonly macs: readonly string[]
  /** Those that it has, and of one that is stopped those that it had or will have, as far as they were seen. */
  readonly addresses: readonly string[]
  /** Those of them that its settings say, in use whether it runs or not. */
  readonly fixed: readonly string[]
  /** What is not known of the addresses, and what would help; null when nothing is missing. */
  readonly detail: string | null
  /** Its settings were never read, so that even its fixed addresses are not known. */
  readonly is_unread?: true
}
