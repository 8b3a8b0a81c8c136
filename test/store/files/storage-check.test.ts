/** Whether the database could be written: told without writing, without waiting inside SQLite, and without harm to a rescue. */
import { existsSync, readFileSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { openStore, type OpenedStore } from '../../../src/store/open.ts'
import { type StorageWatch, storageWatch } from '../../../src/store/files/storage-check.ts'
import { systemClock } from '../../../src/kernel/clock.ts'
import { silentLog } from '../../../src/kernel/log.ts'
import type { CheckStorage } from '../../../src/ports/storage-check.ts'
import { itInDepth } from '../../kit/in-depth.ts'
import { newFolder } from '../../kit/new-folder.ts'

let directory: string
let store: OpenedStore
let watch: StorageWatch
let check: CheckStorage
const path = () => join(directory, 'plumbline.db')
const signal = new AbortController().signal

beforeEach(async () => {
  directory = newFolder('storage')
  store = await openStore({ directory, log: silentLog, clock: systemClock })
  watch = storageWatch(directory, store.files)
  check = watch.check
})
afterEach(async () => {
  watch.close()
  await store.close()
})

it('a sound one can be written, has room, and keeps every byte', async () => {
  const before = [readFileSync(path()), readFileSync(`${path()}-wal`)]
  expect(await check(signal)).toMatchObject({
    writable: true,
    detail: null,
    free_bytes: expect.any(Number) as unknown,
  })
  expect([readFileSync(path()), readFileSync(`${path()}-wal`)]).toEqual(before)
})

it('what was acknowledged after the check is there after the next start', async () => {
  await check(signal)
  await store.write((tx) => tx.saveDeployStatus('kept'))
  await check(signal)
  watch.close()
  await store.close()
  store = await openStore({ directory, log: silentLog, clock: systemClock })
  expect(await store.deployStatus()).toBe('kept')
})

it('a check that outlasts the watch opens nothing, so that the store still writes the log back', async () => {
  const stranger = new Database(path())
  stranger.exec('BEGIN IMMEDIATE')
  const waiting = check(signal)
  watch.close()
  stranger.exec('ROLLBACK')
  stranger.close()
  expect(await waiting).toMatchObject({ writable: null, detail: 'The database is being closed.' })
  await store.close()
  expect(existsSync(`${path()}-wal`)).toBe(false)
})

itInDepth(
  'a lock that a stranger holds is unknown, without a wait that holds up the process, and it recovers',
  async () => {
    const stranger = new Database(path())
    stranger.exec('BEGIN IMMEDIATE')
    let turns = 0
    const turning = setInterval(() => turns++, 5)
    const told = await check(signal)
    clearInterval(turning)
    expect(told).toMatchObject({
      writable: null,
      detail: expect.stringContaining('another process') as unknown,
    })
    expect(turns).toBeGreaterThan(3)
    stranger.exec('ROLLBACK')
    stranger.close()
    expect(await check(signal)).toMatchObject({ writable: true })
  },
)

it.each([
  ['gone', () => rmSync(path()), 'was removed'],
  ['emptied', () => truncateSync(path()), 'was cut'],
  [
    'another one',
    () => {
      renameSync(path(), `${path()}.old`)
      writeFileSync(path(), 'another')
    },
    'another file',
  ],
])('one that is %s is told, and its log is left for a rescue', async (_, harm, words) => {
  await store.write((tx) => tx.saveDeployStatus('kept'))
  const log = readFileSync(`${path()}-wal`)
  harm()
  expect(await check(signal)).toMatchObject({
    writable: false,
    detail: expect.stringContaining(words) as unknown,
  })
  expect(readFileSync(`${path()}-wal`)).toEqual(log)
})
