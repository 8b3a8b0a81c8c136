/** A user as callers see it: what the users file says, and what we know. */
import { isoTime } from '../../kernel/clock.ts'
import type { DriftCause, DriftState } from '../../model/drift.ts'
import type { Invitation, InvitationStep, Person } from './records.ts'
import type { FileUser } from '../../ports/users-file.ts'

export { INVITATION_STEPS } from './records.ts'

export interface UserView {
  readonly username: string
  readonly display_name: string | null
  readonly email: string | null
  readonly groups: readonly string[]
  /** `file`: not invited by us. */
  readonly origin: Person['origin']
  /** Whether the user cannot sign in; null where the file could not be read. */
  readonly disabled: boolean | null
  readonly in_file: boolean | null
  /** Whether the file says of the user what the database does; null where it could not be read. */
  readonly drift: DriftState
  readonly cause: DriftCause | null
  readonly revoked_at: string | null
  readonly invited_at: string | null
  /** Null for who was not invited by us. */
  readonly invitation: { readonly step: InvitationStep; readonly detail: string | null } | null
}

export interface UserFacts {
  /** What the file says of the user: null for nothing, undefined where it could not be read. */
  readonly user: FileUser | null | undefined
  readonly invitation: Invitation | null
  /** Why the file is not what the database says of the user; null where it is. */
  readonly cause: DriftCause | null
}

export function userView(
  username: string,
  person: Person | null,
  { user, invitation, cause }: UserFacts,
): UserView {
  return {
    username,
    display_name: user?.display_name ?? person?.display_name ?? null,
    email: user?.email ?? person?.email ?? null,
    groups: user?.groups ?? person?.groups ?? [],
    origin: person?.origin ?? 'file',
    disabled: user === undefined ? null : user === null || user.disabled,
    in_file: user === undefined ? null : user !== null,
    drift: user === undefined ? null : cause !== null,
    cause,
    revoked_at: timeOf(person?.revoked_at ?? null),
    invited_at: person?.origin === 'invited' ? isoTime(person.created_at) : null,
    invitation: invitation === null ? null : { step: invitation.step, detail: invitation.detail },
  }
}

const timeOf = (at: number | null): string | null => (at === null ? null : isoTime(at))
