/** Schema changes: in order, once, each whole, with a copy before, and never on a database that is newer or other. */
import { copyFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import { type Migration, ownMigrations } from '../../src/store/migrations.ts'
import { sha256 } from '../../src/kernel/digest.ts'
import { plainFields } from '../contract/protocol-rules.ts'
import { failureOf, insert } from '../contract/store/opened.ts'
import { eachScratch } from './scratch.ts'

const scratch = eachScratch()

const step = (number: number, sql: string): Migration => ({
  number,
  name: `${String(number).padStart(4, '0')}-test.sql`,
  sql,
})
const own = ownMigrations()
const next = own.at(-1)!.number + 1
const withNote = [...own, step(next, 'ALTER TABLE audit ADD COLUMN remark TEXT')]
const schema = String(own.at(-1)!.number).padStart(4, '0')

const backupsOf = (directory: string): string[] => readdirSync(join(directory, 'backups')).sort()

async function closed(directory: string, migrations = own): Promise<void> {
  const store = await scratch.open(directory, { migrations })
  await store.close()
}

test('our own migrations are numbered from 1 without a gap', () => {
  expect(own.map((migration) => migration.number)).toEqual(own.map((_, i) => i + 1))
})

test('each applied migration leaves its row', async () => {
  const directory = scratch.directory()
  await closed(directory)
  const rows = scratch.raw(directory).prepare('SELECT number, name, sha256 FROM migrations').all()
  expect(rows).toEqual(own.map(({ number, name, sql }) => ({ number, name, sha256: sha256([sql]) })))
})

test('a new database and one without pending migrations are not copied', async () => {
  const directory = scratch.directory()
  await closed(directory)
  await closed(directory)
  expect(readdirSync(directory)).not.toContain('backups')
})

test('an existing database is copied, whole and private, before it is migrated', async () => {
  const directory = scratch.directory()
  const before = await scratch.open(directory)
  const record = await insert(before, plainFields)
  await before.close()
  const store = await scratch.open(directory, { migrations: withNote })
  expect(await store.domain(record.id)).toEqual(record)
  const backups = backupsOf(directory)
  expect(backups).toEqual([expect.stringMatching(new RegExp(`^plumbline-${schema}-20260722T\\d{9}Z\\.db$`))])
  const path = join(directory, 'backups', backups[0]!)
  expect(statSync(path).mode & 0o777).toBe(0o600)
  const copy = new Database(path, { readonly: true })
  expect(copy.prepare('SELECT domain FROM domains').pluck().all()).toEqual([plainFields.domain])
  expect(copy.prepare('SELECT max(number) FROM migrations').pluck().get()).toBe(next - 1)
  copy.close()
})

test('a backup that is put in place of the database opens as it was', async () => {
  const directory = scratch.directory()
  const before = await scratch.open(directory)
  const record = await insert(before, plainFields)
  await before.close()
  await closed(directory, withNote)
  copyFileSync(join(directory, 'backups', backupsOf(directory)[0]!), join(directory, 'plumbline.db'))
  const store = await scratch.open(directory)
  expect(await store.domain(record.id)).toEqual(record)
})

test('the newest five backups are kept', async () => {
  const directory = scratch.directory()
  const migrations = [...own]
  const made: string[] = []
  await closed(directory, migrations)
  for (let i = 0; i < 7; i++) {
    migrations.push(step(next + i, `CREATE TABLE more_${i} (id INTEGER PRIMARY KEY) STRICT`))
    await closed(directory, migrations)
    made.push(backupsOf(directory).at(-1)!)
  }
  expect(backupsOf(directory)).toEqual(made.slice(2))
})

test('a migration that fails is undone, its copy stays, and the next start tries again', async () => {
  const directory = scratch.directory()
  await closed(directory)
  const broken = [
    ...own,
    step(next, 'CREATE TABLE half (id INTEGER) STRICT; CREATE TABLE audit (id INTEGER)'),
  ]
  await failureOf(scratch.open(directory, { migrations: broken }), 'internal')
  const raw = scratch.raw(directory)
  expect(raw.prepare(`SELECT count(*) FROM sqlite_schema WHERE name = 'half'`).pluck().get()).toBe(0)
  expect(raw.prepare('SELECT max(number) FROM migrations').pluck().get()).toBe(next - 1)
  expect(backupsOf(directory)).toHaveLength(1)
  await closed(directory, withNote)
})

test('a migration that breaks a reference is undone', async () => {
  const directory = scratch.directory()
  await closed(directory)
  const orphan = `INSERT INTO released (domain_id, release, revision, live, domain, fields) VALUES (1, 99, 1, 1, 'a', '{}')`
  const failure = await failureOf(
    scratch.open(directory, { migrations: [...own, step(next, orphan)] }),
    'internal',
  )
  expect(failure.message).toContain('1 broken references')
  await closed(directory)
})

test('a database with a schema that we do not have is refused, naming both and the remedy', async () => {
  const directory = scratch.directory()
  await closed(directory, withNote)
  const failure = await failureOf(scratch.open(directory), 'schema_too_new')
  expect(failure.message).toContain(`has schema ${next} (${withNote.at(-1)!.name})`)
  expect(failure.message).toContain(`knows schemas up to ${next - 1}`)
  expect(failure.message).toContain('restore a backup')
})

test('a database made with another text of a migration is refused', async () => {
  const directory = scratch.directory()
  await closed(directory, withNote)
  const changed = [...own, step(next, 'ALTER TABLE audit ADD COLUMN comment TEXT')]
  const failure = await failureOf(scratch.open(directory, { migrations: changed }), 'schema_too_new')
  expect(failure.message).toContain(`another text of ${changed.at(-1)!.name}`)
})

test('a copy that cannot be made stops the migration before it begins', async () => {
  const directory = scratch.directory()
  await closed(directory)
  writeFileSync(join(directory, 'backups'), 'a file where the folder should be')
  await failureOf(scratch.open(directory, { migrations: withNote }), 'storage_unwritable')
  rmSync(join(directory, 'backups'))
  expect(scratch.raw(directory).prepare('SELECT max(number) FROM migrations').pluck().get()).toBe(next - 1)
})
