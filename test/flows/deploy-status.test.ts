/** The outcome of the last deploy-all after its row or its file was damaged: what can still be read is told. */
import { writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, it } from 'vitest'
import type { Store } from '../../src/ports/store.ts'
import { createActive, openTestHouse, type TestHouse } from './test-house.ts'
import { itInDepth, itOneIn } from '../kit/in-depth.ts'

/** A house that deployed everything once and is closed, its row being what is said. */
async function closedHouse(row: string): Promise<{ directory: string; file: string }> {
  const at = await openTestHouse()
  await createActive(at.call)
  expect((await at.call('POST', '/api/deploy-all')).status).toBe(200)
  await at.house.close()
  const database = new Database(join(at.directory, 'plumbline.db'))
  const { changes } = database.prepare('UPDATE deploy_status SET status = ?').run(row)
  database.close()
  expect(changes).toBe(1)
  return { directory: at.directory, file: join(dirname(at.house.routes_path), 'deploy-status.json') }
}

const status = ({ call }: TestHouse) => call('GET', '/api/deploy/status')

itOneIn(4).each([
  '{"success":tr',
  'null',
  '[]',
  '"text"',
  '{"timestamp":7}',
  '{"warnings":"none"}',
  '{}',
  '',
])('a row that says %j: the file is told, as a fallback', async (row) => {
  const { directory } = await closedHouse(row)
  await using at = await openTestHouse({ directory })
  expect(await status(at)).toMatchObject({
    status: 200,
    body: { success: true, domain_count: 1, source: 'file', fallback: true },
  })
})

itInDepth('neither can be read: that a deploy was made is said, not that there was none', async () => {
  const { directory, file } = await closedHouse('{')
  writeFileSync(file, '{"timestamp":')
  await using at = await openTestHouse({ directory })
  expect(await status(at)).toMatchObject({
    status: 200,
    body: {
      timestamp: null,
      success: null,
      source: 'db',
      fallback: false,
      warnings: [expect.stringContaining('can be read neither')],
    },
  })
})

it('no deploy-all was made: nothing is told of one', async () => {
  await using at = await openTestHouse()
  expect((await status(at)).body).toMatchObject({
    timestamp: null,
    source: 'db',
    fallback: false,
    warnings: [],
  })
})

itInDepth('a database that cannot be read at all: the file is told', async () => {
  const { directory } = await closedHouse('{}')
  let broken = false
  const fail = () => Promise.reject(new Error('SQLITE_CORRUPT'))
  const wrap = (store: Store): Store =>
    new Proxy(store, {
      get: (target, name) => {
        const isRead = broken && (name === 'deployStatus' || name === 'latestRelease')
        const value: unknown = Reflect.get(target, name)
        return isRead ? fail : typeof value === 'function' ? value.bind(target) : value
      },
    })
  await using at = await openTestHouse({ directory, wrap: { store: wrap } })
  broken = true
  expect(await status(at)).toMatchObject({
    status: 200,
    body: { success: true, source: 'file', fallback: true, newest: null, loaded: null },
  })
})
