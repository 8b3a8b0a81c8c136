/** What the store keeps of people: who was invited or revoked, and invitations under way. Part of the store's contract. */
import type { Instant } from '../../kernel/clock.ts'

export interface PeopleReader {
  /** Ordered by user name. */
  people(): Promise<readonly Person[]>
  person(username: string): Promise<Person | null>
  /** Those that are not done, the oldest first. */
  openInvitations(): Promise<readonly Invitation[]>
  invitation(username: string): Promise<Invitation | null>
  /** Since when the thing is owed; null where it is not. */
  debt(name: string): Promise<Instant | null>
}

export interface PeopleWriter extends PeopleReader {
  /** By user name. */
  savePerson(person: Person): Promise<void>
  /** With the invitation. Nothing happens where there is none. */
  dropPerson(username: string): Promise<void>
  /** By user name. */
  saveInvitation(invitation: Invitation): Promise<void>
  /** Notes that the thing is owed; a debt that is there already moves to the new time. */
  owe(name: string, since: Instant): Promise<void>
  /** Settles what was owed until then; a later debt stays. */
  settleDebt(name: string, until: Instant): Promise<void>
}

export interface Person {
  readonly username: string
  /** `file`: was there before us; of such a user only the revocation is ours. */
  readonly origin: 'invited' | 'file'
  readonly display_name: string
  readonly email: string
  /** Null where the groups are not ours. */
  readonly groups: readonly string[] | null
  readonly revoked_at: Instant | null
  /** A PHC string that the users file is still to receive; null once it holds the user. */
  readonly password_hash: string | null
  /** When the users file was first seen to hold the user; null before. */
  readonly written_at: Instant | null
  readonly created_at: Instant
  readonly updated_at: Instant
}

export const INVITATION_STEPS = ['planned', 'hashed', 'written', 'loaded', 'done'] as const
export type InvitationStep = (typeof INVITATION_STEPS)[number]

export interface Invitation {
  readonly username: string
  /** The last one that is done. */
  readonly step: InvitationStep
  /** Key of its mail: a second send under it is refused. */
  readonly mail_key: string
  /** What is in the way of the next step, in words. */
  readonly detail: string | null
  /** In a row. */
  readonly failures: number
  readonly updated_at: Instant
}
