/** An older database that is put back into the open one by SQLite's own means: no file is removed, replaced or cut. */
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, it } from 'vitest'
import { createActive, openTestHouse } from './test-house.ts'

const never = new AbortController().signal

it('brings nothing back, also where the holder stands as it was read last', async () => {
  await using at = await openTestHouse()
  const app = await createActive(at.call)
  const two = await createActive(at.call, { domain: 'two.example.com' })
  const path = join(at.directory, 'plumbline.db')
  const older = join(at.directory, 'older.db')
  const beside = new Database(path)
  beside.prepare('VACUUM INTO ?').run(older)
  beside.close()
  expect((await at.call('DELETE', `/api/domains/${app}`)).status).toBe(200)
  await at.house.engine.world.examine(never)
  const routes = at.routes()
  const source = new Database(older)
  await source.backup(path)
  source.close()
  await at.call('PUT', `/api/domains/${two}`, { body: { backend_port: 99 } })
  expect(await at.call('POST', `/api/domains/${two}/deploy`)).toMatchObject({
    status: 409,
    body: { code: 'restored_from_backup' },
  })
  expect((await at.call('POST', '/api/deploy-all')).status).toBe(409)
  expect((await at.call('GET', '/ready')).status).toBe(503)
  expect(at.routes()).toBe(routes)
})
