/** What operations know of people: the users file to look at, hashes, the provider's reload, and the way to invitations. */
import { Failure } from '../../kernel/failure.ts'
import type { UsersView } from '../../ports/users-file.ts'
import type { Invitations } from './invitations/invitations.ts'
import type { Reading } from './reach.ts'
import type { Reloader } from './reloader.ts'

export interface PeopleService {
  /** Null where no users file is configured. */
  readonly users: UsersView | null
  /** How the provider comes to read the file. */
  readonly reading: Reading
  readonly reloader: Reloader
  readonly invitations: Invitations
  /** The sign-in page as people reach it. */
  readonly portal_url: string | null
  /** The people in the database have changed. */
  changed(): void
}

export function usersOf({ users }: PeopleService): UsersView {
  if (users !== null) return users
  throw new Failure(
    'component_unavailable',
    'Users are not managed here: set PLUMBLINE_SSO_USERS_FILE to the users file of the SSO provider.',
    { facts: { setting: 'PLUMBLINE_SSO_USERS_FILE' } },
  )
}
