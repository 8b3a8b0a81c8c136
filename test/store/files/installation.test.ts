/** The marker: a lost or emptied database is never taken for a new installation. */
import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { beforeEach, describe, expect, test } from 'vitest'
import { plainFields } from '../../contract/protocol-rules.ts'
import { failureOf, insert } from '../../contract/store/opened.ts'
import { eachScratch } from '../scratch.ts'

const scratch = eachScratch()

const database = (directory: string) => join(directory, 'plumbline.db')
const markerFile = (directory: string) => join(directory, 'installation.json')

const bytesIn = (directory: string) =>
  Object.fromEntries(
    readdirSync(directory, { recursive: true, encoding: 'utf8' })
      .filter((name) => statSync(join(directory, name)).isFile())
      .map((name) => [name, readFileSync(join(directory, name)).toString('base64')]),
  )

test('a new installation gets an id, a marker that carries it, and files for its owner only', async () => {
  const directory = scratch.directory()
  const store = await scratch.open(directory)
  await insert(store, plainFields)
  expect(store.installation_id).toMatch(/^[0-9a-f-]{36}$/)
  const { id, created_at } = JSON.parse(readFileSync(markerFile(directory), 'utf8')) as Record<string, string>
  expect(id).toBe(store.installation_id)
  expect(created_at).toMatch(/^2026-07-22T10:15:/)
  const modes = readdirSync(directory).map((name) => [
    name,
    (statSync(join(directory, name)).mode & 0o777).toString(8),
  ])
  expect(Object.fromEntries(modes)).toEqual({
    ballast: '600',
    'installation.json': '600',
    'plumbline.db': '600',
    'plumbline.db-shm': '600',
    'plumbline.db-wal': '600',
  })
})

test('a data directory that is not there is made, for its owner only', async () => {
  const directory = join(scratch.directory(), 'deep', 'data')
  await scratch.open(directory)
  expect(statSync(directory).mode & 0o777).toBe(0o700)
})

describe('an installation with a marker', () => {
  let directory: string
  let installation_id: string
  beforeEach(async () => {
    directory = scratch.directory()
    const store = await scratch.open(directory)
    await insert(store, plainFields)
    installation_id = store.installation_id
    await store.close()
  })

  async function expectMissing(fault: string): Promise<void> {
    const before = bytesIn(directory)
    const failure = await failureOf(scratch.open(directory), 'database_missing')
    expect(failure.message).toContain(`installation ${installation_id}`)
    expect(failure.message).toContain(`${database(directory)} ${fault}`)
    expect(failure.message).toContain('There is no backup')
    expect(failure.message).toContain('remove installation.json to start anew')
    expect(bytesIn(directory)).toEqual(before)
  }

  test('and without its database is refused and left as it is', async () => {
    rmSync(database(directory))
    await expectMissing('is missing')
    expect(existsSync(database(directory))).toBe(false)
  })

  test('and with an empty file for a database is refused, and the log beside it is left for a rescue', async () => {
    truncateSync(database(directory))
    writeFileSync(`${database(directory)}-wal`, 'what is left')
    await expectMissing('is empty')
  })

  test('and with a database cut to one byte is refused', async () => {
    truncateSync(database(directory), 1)
    await expectMissing('is empty')
  })

  test('and with a database without tables is refused', async () => {
    rmSync(database(directory))
    const empty = new Database(database(directory))
    empty.pragma('user_version = 1')
    empty.close()
    await expectMissing('is empty')
  })

  test('and with the database of another program is refused', async () => {
    rmSync(database(directory))
    const foreign = new Database(database(directory))
    foreign.exec('CREATE TABLE domains (id INTEGER PRIMARY KEY)')
    foreign.close()
    await expectMissing('is the database of something else')
  })

  test('and with the database of another installation is refused', async () => {
    const raw = scratch.raw(directory)
    raw.prepare(`UPDATE meta SET value = 'another' WHERE key = 'installation_id'`).run()
    raw.close()
    await expectMissing('belongs to installation another')
  })

  test('and with a database that lost its id is refused', async () => {
    const raw = scratch.raw(directory)
    raw.prepare(`DELETE FROM meta WHERE key = 'installation_id'`).run()
    raw.close()
    await expectMissing('is the database of something else')
  })

  test('the newest saved copy is named with a command that a shell understands, and nobody is told to start anew', async () => {
    const odd = join(scratch.directory(), "jo's data")
    renameSync(directory, odd)
    truncateSync(database(odd))
    rmSync(`${database(odd)}-wal`, { force: true })
    for (const name of ['20260101T000000000Z', '20260301T000000000Z', '20260301T000000000Z-2', '2026'])
      copyFileSync(markerFile(odd), join(odd, `plumbline-saved-${name}.db`))
    const { message } = await failureOf(scratch.open(odd), 'database_missing')
    expect(message).toContain(`${database(odd)} is empty`)
    expect(message).not.toContain('start anew')
    const [, command = ''] = /To put it in place: (.*)$/.exec(message) ?? []
    execFileSync('/bin/sh', ['-ec', command])
    expect(readFileSync(database(odd), 'utf8')).toBe(readFileSync(markerFile(odd), 'utf8'))
    expect(command).toContain('plumbline-saved-20260301T000000000Z-2.db')
  })

  test('the newest backup is named', async () => {
    rmSync(database(directory))
    const backups = join(directory, 'backups')
    const names = [
      'plumbline-0002-20260101T000000000Z.db',
      'plumbline-0001-20260301T000000000Z.db',
      'notes.txt',
    ]
    mkdirSync(backups)
    for (const name of names) writeFileSync(join(backups, name), '')
    const failure = await failureOf(scratch.open(directory), 'database_missing')
    expect(failure.message).toContain(`copy ${join(backups, names[1]!)} to plumbline.db`)
  })

  test('starts anew with nothing once the marker is removed too', async () => {
    rmSync(database(directory))
    rmSync(markerFile(directory))
    const store = await scratch.open(directory)
    expect(store.installation_id).not.toBe(installation_id)
    expect((await store.intent('working')).rows).toEqual([])
  })

  test.each([
    ['was lost', () => rmSync(markerFile(directory))],
    ['is damaged', () => writeFileSync(markerFile(directory), '{"id":')],
    ['says nothing', () => writeFileSync(markerFile(directory), '{"id":5}')],
  ])('a marker that %s is written again from the database', async (_, spoil) => {
    spoil()
    const store = await scratch.open(directory)
    expect(store.installation_id).toBe(installation_id)
    expect(JSON.parse(readFileSync(markerFile(directory), 'utf8'))).toMatchObject({ id: installation_id })
    expect((await store.intent('working')).rows).toHaveLength(1)
  })

  test('a database that others may read is closed to them', async () => {
    chmodSync(database(directory), 0o644)
    await scratch.open(directory)
    expect(statSync(database(directory)).mode & 0o777).toBe(0o600)
  })
})

describe('without a marker', () => {
  test('an empty file is taken over', async () => {
    const directory = scratch.directory()
    writeFileSync(database(directory), '')
    const store = await scratch.open(directory)
    expect((await store.intent('working')).rows).toEqual([])
  })

  test('the database of another program is refused and left as it is', async () => {
    const directory = scratch.directory()
    const foreign = new Database(database(directory))
    foreign.exec('CREATE TABLE photos (id INTEGER PRIMARY KEY)')
    foreign.close()
    const before = bytesIn(directory)
    const failure = await failureOf(scratch.open(directory), 'database_corrupt')
    expect(failure.message).toContain('is the database of something else')
    expect(bytesIn(directory)).toEqual(before)
  })

  test('a folder in place of the database is named, with what would help', async () => {
    const directory = scratch.directory()
    mkdirSync(database(directory))
    const failure = await failureOf(scratch.open(directory), 'storage_unwritable')
    expect(failure.message).toContain(database(directory))
  })
})
