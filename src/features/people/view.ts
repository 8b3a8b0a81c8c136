/** A user as callers see it: what the users file says, and what we know; and what a change of one answers. */
import { z } from 'zod'
import type { Answered } from '../../http/contract.ts'
import { Planned } from '../../http/common-views.ts'
import { driftCause, driftState } from '../../http/difference-views.ts'
import { INVITATION_STEPS, type Invitation, MAIL_STATES, type Person } from './records.ts'
import { type Reading, unprovenBy } from './reach.ts'
import { isoTime, isoTimeOrNull } from '../../kernel/clock.ts'
import type { DriftCause } from '../../model/drift.ts'
import type { FileUser } from '../../ports/users-file.ts'
import { instant } from '../../http/body/scalars.ts'

export const UserView = z
  .object({
    username: z.string(),
    display_name: z.string().nullable(),
    email: z.string().nullable(),
    groups: z.array(z.string()),
    origin: z.enum(['invited', 'file']).describe('file: not invited by us, and left alone unless revoked'),
    disabled: z.boolean().nullable().describe('Cannot sign in. Null where the users file could not be read'),
    in_file: z.boolean().nullable(),
    drift: driftState(),
    cause: driftCause
      .nullable()
      .describe('Why the users file is not what the database says; null where it is'),
    revoked_at: instant().nullable(),
    unproven: z
      .string()
      .nullable()
      .describe(
        'Why nobody knows whether a revocation is in force; null where it is proven, or there is none',
      ),
    invited_at: instant().nullable(),
    invitation: z
      .object({
        step: z.enum(INVITATION_STEPS).describe('The last one that is done'),
        detail: z.string().nullable().describe('What is in the way, or how the mail ended'),
        mail: z
          .enum(MAIL_STATES)
          .nullable()
          .describe('How the mail ended: not_known, whether it went out; null before it has'),
      })
      .nullable(),
  })
  .meta({ id: 'User' })
export type UserView = Answered<typeof UserView>

const answer_fields = {
  success: z.literal(true),
  message: z.string(),
  warnings: z.array(z.string()),
  username: z.string(),
  user: UserView,
}

const PROVEN =
  'The SSO provider has read the users file: proven by a restart, null where nothing can prove it'

export const InviteAnswer = z
  .object({
    ...answer_fields,
    read: z.boolean().nullable().describe(`${PROVEN}; false: still to come`),
    instructions: z
      .object({ subject: z.string(), text: z.string() })
      .describe(
        'What the person is told. No password is in it: everybody sets their own on the sign-in page',
      ),
  })
  .meta({ id: 'UserInvited' })
export type InviteAnswer = Answered<typeof InviteAnswer>

export const InvitePlanned = Planned.extend({
  username: z.string().describe('That the person would get'),
  instructions: z.object({ subject: z.string(), text: z.string() }).describe('The mail as it would go'),
}).meta({ id: 'InvitationPlanned' })
export type InvitePlanned = Answered<typeof InvitePlanned>

export const UserChanged = z
  .object({ ...answer_fields, read: z.literal(true).nullable().describe(PROVEN) })
  .meta({ id: 'UserChanged' })
export type UserChanged = Answered<typeof UserChanged>

export const UserAnswer = z.object(answer_fields).meta({ id: 'InvitationResent' })
export type UserAnswer = Answered<typeof UserAnswer>

export interface UserFacts {
  /** What the file says of the user: null for nothing, undefined where it could not be read. */
  readonly user: FileUser | null | undefined
  readonly invitation: Invitation | null
  /** Why the file is not what the database says of the user; null where it is. */
  readonly cause: DriftCause | null
  /** How the provider comes to read the file. */
  readonly reading: Reading
}

export function userView(
  username: string,
  person: Person | null,
  { user, invitation, cause, reading }: UserFacts,
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
    revoked_at: isoTimeOrNull(person?.revoked_at ?? null),
    unproven: (person?.revoked_at ?? null) === null ? null : unprovenBy(reading, username),
    invited_at: person?.origin === 'invited' ? isoTime(person.created_at) : null,
    invitation: invitation === null ? null : invitationView(invitation),
  }
}

const invitationView = ({ step, detail, mail }: Invitation) => ({ step, detail, mail })
