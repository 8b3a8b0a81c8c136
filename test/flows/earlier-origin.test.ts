/** An origin that an earlier version kept, and that is refused by now, locks nothing: its record is edited, corrected and retired. */
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, it } from 'vitest'
import { recordDigest } from '../../src/store/intent/record-digest.ts'
import { createActive, openTestHouse, type TestHouse } from './test-house.ts'
import { itInDepth, itOneIn } from '../kit/in-depth.ts'

/** What `https://%7B%7Bapp.example.com` was kept as. */
const EARLIER = 'https://{{app.example.com'

/** As the earlier version wrote it: in both editions, with the digest of the record. */
async function houseOfEarlierVersion(): Promise<TestHouse> {
  const at = await openTestHouse()
  await createActive(at.call, { cors_enabled: true, cors_origin: 'https://x.example.com' })
  await at.house.close()
  const database = new Database(join(at.directory, 'plumbline.db'))
  const row = database.prepare<[], Parameters<typeof recordDigest>[0]>('SELECT * FROM domains').get()!
  const kept = { ...row, cors_origin: EARLIER }
  database.prepare('UPDATE domains SET cors_origin = ?, digest = ?').run(EARLIER, recordDigest(kept))
  for (const table of ['released', 'release_rows'])
    database.prepare(`UPDATE ${table} SET fields = json_set(fields, '$.cors_origin', ?)`).run(EARLIER)
  database.close()
  return openTestHouse({ directory: at.directory })
}

itInDepth(
  'other fields of such a record can be edited, and the answer names what is to be corrected',
  async () => {
    await using at = await houseOfEarlierVersion()
    const saved = await at.call('PUT', '/api/domains/1', { body: { note: 'new' } })
    expect(saved).toMatchObject({ status: 200 })
    expect(saved.body['warnings']).toEqual([expect.stringMatching(/^cors_origin .*kept.*set another/)])
    expect((await at.call('GET', '/api/domains/1')).body).toMatchObject({ note: 'new', cors_origin: EARLIER })
  },
)

it('sent back as it was read it is no change; a new one of the kind is refused', async () => {
  await using at = await houseOfEarlierVersion()
  const { body } = await at.call('GET', '/api/domains/1')
  expect(await at.call('PUT', '/api/domains/1', { body: { ...body, note: 'new' } })).toMatchObject({
    status: 200,
  })
  for (const cors_origin of ['https://%7B%7Bother.example.com', 'https://{{other.example.com'])
    expect(await at.call('PUT', '/api/domains/1', { body: { cors_origin } })).toMatchObject({ status: 422 })
})

itInDepth('it is corrected and deployed, and the rules hold again', async () => {
  await using at = await houseOfEarlierVersion()
  const corrected = await at.call('PUT', '/api/domains/1', { body: { cors_origin: 'https://x.example.com' } })
  expect(corrected.status, JSON.stringify(corrected.body)).toBe(200)
  const deployed = await at.call('POST', '/api/domains/1/deploy')
  expect(deployed.status, JSON.stringify(deployed.body)).toBe(200)
  const health = (await at.call('GET', '/api/control-plane/health?probe=true')).body
  expect(health['invariants']).toContainEqual(expect.objectContaining({ name: 'records_valid', holds: true }))
})

itOneIn(4).each(['deactivate', 'disable', 'activate', 'deploy'])('%s does what it says', async (verb) => {
  await using at = await houseOfEarlierVersion()
  const answer = await at.call('POST', `/api/domains/1/${verb}`)
  expect(answer.status, JSON.stringify(answer.body)).toBe(200)
})
