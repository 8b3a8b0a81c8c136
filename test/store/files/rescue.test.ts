/** What was acknowledged by a database whose file is gone is copied beside it, and a copy that fails is no burden on every write. */
import { existsSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import Database, { SqliteError } from 'better-sqlite3'
import { expect, it, onTestFinished } from 'vitest'
import { silentLog } from '../../../src/kernel/log.ts'
import { makeDurable } from '../../../src/store/connection.ts'
import { DatabaseFiles } from '../../../src/store/files/open-files.ts'
import { handClock } from '../../fakes/hand-clock.ts'
import { eachScratch } from '../scratch.ts'

const scratch = eachScratch()

function gone() {
  const path = join(scratch.directory(), 'plumbline.db')
  const connection = new Database(path)
  makeDurable(connection)
  connection.exec('CREATE TABLE meta (key TEXT)')
  const prepare = connection.prepare.bind(connection)
  const disk = { is_full: true, copies: 0 }
  connection.prepare = (sql: string) => {
    if (sql.startsWith('VACUUM INTO')) disk.copies++
    if (sql.startsWith('VACUUM INTO') && disk.is_full) throw new SqliteError('no room', 'SQLITE_FULL')
    return prepare(sql)
  }
  const clock = handClock()
  const files = new DatabaseFiles(connection, { clock, log: silentLog })
  renameSync(path, `${path}.away`)
  const savedAs = () => /is whole in (\S+\.db)\. /.exec(files.hindrance()!)?.[1]
  onTestFinished(() => {
    files.close()
    connection.close()
  })
  return { files, disk, clock, savedAs }
}

it('the copy of a database that is gone is tried once, then again after a while', () => {
  const { files, disk, clock, savedAs } = gone()
  for (let i = 0; i < 20; i++) expect(files.hindrance()).toMatch(/copying it failed.*the disk is full/)
  expect(disk.copies).toBe(1)
  disk.is_full = false
  clock.pass(30_000)
  expect(existsSync(savedAs()!)).toBe(true)
  expect(disk.copies).toBe(2)
})

it('is tried a last time before the connection is closed', () => {
  const { files, disk, savedAs } = gone()
  files.hindrance()
  disk.is_full = false
  files.saveLast()
  expect(existsSync(savedAs()!)).toBe(true)
})
