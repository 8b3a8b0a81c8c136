/**
 * Written is not loaded: Authelia reads its rules at its start and tells nobody which. Pure.
 *
 * The provider's start time decides where it can be had. Where it cannot, our own record does: we restarted it with this very
 * change of the file, and it came up. A file that was touched since is another change, even with the same bytes, because
 * whoever did that may have restarted it with something else in between. Only a change of mode or owner is none: every restart
 * ends sign-ins, and what the provider runs is what it was.
 */
import type { Instant } from '../../../kernel/clock.ts'
import type { FileChange, RestartWay } from '../../../ports/sso-provider.ts'
import type { SsoLoad } from '../records.ts'

export interface LoadFacts {
  readonly restarts: RestartWay
  readonly place: string
  /** What the file says; null where that cannot be told. */
  readonly text: string | null
  /** Null where there is no file. */
  readonly change: FileChange | null
  /** Undefined: the provider could not be asked; null: it has no way to tell. */
  readonly started_at: Instant | null | undefined
  readonly load: SsoLoad | null
}

/** True: the provider runs what the file says. Null: there is no telling. */
export function isLoaded({ restarts, place, text, change, started_at, load }: LoadFacts): boolean | null {
  if (change === null) return null
  const known = load?.place === place ? load : null
  if (typeof started_at === 'number')
    return started_at > change.at || (known !== null && known.text === text && isOfStart(known, started_at))
  if (known !== null && isSameContent(known, { text, stamp: change.stamp })) return true
  return started_at === null && restarts === 'command' ? false : null
}

/** We saw it come up with this text, and it was not started again since. */
const isOfStart = ({ stamp, at }: SsoLoad, started_at: Instant): boolean =>
  Number(stamp.split(' ')[1]) / 1_000_000 < started_at && started_at <= at

/** The very change, or only another mode or owner since: that moves no modification time. */
function isSameContent(
  known: SsoLoad,
  now: { readonly text: string | null; readonly stamp: string },
): boolean {
  const [inode, changed, modified] = known.stamp.split(' ')
  const [inode_now, changed_now, modified_now] = now.stamp.split(' ')
  if (inode !== inode_now) return false
  return (
    changed === changed_now ||
    (modified !== undefined && modified === modified_now && known.text === now.text)
  )
}
