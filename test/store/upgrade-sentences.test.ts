/** What an older version said in a sentence alone is known as data after the update. */
import Database from 'better-sqlite3'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ownMigrations } from '../../src/store/migrations.ts'
import { peopleRecords } from '../../src/features/people/records.ts'
import type { Store } from '../../src/ports/store.ts'
import { failureOf, insert } from '../contract/store/opened.ts'
import { named } from '../contract/store/samples.ts'
import { eachScratch } from './scratch.ts'

const scratch = eachScratch()
const own = ownMigrations()

/** A store of the schema before this one, with what the older version wrote, as the present version opens it. */
async function updated(
  schema: number,
  write: (database: Database.Database, ids: readonly number[]) => void,
  names: readonly string[] = [],
): Promise<Store> {
  const directory = scratch.directory()
  const older = await scratch.open(directory, { migrations: own.filter(({ number }) => number < schema) })
  const ids: number[] = []
  for (const name of names) ids.push((await insert(older, named(name))).id)
  await older.close()
  const database = new Database(join(directory, 'plumbline.db'))
  write(database, ids)
  database.close()
  return scratch.open(directory)
}

test('of a step that is open, which place it writes', async () => {
  const store = await updated(28, (database) => {
    const begin = database.prepare(
      `INSERT INTO journal (key, component, release, differences, before, after, at) VALUES ('routes', 'routes', 2, ?, 'bb', 'dd', 1)`,
    )
    for (const differences of ['["create /etc/traefik/a b.yml"]', '[]']) begin.run(differences)
  })
  expect((await store.openSteps()).map(({ place }) => place)).toEqual(['/etc/traefik/a b.yml', null])
})

test('what is no list of differences keeps nobody from the update', async () => {
  const store = await updated(28, (database) =>
    database.exec(
      `INSERT INTO journal (key, component, release, differences, before, after, at) VALUES ('routes', 'routes', 2, 'damaged', 'bb', 'dd', 1)`,
    ),
  )
  await failureOf(store.openSteps(), 'database_corrupt')
})

test('of an invitation that is done, how its mail ended', async () => {
  const invited = [
    ['ana', 'loaded', 'The mail server does not answer.', null],
    ['bo', 'done', null, 'sent'],
    [
      'cy',
      'done',
      'Whether the mail went out is not known (no answer). It is not sent again by itself.',
      'not_known',
    ],
    ['di', 'done', 'The mail was refused for good: no such mailbox', 'not_sent'],
  ] as const
  const store = await updated(29, (database) => {
    const invite = database.prepare(
      `INSERT INTO people (username, origin, display_name, email, created_at, updated_at) VALUES (?, 'invited', '', '', 1, 1)`,
    )
    const save = database.prepare(
      `INSERT INTO invitations (username, step, mail_key, detail, failures, updated_at) VALUES (?, ?, 'key', ?, 0, 1)`,
    )
    for (const [username, step, detail] of invited) {
      invite.run(username)
      save.run(username, step, detail)
    }
  })
  for (const [username, step, detail, mail] of invited)
    expect(await store.of(peopleRecords).invitation(username)).toMatchObject({ step, detail, mail })
})

test('of a record in error, that the proxy does not serve it', async () => {
  const reasons = [
    'The proxy does not serve a.example.com: x is disabled.',
    'The zone file cannot be written.',
  ]
  const store = await updated(
    30,
    (database, ids) => {
      const refuse = database.prepare(`UPDATE domains SET status = 'error', status_reason = ? WHERE id = ?`)
      for (const [at, reason] of reasons.entries()) refuse.run(reason, ids[at])
    },
    ['a.example.com', 'b.example.com', 'c.example.com'],
  )
  expect(await store.unservedRecords()).toEqual(new Set([1]))
})
