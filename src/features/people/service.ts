/** What operations know of people: the users file to look at, hashes, the provider's reload, and the way to invitations. */
import { Failure } from '../../kernel/failure.ts'
import type { FileUser, UserFault } from '../../ports/users-file.ts'
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

/** One look at the users file. */
export interface UsersView {
  readonly path: string
  /** Throws `component_unavailable` where it cannot be read or understood. */
  look(signal: AbortSignal): Promise<FileUsers>
}

export interface FileUsers {
  /** SHA-256 of the file; null where there is none. */
  readonly digest: string | null
  readonly users: ReadonlyMap<string, FileUser>
  /** For which the provider refuses the whole file. */
  readonly faults: readonly UserFault[]
}

export function usersOf({ users }: PeopleService): UsersView {
  if (users !== null) return users
  throw new Failure(
    'component_unavailable',
    'Users are not managed here: set PLUMBLINE_SSO_USERS_FILE to the users file of the SSO provider.',
    { facts: { setting: 'PLUMBLINE_SSO_USERS_FILE' } },
  )
}
