/**
 * The rows of people: who was invited or revoked, and invitations under way. They mirror
 * `schema/0005-people.sql`, `schema/0029-invitation-mail.sql` and `schema/0033-disabled-by-hand.sql`.
 */
import type { Kysely } from 'kysely'
import type { Instant } from '../../kernel/clock.ts'
import { type ReaderOf, recordSet } from '../../ports/record-set.ts'
import { storedJson } from '../../store/stored-json.ts'

export interface Person {
  readonly username: string
  /** `file`: was there before us; of such a user only the revocation is ours. */
  readonly origin: 'invited' | 'file'
  /** As the users file was last seen to have it, once it holds the user; so is the mail address. */
  readonly display_name: string
  readonly email: string
  /** Null where the groups are not ours. */
  readonly groups: readonly string[] | null
  readonly revoked_at: Instant | null
  /** A PHC string that the users file is still to receive; null once it holds the user. */
  readonly password_hash: string | null
  /** When the users file was first seen to hold the user; null before. */
  readonly written_at: Instant | null
  /** Whether the users file was last seen to disable the user, by whoever's hand; null where nobody has looked. */
  readonly disabled: boolean | null
  readonly created_at: Instant
  readonly updated_at: Instant
}

export const INVITATION_STEPS = ['planned', 'hashed', 'written', 'loaded', 'done'] as const
export type InvitationStep = (typeof INVITATION_STEPS)[number]

/** How the mail of an invitation ended: `not_known`, whether it went out. */
export const MAIL_STATES = ['sent', 'not_known', 'not_sent'] as const
export type MailState = (typeof MAIL_STATES)[number]

export interface Invitation {
  readonly username: string
  /** The last one that is done. */
  readonly step: InvitationStep
  /** Key of its mail: a second send under it is refused. */
  readonly mail_key: string
  /** What is in the way of the next step, or why the mail is not out, in words. */
  readonly detail: string | null
  /** Null before it has ended. */
  readonly mail: MailState | null
  /** In a row. */
  readonly failures: number
  readonly updated_at: Instant
}

interface PeopleTables {
  people: PersonRow
  invitations: Invitation
}
type PersonRow = Omit<Person, 'groups' | 'disabled'> & { groups: string | null; disabled: number | null }
type Db = Kysely<PeopleTables>

/** Ordered by user name. */
async function people(db: Db): Promise<readonly Person[]> {
  const rows = await db.selectFrom('people').selectAll().orderBy('username').execute()
  return rows.map(personOf)
}

async function person(db: Db, username: string): Promise<Person | null> {
  const row = await db.selectFrom('people').selectAll().where('username', '=', username).executeTakeFirst()
  return row === undefined ? null : personOf(row)
}

const personOf = ({ groups, disabled, ...row }: PersonRow): Person => ({
  ...row,
  disabled: disabled === null ? null : disabled === 1,
  groups: groups === null ? null : storedJson<string[]>(groups),
})

/** Those that are not done, the oldest first. */
const openInvitations = (db: Db): Promise<readonly Invitation[]> =>
  db
    .selectFrom('invitations')
    .selectAll()
    .where('step', '!=', 'done')
    .orderBy('updated_at')
    .orderBy('username')
    .execute()

async function invitation(db: Db, username: string): Promise<Invitation | null> {
  const row = await db
    .selectFrom('invitations')
    .selectAll()
    .where('username', '=', username)
    .executeTakeFirst()
  return row ?? null
}

/** By user name. */
async function savePerson(db: Db, { username, groups, ...rest }: Person): Promise<void> {
  const { origin, display_name, email, revoked_at, password_hash, written_at, disabled } = rest
  const { created_at, updated_at } = rest
  const columns = {
    origin,
    display_name,
    email,
    groups: groups === null ? null : JSON.stringify(groups),
    revoked_at,
    password_hash,
    written_at,
    disabled: disabled === null ? null : Number(disabled),
    created_at,
    updated_at,
  }
  await db
    .insertInto('people')
    .values({ username, ...columns })
    .onConflict((on) => on.column('username').doUpdateSet(columns))
    .execute()
}

/** With the invitation. Nothing happens where there is none. */
async function dropPerson(db: Db, username: string): Promise<void> {
  await db.deleteFrom('invitations').where('username', '=', username).execute()
  await db.deleteFrom('people').where('username', '=', username).execute()
}

/** By user name. */
async function saveInvitation(db: Db, { username, ...rest }: Invitation): Promise<void> {
  const { step, mail_key, detail, mail, failures, updated_at } = rest
  const columns = { step, mail_key, detail, mail, failures, updated_at }
  await db
    .insertInto('invitations')
    .values({ username, ...columns })
    .onConflict((on) => on.column('username').doUpdateSet(columns))
    .execute()
}

export const peopleRecords = recordSet({
  reads: { people, person, openInvitations, invitation },
  writes: { savePerson, dropPerson, saveInvitation },
  closes: {
    dropPerson: () => true,
    savePerson: ({ revoked_at, disabled }) => revoked_at !== null || disabled === true,
  },
})

export type PeopleReader = ReaderOf<typeof peopleRecords>
