/** The settings that keep acknowledged commits, asserted where they could silently be otherwise. */
import { openSync, closeSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { assertDurable, makeDurable, openConnection } from '../../src/store/connection.ts'
import { Failure } from '../../src/kernel/failure.ts'
import { eachScratch } from './scratch.ts'

const scratch = eachScratch()

function emptyFile(): string {
  const path = join(scratch.directory(), 'plumbline.db')
  closeSync(openSync(path, 'wx', 0o600))
  return path
}

test('after a first write synchronous is still FULL, and so it is on the next open', () => {
  const path = emptyFile()
  for (const round of [1, 2]) {
    const connection = openConnection(path)
    makeDurable(connection)
    connection.exec(`CREATE TABLE t${round} (a INTEGER) STRICT; INSERT INTO t${round} VALUES (1)`)
    expect(() => assertDurable(connection)).not.toThrow()
    expect(connection.pragma('synchronous', { simple: true })).toBe(2)
    connection.close()
  }
})

test('without the setting the library would fall back to NORMAL after the first write, and the assertion sees it', () => {
  const connection = openConnection(emptyFile())
  connection.pragma('journal_mode = WAL')
  expect(() => assertDurable(connection)).not.toThrow()
  connection.exec('CREATE TABLE t (a INTEGER) STRICT')
  expect(() => assertDurable(connection)).toThrow(Failure)
  expect(() => assertDurable(connection)).toThrow(/not durable \(synchronous is 1, wanted 2\)/)
  connection.close()
})

test('a connection has a log, foreign keys, patience, and trusts neither schema nor pages', () => {
  const connection = openConnection(emptyFile())
  makeDurable(connection)
  const settings = ['journal_mode', 'foreign_keys', 'busy_timeout', 'trusted_schema', 'cell_size_check']
  const values = settings.map((name) => [name, connection.pragma(name, { simple: true })])
  expect(Object.fromEntries(values)).toEqual({
    journal_mode: 'wal',
    foreign_keys: 1,
    busy_timeout: 5000,
    trusted_schema: 0,
    cell_size_check: 1,
  })
  connection.close()
})
