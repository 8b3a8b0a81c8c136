/** What may come between the queries of a transaction, and what may not. */
import { statSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { Kysely } from 'kysely'
import { expect, it } from 'vitest'
import { type Connection, makeDurable } from '../../src/store/connection.ts'
import { StoreDialect } from '../../src/store/dialect.ts'
import type { Tables } from '../../src/store/tables.ts'
import { eachScratch } from './scratch.ts'

const scratch = eachScratch()

/** As a disk that takes longer than the queries of a transaction may follow one another. */
function slowed(connection: Connection, { only }: { readonly only: RegExp }): void {
  const prepare = connection.prepare.bind(connection)
  connection.prepare = ((sql: string) => {
    const statement = prepare(sql)
    if (!only.test(sql)) return statement
    const run = statement.run.bind(statement)
    statement.run = (...values: unknown[]) => {
      const until_ms = performance.now() + 10
      while (performance.now() < until_ms);
      return run(...values)
    }
    return statement
  }) as typeof connection.prepare
}

it('nobody comes between a commit and the word of it, however slow the disk', async () => {
  const connection = new Database(join(scratch.directory(), 'slow.db'))
  connection.exec('CREATE TABLE meta (key TEXT, value TEXT)')
  slowed(connection, { only: /^COMMIT$/ })
  const seen: string[] = []
  const other = Promise.withResolvers<void>()
  const others = [() => undefined, () => void setImmediate(() => (seen.push('other'), other.resolve()))]
  const ends = {
    // At the begin, and as the last before the commit.
    assertInPlace: () => others.shift()!(),
    committing: () => void seen.push('committing'),
    committed: () => void seen.push('told'),
    writtenBack: () => void seen.push('written back'),
    rolledBack: () => void seen.push('rolled back'),
  }
  const db = new Kysely<Tables>({ dialect: new StoreDialect(connection, ends) })
  await db.transaction().execute(async (tx) => {
    await tx.insertInto('meta').values({ key: 'a', value: 'b' }).execute()
  })
  await other.promise
  expect(seen).toEqual(['committing', 'told', 'other'])
  connection.close()
})

it('a large commit is durable and told of, and others have had a turn, before its log is written back', async () => {
  const path = join(scratch.directory(), 'large.db')
  const connection = new Database(path)
  makeDurable(connection)
  connection.exec('CREATE TABLE meta (key TEXT, value TEXT)')
  slowed(connection, { only: /^insert/ })
  const MEBIBYTE = 1024 * 1024
  const seen: string[] = []
  const see = (what: string) => () =>
    void seen.push(`${what}, ${statSync(path).size > MEBIBYTE ? 'in the main file' : 'in the log'}`)
  const ends = {
    assertInPlace: () => undefined,
    committing: () => undefined,
    committed: () => {
      see('told')()
      setImmediate(see('another'))
    },
    writtenBack: see('written back'),
    rolledBack: () => undefined,
  }
  const db = new Kysely<Tables>({ dialect: new StoreDialect(connection, ends) })
  await db.transaction().execute(async (tx) => {
    for (let i = 0; i < 6; i++)
      await tx
        .insertInto('meta')
        .values({ key: String(i), value: 'v'.repeat(MEBIBYTE) })
        .execute()
  })
  expect(seen).toEqual(['told, in the log', 'another, in the log', 'written back, in the main file'])
  expect(connection.pragma('wal_autocheckpoint', { simple: true })).toBe(1000)
  connection.close()
})

it('whoever has begun is the only one that writes, though it has only read yet', async () => {
  const path = join(scratch.directory(), 'two.db')
  const connection = new Database(path)
  // As the store has it: there a reader locks nobody out.
  connection.pragma('journal_mode = WAL')
  connection.exec('CREATE TABLE meta (key TEXT, value TEXT)')
  const ends = {
    assertInPlace: () => undefined,
    committing: () => undefined,
    committed: () => undefined,
    writtenBack: () => undefined,
    rolledBack: () => undefined,
  }
  const db = new Kysely<Tables>({ dialect: new StoreDialect(connection, ends) })
  const other = new Database(path, { timeout: 0 })
  const write = () => other.prepare(`INSERT INTO meta VALUES ('theirs', 'x')`).run()
  await db.transaction().execute(async (tx) => {
    expect(await tx.selectFrom('meta').selectAll().execute()).toEqual([])
    expect(write).toThrow(/database is locked/)
    await tx.insertInto('meta').values({ key: 'ours', value: 'y' }).execute()
  })
  write()
  expect(await db.selectFrom('meta').select('key').execute()).toEqual([{ key: 'ours' }, { key: 'theirs' }])
  other.close()
  connection.close()
})
