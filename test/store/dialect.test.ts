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
  expect(seen).toEqual(['told', 'other'])
  connection.close()
})
