/** What may come between the queries of a transaction, and what may not. */
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { Kysely } from 'kysely'
import { expect, it } from 'vitest'
import { StoreDialect } from '../../src/store/dialect.ts'
import type { Tables } from '../../src/store/tables.ts'
import { eachScratch } from './scratch.ts'

const scratch = eachScratch()

it('nobody comes between a commit and the word of it, however slow the disk', async () => {
  const connection = new Database(join(scratch.directory(), 'slow.db'))
  connection.exec('CREATE TABLE meta (key TEXT, value TEXT)')
  const prepare = connection.prepare.bind(connection)
  /** As a disk that takes longer than the queries of a transaction may follow one another. */
  connection.prepare = ((sql: string) => {
    const statement = prepare(sql)
    if (sql !== 'COMMIT') return statement
    const run = statement.run.bind(statement)
    statement.run = (...values: unknown[]) => {
      const until_ms = performance.now() + 60
      while (performance.now() < until_ms);
      return run(...values)
    }
    return statement
  }) as typeof connection.prepare
  const seen: string[] = []
  const ends = {
    assertInPlace: () => undefined,
    committing: () => void seen.push('committing'),
    committed: () => void seen.push('told'),
    rolledBack: () => void seen.push('rolled back'),
  }
  const db = new Kysely<Tables>({ dialect: new StoreDialect(connection, ends) })
  const other = Promise.withResolvers<void>()
  await db.transaction().execute(async (tx) => {
    await tx.insertInto('meta').values({ key: 'a', value: 'b' }).execute()
    setImmediate(() => {
      seen.push('other')
      other.resolve()
    })
  })
  await other.promise
  expect(seen).toEqual(['committing', 'told', 'other'])
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
