/** Sessions of the SSO provider: what decides how long one goes on that began before something changed. Pure. */

/** Null: not known. */
export interface SessionSettings {
  /** Kept outside the provider (session.redis), so that a restart does not end them. */
  readonly outlive_restarts: boolean | null
  /** The provider watches its users file (authentication_backend.file.watch). */
  readonly watches_users: boolean | null
  /** How often the user of a session is looked up (authentication_backend.refresh_interval), as written; null also where it is left out. */
  readonly refresh_interval: string | null
}

/** What a restart of the provider does to whoever is signed in, as a sentence; null for nothing. */
export const endedByRestart = ({ outlive_restarts }: SessionSettings): string | null =>
  outlive_restarts === true
    ? null
    : 'The restart ends every session that the SSO provider keeps in its memory, and everybody signs in again; session.redis keeps them.'
