/** A user as callers see him: what the users file says, and what we know of him. */
import { isoTime } from '../../kernel/clock.ts'
import type { Invitation, InvitationStep, Person } from '../../ports/people-records.ts'
import type { FileUser } from '../../ports/users-file.ts'

export { INVITATION_STEPS } from '../../ports/people-records.ts'

export interface UserView {
  readonly username: string
  readonly display_name: string | null
  readonly email: string | null
  readonly groups: readonly string[]
  /** `file`: not invited by us. */
  readonly origin: Person['origin']
  /** Whether he cannot sign in; null where the file could not be read. */
  readonly disabled: boolean | null
  readonly in_file: boolean | null
  readonly revoked_at: string | null
  readonly invited_at: string | null
  /** Null for who was not invited by us. */
  readonly invitation: { readonly step: InvitationStep; readonly detail: string | null } | null
}

/** @param user what the file says of him: null for nothing, undefined where it could not be read */
export function userView(
  username: string,
  person: Person | null,
  {
    user,
    invitation,
  }: { readonly user: FileUser | null | undefined; readonly invitation: Invitation | null },
): UserView {
  return {
    username,
    display_name: user?.display_name ?? person?.display_name ?? null,
    email: user?.email ?? person?.email ?? null,
    groups: user?.groups ?? person?.groups ?? [],
    origin: person?.origin ?? 'file',
    disabled: user === undefined ? null : user === null || user.disabled,
    in_file: user === undefined ? null : user !== null,
    revoked_at: timeOf(person?.revoked_at ?? null),
    invited_at: person?.origin === 'invited' ? isoTime(person.created_at) : null,
    invitation: invitation === null ? null : { step: invitation.step, detail: invitation.detail },
  }
}

const timeOf = (at: number | null): string | null => (at === null ? null : isoTime(at))
