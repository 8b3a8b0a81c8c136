/** What the daemon is built with, and what stands before anything is built on it. */
import type { InvariantsOptions } from './store/invariants.ts'
import type { LockGrace } from './store/files/lock-in-turn.ts'
import type { DescribedSetting } from './config/describe.ts'
import type { Api } from './cli/api.ts'
import type { Finding } from './cli/verb.ts'
import type { Declared, Settings } from './config/sections.ts'
import type { Clock } from './kernel/clock.ts'
import type { Log } from './kernel/log.ts'
import type { Acme } from './features/certificates/acme/port.ts'
import type { DnsProvider } from './features/dns/providers/port.ts'
import type { ManagedFile } from './ports/files.ts'
import type { CheckInvariants } from './ports/invariants.ts'
import type { HeldLock } from './ports/lock.ts'
import type { Ballast, OpenFiles } from './ports/storage-check.ts'
import type { Store } from './ports/store.ts'

export interface DaemonOptions {
  readonly log: Log
  readonly clock?: Clock
  /** Wraps a port on its way in: how fault harnesses get between the daemon and the world. */
  readonly wrap?: {
    readonly store?: (store: Store) => Store
    readonly file?: (file: ManagedFile) => ManagedFile
    readonly dns?: (provider: DnsProvider) => DnsProvider
    readonly acme?: (acme: Acme) => Acme
  }
  /** Waits for whoever holds the data directory for a moment. Left out: it is refused at once. */
  readonly lock_grace?: LockGrace
  /** Checks every reply against its schema and throws on a mismatch. Default false: tests pay for it, callers do not. */
  readonly check_replies?: boolean
  /** Looks at the rules of the database. Default: in a process of its own (`sqliteInvariants`). */
  readonly invariants?: (options: InvariantsOptions) => CheckInvariants
}

export type CallOwnApi = Api['call']

/** What stands before anything is built on it. */
export interface Foundation {
  readonly settings: Settings
  /** All settings that there are. */
  readonly declared: readonly Declared[]
  /** The same for people, with where each comes from, and without secrets. */
  readonly described: () => Promise<readonly DescribedSetting[]>
  /**
   * What `plumbline doctor` finds around this daemon, the rules of its database apart. It comes into `findings`, one world
   * after the other.
   * @param ask its own API
   */
  readonly examine: (ask: CallOwnApi, findings: Finding[]) => Promise<readonly Finding[]>
  /** Of the setting API_KEY; null where it came from no file. */
  readonly api_key_file: string | null
  /** Somebody said where the SSO provider is. */
  readonly provider_named: boolean
  readonly lock: HeldLock
  readonly store: Store
  readonly store_files: OpenFiles
  readonly ballast: Ballast
  readonly file: ManagedFile
  readonly log: Log
  readonly clock: Clock
  readonly wrap: NonNullable<DaemonOptions['wrap']>
  readonly invariants: CheckInvariants
  readonly check_replies: boolean
}
