/** People whom we invited or revoked, invitations under way, and what is owed to the outside world after a write. */
import type { Kysely, Selectable } from 'kysely'
import type { Instant } from '../../kernel/clock.ts'
import type { Invitation, PeopleReader, PeopleWriter, Person } from '../../ports/records/people.ts'
import { storedJson } from '../stored-json.ts'
import type { Tables } from '../tables.ts'

export const peopleReader = (use: () => Kysely<Tables>): PeopleReader => ({
  people: async () => {
    const rows = await use().selectFrom('people').selectAll().orderBy('username').execute()
    return rows.map(personOf)
  },
  person: async (username) => {
    const row = await use()
      .selectFrom('people')
      .selectAll()
      .where('username', '=', username)
      .executeTakeFirst()
    return row === undefined ? null : personOf(row)
  },
  openInvitations: async () =>
    use()
      .selectFrom('invitations')
      .selectAll()
      .where('step', '!=', 'done')
      .orderBy('updated_at')
      .orderBy('username')
      .execute(),
  invitation: async (username) => {
    const row = await use()
      .selectFrom('invitations')
      .selectAll()
      .where('username', '=', username)
      .executeTakeFirst()
    return row ?? null
  },
  debt: async (name) => {
    const row = await use()
      .selectFrom('people_debts')
      .select('since')
      .where('name', '=', name)
      .executeTakeFirst()
    return row?.since ?? null
  },
})

/** @param doom what happens to the transaction when a write fails */
export const peopleWriter = (
  db: Kysely<Tables>,
  doom: (error: unknown) => never,
  close: () => void,
): Omit<PeopleWriter, keyof PeopleReader> => ({
  savePerson: (person) => {
    if (person.revoked_at !== null) close()
    return savePerson(db, person).catch(doom)
  },
  dropPerson: (username) => {
    close()
    return dropPerson(db, username).catch(doom)
  },
  saveInvitation: (invitation) => saveInvitation(db, invitation).catch(doom),
  owe: (name, since) => owe(db, name, since).catch(doom),
  settleDebt: (name, until) => settleDebt(db, name, until).catch(doom),
})

const personOf = ({ groups, ...row }: Selectable<Tables['people']>): Person => ({
  ...row,
  groups: groups === null ? null : storedJson<string[]>(groups),
})

async function savePerson(db: Kysely<Tables>, { username, groups, ...person }: Person): Promise<void> {
  const { origin, display_name, email, revoked_at, password_hash, written_at, created_at, updated_at } =
    person
  const columns = {
    origin,
    display_name,
    email,
    groups: groups === null ? null : JSON.stringify(groups),
    revoked_at,
    password_hash,
    written_at,
    created_at,
    updated_at,
  }
  await db
    .insertInto('people')
    .values({ username, ...columns })
    .onConflict((on) => on.column('username').doUpdateSet(columns))
    .execute()
}

async function dropPerson(db: Kysely<Tables>, username: string): Promise<void> {
  await db.deleteFrom('invitations').where('username', '=', username).execute()
  await db.deleteFrom('people').where('username', '=', username).execute()
}

async function saveInvitation(db: Kysely<Tables>, invitation: Invitation): Promise<void> {
  const { username, step, mail_key, detail, failures, updated_at } = invitation
  const columns = { step, mail_key, detail, failures, updated_at }
  await db
    .insertInto('invitations')
    .values({ username, ...columns })
    .onConflict((on) => on.column('username').doUpdateSet(columns))
    .execute()
}

async function owe(db: Kysely<Tables>, name: string, since: Instant): Promise<void> {
  await db
    .insertInto('people_debts')
    .values({ name, since })
    .onConflict((on) => on.column('name').doUpdateSet({ since }))
    .execute()
}

async function settleDebt(db: Kysely<Tables>, name: string, until: Instant): Promise<void> {
  await db.deleteFrom('people_debts').where('name', '=', name).where('since', '<=', until).execute()
}
