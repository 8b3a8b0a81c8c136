/**
 * How far a change of the users file reaches: whether the provider is proven to have read it, and what goes on all the same.
 * A session holds what was true when it began until the provider looks its user up again. Pure.
 */
import { endedByRestart, type SessionSettings } from '../../model/access/sessions.ts'

/** How the provider comes to read its users file. */
export type Reading = 'restart' | 'watch' | 'none'

export interface ReachFacts {
  readonly username: string
  readonly change: 'revoked' | 'regrouped'
  readonly reading: Reading
  readonly sessions: SessionSettings
  /** The provider's configuration; null where it is not known. */
  readonly place: string | null
}

/** What sessions go on, and what the reading of the file costs, in sentences. */
export function reachOf(facts: ReachFacts): readonly string[] {
  const { username, reading, change } = facts
  switch (reading) {
    case 'restart':
      return restarted(facts)
    case 'watch':
      return [watched(facts), goesOn(facts)]
    case 'none':
      return [
        `Nobody has the SSO provider read its users file (PLUMBLINE_SSO_USERS_RELOAD is none): until somebody restarts it, ${username} signs in as before, and every session of ${username} ${STAYS[change]}.`,
      ]
  }
}

/** What stays to be said of a revocation when its call is over; null where a restart has proven it. */
export const unprovenBy = (reading: Reading, username: string): string | null =>
  reading === 'restart'
    ? null
    : reading === 'watch'
      ? 'Nothing proves that the SSO provider has read the users file since: it watches it, and its watcher may not run.'
      : `Nothing proves that the SSO provider has read its users file since: unless somebody has restarted it, ${username} signs in as before.`

/** What one revocation has to do with everybody's password changes. */
export const afterRevocation = ({ username, reading }: ReachFacts): readonly string[] =>
  reading === 'restart'
    ? [
        `Authelia up to 4.39.20 drops "disabled" from its users file whenever somebody changes a password: ${username} is then disabled again, which restarts it once more.`,
      ]
    : []

function restarted(facts: ReachFacts): readonly string[] {
  const ended = endedByRestart(facts.sessions)
  const lost = ended === null ? [] : [ended]
  if (facts.sessions.outlive_restarts === false) return lost
  return [...lost, `Sessions that session.redis keeps go on over the restart. ${goesOn(facts)}`]
}

/** A watcher that could not start is one line in the provider's log, and the file is never read again. */
function watched({ sessions, place }: ReachFacts): string {
  if (sessions.watches_users === false)
    return `${place} does not set authentication_backend.file.watch, so the SSO provider reads the file at its next start only: set it, or PLUMBLINE_SSO_USERS_RELOAD=restart.`
  return 'Nothing proves that the SSO provider has read the file: it watches it, and its watcher may not run. PLUMBLINE_SSO_USERS_RELOAD=restart proves it.'
}

const ENDS = { revoked: 'ends', regrouped: 'takes the new groups' } as const
const STAYS = { revoked: 'goes on', regrouped: 'keeps the earlier ones' } as const

function goesOn({ username, change, reading, sessions }: ReachFacts): string {
  const { refresh_interval, watches_users } = sessions
  const [ends, stays] = [ENDS[change], STAYS[change]]
  if (reading === 'watch' && watches_users === false)
    return `Until that start every session of ${username} ${stays}: what the SSO provider looks up again is what it has in its memory.`
  if (refresh_interval === 'disable')
    return `A session of ${username} ${stays} until it expires (refresh_interval is disable).`
  const when = lookedUp(refresh_interval ?? (reading === 'watch' ? 'always' : '5m'))
  return `A session of ${username} ${ends} ${when} in Authelia 4.39, and ${stays} until it expires in 4.37, which never looks a user up again.`
}

/** Where refresh_interval is left out, it is `always` for a file that is watched, else `5m`. */
function lookedUp(refresh_interval: string): string {
  if (refresh_interval === 'always' || isNoTime(refresh_interval)) return 'at its next request'
  const unit = /^\d+$/.test(refresh_interval) ? ' s' : ''
  return `within ${refresh_interval}${unit} (refresh_interval)`
}

/** `0`, `0s`: what was looked up is old at once. */
const isNoTime = (refresh_interval: string): boolean =>
  refresh_interval.includes('0') && !/[1-9]/.test(refresh_interval)
