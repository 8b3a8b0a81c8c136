/** A bit that flips in a saved record is damage: named, never taken for an edit, never deployed, and it can be got rid of. */
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, it } from 'vitest'
import { sqliteInvariants } from '../../src/store/invariants.ts'
import { systemClock } from '../../src/kernel/clock.ts'
import type { Store } from '../../src/ports/store.ts'
import { create, createActive, openTestHouse, type TestHouse } from './test-house.ts'
import { describeOneIn, itInDepth } from '../kit/in-depth.ts'

const OTHER = 'other.example.com'

function damage({ directory }: Pick<TestHouse, 'directory'>, sql: string): void {
  const database = new Database(join(directory, 'plumbline.db'))
  const { changes } = database.prepare(sql).run()
  database.close()
  expect(changes).toBe(1)
}

/** A house with two released domains, the first of which is damaged while the daemon is down. */
async function damagedHouse(sql: string, wrap = (store: Store) => store): Promise<TestHouse> {
  const at = await openTestHouse()
  await createActive(at.call, { auth_required: true })
  await createActive(at.call, { domain: OTHER, backend_port: 9000 })
  await at.house.close()
  damage(at, sql)
  return openTestHouse({ directory: at.directory, wrap: { store: wrap } })
}

const brokenRules = async (directory: string) =>
  (await sqliteInvariants({ directory, clock: systemClock })(AbortSignal.timeout(30_000)))
    .filter(({ holds }) => holds !== true)
    .map(({ name }) => name)

const listed = async ({ call }: TestHouse) =>
  (await call('GET', '/api/domains?sort=id')).body as unknown as {
    id: number
    status: string
    status_reason: string | null
  }[]

/** What the routes file says of the damaged record. */
const linesOf = (routes: string): string[] =>
  routes.split('\n').filter((line) => line.includes('app.example.com') || line.includes('10.0.0.5:8080'))

const FLIPS: readonly (readonly [string, string])[] = [
  ['backend', `UPDATE domains SET backend_host = '10.0.0.4' WHERE id = 1`],
  ['protection', `UPDATE domains SET auth_required = 0 WHERE id = 1`],
  ['revision', `UPDATE domains SET revision = revision + 1, auth_required = 0 WHERE id = 1`],
  ['status', `UPDATE domains SET status = 'inactive' WHERE id = 1`],
  ['text', `UPDATE domains SET middleware_config = '{' WHERE id = 1`],
  ['name', `UPDATE domains SET domain = 'apq.example.com' WHERE id = 1`],
  ['digest', `UPDATE domains SET digest = 'a' || substr(digest, 2, 62) || 'zz' WHERE id = 1`],
  ['time', `UPDATE domains SET updated_at = 9007199254740991 WHERE id = 1`],
  ['lost digest', `UPDATE domains SET digest = NULL WHERE id = 1`],
]

describeOneIn(9).each(FLIPS)('a flipped bit in the %s of a record', (_, sql) => {
  it('is damage: unknown, not pending, not deployed; everything else goes on; deleting it ends it', async () => {
    await using at = await damagedHouse(sql)
    const { call } = at
    const routes = at.routes()
    expect(linesOf(routes).length).toBeGreaterThan(3)
    const drift = (await call('GET', '/api/domains/drift')).body
    expect(drift).toMatchObject({ drift: null, differences: [], pending: [] })
    expect(drift['reason']).toMatch(/\(1\) is damaged/)
    expect((await call('GET', '/api/drift')).body).toMatchObject({ drift: null, pending: [] })
    expect(await brokenRules(at.directory)).toContain('records_match_their_digests')

    expect(await listed(at)).toMatchObject([
      { id: 1, status: 'error', status_reason: expect.stringContaining('damaged') as unknown },
      { id: 2, status: 'active', status_reason: null },
    ])
    for (const [method, path] of [
      ['GET', '/api/domains/1'],
      ['PUT', '/api/domains/1'],
      ['POST', '/api/domains/1/activate'],
      ['POST', '/api/domains/1/deploy'],
    ] as const)
      expect(await call(method, path, method === 'PUT' ? { body: { note: 'new' } } : {})).toMatchObject({
        status: 503,
        body: { code: 'database_corrupt' },
      })

    await call('PUT', '/api/domains/2', { body: { backend_port: 9001 } })
    const deployed = await call('POST', '/api/deploy-all')
    expect(deployed).toMatchObject({
      status: 200,
      body: {
        message: expect.stringContaining('but 1 that is damaged') as unknown,
        domain_ids: [2],
        warnings: [expect.stringMatching(/\(1\) is damaged.*not deployed/) as unknown],
      },
    })
    expect(at.routes()).toContain('10.0.0.5:9001')
    expect((await call('GET', '/api/domains/stats')).body).toMatchObject({
      total: 2,
      by_status: { active: 1, error: 1 },
      auth_required: 1,
      damaged: 1,
    })
    expect(linesOf(at.routes())).toEqual(linesOf(routes))
    expect((await call('DELETE', '/api/domains/1')).status).toBe(200)
    expect(at.routes()).not.toContain('app.example.com')
    expect((await call('GET', '/api/domains/drift')).body).toMatchObject({ drift: false, pending: [] })
    await create(call, { auth_required: true })
    expect(await brokenRules(at.directory)).toEqual([])
  })
})

itInDepth('one that was in error is not said to recover, pass after pass', async () => {
  const stores: Store[] = []
  const sql = `UPDATE domains SET status = 'error', digest = NULL WHERE id = 1`
  await using at = await damagedHouse(sql, (store) => (stores.push(store), store))
  expect(await stores[0]!.write((tx) => tx.setDomainStatus(1, 'active', null))).toBe(false)
  expect(await listed(at)).toMatchObject([{ id: 1, status: 'error' }, { id: 2 }])
})

itInDepth('the number of a record that is damaged takes no route away', async () => {
  await using at = await damagedHouse(`UPDATE domains SET id = 66 WHERE id = 1`)
  const routes = at.routes()
  expect((await at.call('GET', '/api/domains/drift')).body).toMatchObject({ drift: null, pending: [] })
  expect((await at.call('POST', '/api/deploy-all')).status).toBe(200)
  expect(at.routes()).toBe(routes)
})

it('a bit that flips under the running daemon is no edit either, and is refused to whoever asks for the record', async () => {
  await using at = await openTestHouse()
  const id = await createActive(at.call)
  const routes = at.routes()
  damage(at, `UPDATE domains SET auth_required = 1 - auth_required WHERE id = ${id}`)
  expect((await at.call('POST', `/api/domains/${id}/deploy`)).status).toBe(503)
  expect((await at.call('POST', `/api/domains/${id}/disable`)).status).toBe(503)
  const { body } = await at.call('GET', '/api/domains/drift')
  expect(body).toMatchObject({ drift: null, pending: [] })
  expect(body['reason']).toMatch(/\(1\) is damaged/)
  expect((await at.call('POST', '/api/deploy-all')).status).toBe(200)
  expect(at.routes()).toBe(routes)
  expect(await brokenRules(at.directory)).toContain('records_match_their_digests')
})
