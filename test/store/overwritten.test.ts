/** The main file written by something else than SQLite is noticed; what SQLite writes there, for whomever, is not. */
import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  closeSync,
  copyFileSync,
  ftruncateSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openStore, type OpenedStore } from '../../src/store/open.ts'
import { systemClock } from '../../src/kernel/clock.ts'
import { silentLog } from '../../src/kernel/log.ts'
import { sqlElsewhere } from './elsewhere.ts'
import { itInDepth, itOneIn } from '../kit/in-depth.ts'
import { newFolder } from '../kit/new-folder.ts'

let directory: string
let store: OpenedStore
const path = () => join(directory, 'plumbline.db')
const older = () => join(directory, 'older.db')
const open = () => openStore({ directory, log: silentLog, clock: systemClock })

beforeEach(async () => {
  directory = newFolder('overwritten')
  store = await open()
})
afterEach(async () => {
  await store.close()
  rmSync(directory, { recursive: true, force: true })
})

const shell = (sql: string) => sqlElsewhere(path(), sql)
const save = (status: string) => store.write((tx) => tx.saveDeployStatus(status))
/** Same pages, another content. */
async function makeOlder(): Promise<void> {
  await save('first')
  shell('PRAGMA wal_checkpoint(TRUNCATE)')
  copyFileSync(path(), older())
  await save('second')
  shell('PRAGMA wal_checkpoint(TRUNCATE)')
  await save('newest')
}

describe('an older copy', () => {
  itOneIn(3).each<[string, () => void]>([
    ['is copied over it in place', () => copyFileSync(older(), path())],
    [
      'is copied over it with its own times',
      () => execFileSync('cp', ['--preserve=timestamps', older(), path()]),
    ],
    ['is written into it, byte by byte', () => overlay(readFileSync(older()))],
  ])('%s: nothing is saved any more, and the way back is named', async (_, harm) => {
    await makeOlder()
    expect(store.files.hindrance()).toBeNull()
    const { ino } = statSync(path())
    harm()
    expect(statSync(path()).ino).toBe(ino)
    expect(store.files.hindrance()).toMatch(/plumbline\.db was overwritten in place.*There is no backup in/)
    await expect(save('third')).rejects.toMatchObject({ code: 'database_corrupt' })
  })

  itInDepth('is noticed, too, where the checkpoint before it was of our own last commit', async () => {
    await makeOlder()
    let commits = 0
    const size = () => statSync(path()).mtimeMs
    for (const before = size(); size() === before; commits++) await save('x'.repeat(40_000) + commits)
    copyFileSync(older(), path())
    expect(store.files.hindrance()).toMatch(/plumbline\.db was (overwritten|cut short) in place/)
  })
})

it('a database that grew since the last look and was cut to its length of then is noticed', async () => {
  shell('PRAGMA wal_checkpoint(TRUNCATE)')
  expect(store.files.hindrance()).toBeNull()
  const { size } = statSync(path())
  shell(
    `CREATE TABLE stuff (a); INSERT INTO stuff VALUES (zeroblob(100000)); PRAGMA wal_checkpoint(TRUNCATE)`,
  )
  expect(statSync(path()).size).toBeGreaterThan(size)
  truncateSync(path(), size)
  expect(store.files.hindrance()).toMatch(/plumbline\.db was cut short/)
})

it('a log that grew since the last look and was cut to its length of then is noticed', async () => {
  await save('first')
  expect(store.files.hindrance()).toBeNull()
  const { size } = statSync(`${path()}-wal`)
  shell(`CREATE TABLE stuff (a); INSERT INTO stuff VALUES (zeroblob(100000))`)
  expect(statSync(`${path()}-wal`).size).toBeGreaterThan(size)
  truncateSync(`${path()}-wal`, size)
  expect(store.files.hindrance()).toMatch(/plumbline\.db-wal was cut short/)
})

describe('the log behind an older commit', () => {
  const log = () => `${path()}-wal`
  const zeros = (from: number, to: number) => {
    const file = openSync(log(), 'r+')
    writeSync(file, Buffer.alloc(to - from), 0, to - from, from)
    closeSync(file)
  }
  itOneIn(3).each<[string, (from: number, to: number) => void]>([
    [
      'is cut off, and what is written next fills it with zeros',
      (from, to) => (truncateSync(log(), from), truncateSync(log(), to)),
    ],
    ['is overwritten', zeros],
    ['loses the end of its last page', (_from, to) => zeros(to - 100, to)],
  ])('%s: it is as long as ever, and nothing is saved any more', async (_, harm) => {
    await save('older')
    const from = statSync(log()).size
    await save('x'.repeat(30_000))
    harm(from, statSync(log()).size)
    expect(store.files.hindrance()).toMatch(
      /plumbline\.db-wal was overwritten in place.*There is no backup in/,
    )
    await expect(save('third')).rejects.toMatchObject({ code: 'database_corrupt' })
  })

  it('is cut off in the very moment in which somebody commits', async () => {
    await save('older')
    const from = statSync(log()).size
    await save('x'.repeat(30_000))
    const stranger = new Database(path())
    stranger.exec('CREATE TABLE stuff (a); BEGIN IMMEDIATE; INSERT INTO stuff VALUES (zeroblob(100))')
    expect(store.files.hindrance()).toBeNull()
    truncateSync(log(), from)
    stranger.exec('COMMIT')
    expect(statSync(log()).size).toBeGreaterThan(from)
    expect(store.files.hindrance()).toMatch(/plumbline\.db-wal was overwritten in place/)
    stranger.close()
  })
})

describe('no alarm', () => {
  itInDepth.each<[string, string]>([
    ['reads', 'SELECT * FROM meta'],
    ['writes', `CREATE TABLE stuff (a); INSERT INTO stuff VALUES (zeroblob(100000))`],
    ['writes the log back', 'PRAGMA wal_checkpoint(TRUNCATE)'],
    ['writes the log back for the next to begin anew', 'PRAGMA wal_checkpoint(RESTART)'],
    ['makes the file anew', 'VACUUM; PRAGMA wal_checkpoint(TRUNCATE)'],
    [
      'writes so much that the log is written back by itself',
      'CREATE TABLE stuff (a); INSERT INTO stuff VALUES (zeroblob(9000000))',
    ],
  ])('another process %s', async (_, sql) => {
    await save('first')
    expect(store.files.hindrance()).toBeNull()
    shell(sql)
    expect(store.files.hindrance()).toBeNull()
    await save('second')
    expect(store.files.hindrance()).toBeNull()
    shell(sql.replace('CREATE TABLE', 'CREATE TABLE IF NOT EXISTS'))
    await save('third')
    expect(store.files.hindrance()).toBeNull()
  })

  itInDepth('a copy is made by VACUUM INTO, and another process looks in', async () => {
    await save('first')
    shell(`VACUUM INTO '${older()}'`)
    shell('SELECT count(*) FROM meta; PRAGMA integrity_check')
    expect(store.files.hindrance()).toBeNull()
  })

  itInDepth('our own commits write the log back again and again', async () => {
    for (let i = 0; i < 300; i++) {
      await save('x'.repeat(60_000) + i)
      expect(store.files.hindrance()).toBeNull()
    }
  })

  it('its time is set, or its mode', async () => {
    await save('first')
    expect(store.files.hindrance()).toBeNull()
    utimesSync(path(), new Date(), new Date(Date.now() + 5000))
    expect(store.files.hindrance()).toBeNull()
    chmodSync(path(), 0o640)
    expect(store.files.hindrance()).toBeNull()
    await save('second')
  })

  it('a process that was killed left its log, and the next one goes on in it', async () => {
    await save('first')
    const copy = newFolder('killed')
    for (const name of readdirSync(directory))
      if (name.startsWith('plumbline')) copyFileSync(join(directory, name), join(copy, name))
    await store.close()
    rmSync(directory, { recursive: true })
    directory = copy
    store = await open()
    expect(await store.deployStatus()).toBe('first')
    expect(store.files.hindrance()).toBeNull()
    shell('PRAGMA wal_checkpoint(TRUNCATE)')
    expect(store.files.hindrance()).toBeNull()
    copyFileSync(path(), older())
    await save('second')
    writeFileSync(path(), readFileSync(older()).fill(0, 5000))
    expect(store.files.hindrance()).toMatch(/overwritten in place/)
  })
})

/** Without a moment in which the file is shorter. */
function overlay(bytes: Buffer): void {
  const file = openSync(path(), 'r+')
  writeFileSync(file, bytes)
  ftruncateSync(file, bytes.length)
  closeSync(file)
}
