/**
 * Written is not loaded: Authelia reads its rules at its start and tells nobody which. Pure.
 *
 * The provider's start time decides where it can be had. Where it cannot, our own record does: we restarted it with this very
 * change of the file, and it came up. A file that was touched since is another change, even with the same bytes, because
 * whoever did that may have restarted it with something else in between.
 */
import type { Instant } from '../../kernel/clock.ts'
import type { FileChange, RestartWay } from '../../ports/sso-provider.ts'
import type { SsoLoad } from '../../ports/sso-records.ts'

export interface LoadFacts {
  readonly restarts: RestartWay
  readonly place: string
  /** Null where there is no file. */
  readonly change: FileChange | null
  /** Undefined: the provider could not be asked; null: it has no way to tell. */
  readonly started_at: Instant | null | undefined
  readonly load: SsoLoad | null
}

/** True: the provider runs what the file says. Null: there is no telling. */
export function isLoaded({ restarts, place, change, started_at, load }: LoadFacts): boolean | null {
  if (change === null) return null
  if (typeof started_at === 'number') return started_at > change.at
  if (load !== null && load.place === place && load.stamp === change.stamp) return true
  return started_at === null && restarts === 'command' ? false : null
}
