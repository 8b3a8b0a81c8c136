/** A user of the users file whom we have not invited: only the revocation becomes ours. */
import type { Instant } from '../../kernel/clock.ts'
import type { Person } from './records.ts'
import type { FileUser } from '../../ports/users-file.ts'

/** @param user what the file says of the user; null where it says nothing */
export const strangerOf = (
  username: string,
  user: Pick<FileUser, 'display_name' | 'email'> | null,
  at: Instant,
): Person => ({
  username,
  origin: 'file',
  display_name: user?.display_name ?? '',
  email: user?.email ?? '',
  groups: null,
  revoked_at: null,
  password_hash: null,
  written_at: user === null ? null : at,
  disabled: null,
  created_at: at,
  updated_at: at,
})
