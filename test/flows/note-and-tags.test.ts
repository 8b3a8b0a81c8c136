/** A note and tags are for people: changing them alone leaves nothing to deploy, and every answer agrees on that. */
import { expect, it } from 'vitest'
import { createActive, expectHealed, openTestHouse, type TestHouse } from './test-house.ts'

const get = async ({ call }: TestHouse, path: string) => (await call('GET', path)).body

it.each([{ note: 'for the family' }, { tags: ['home', 'media'] }, { note: 'both', tags: ['x'] }])(
  'an edit of %j alone waits for nothing',
  async (change) => {
    await using at = await openTestHouse()
    const id = await createActive(at.call)
    await expectHealed(at.call)
    const saved = await at.call('PUT', `/api/domains/${id}`, { body: change })
    expect(saved.body['message']).toBe('Saved app.example.com.')
    expect(await get(at, `/api/domains/${id}`)).toMatchObject({ ...change, revision: 3 })
    expect(await get(at, '/api/domains/drift')).toMatchObject({ drift: false, differences: [], pending: [] })
    expect(await get(at, '/api/domains/stats')).toMatchObject({ pending_deploy: 0 })
    expect(await get(at, '/api/drift')).toMatchObject({ drift: false })
    expect(JSON.stringify(await get(at, '/api/control-plane/health'))).not.toContain('pending_deploy')
    expect(JSON.stringify(await get(at, `/api/domains/${id}/explain`))).not.toContain('pending_deploy')
    expect(JSON.stringify(await get(at, '/api/conditions'))).not.toContain('pending_deploy')
    expect(await get(at, `/api/domains/${id}/effective-config`)).not.toMatchObject({
      sync_status: 'pending_deploy',
    })
    const { body } = await at.call('POST', '/api/deploy-all?dry_run=true')
    expect(body['plan']).toMatchObject({ rows: [], actions: [] })
    const { body: one } = await at.call('POST', `/api/domains/${id}/deploy?dry_run=true`)
    expect(one['plan']).toMatchObject({ rows: [], actions: [] })
    expect((await at.call('POST', `/api/domains/${id}/deploy`)).status).toBe(200)
  },
)

it('beside another field they wait with it, and go out with it', async () => {
  await using at = await openTestHouse()
  const id = await createActive(at.call)
  const saved = await at.call('PUT', `/api/domains/${id}`, { body: { note: 'new', backend_port: 9000 } })
  expect(saved.body['message']).toContain('pending until it is deployed')
  expect(saved.body).toMatchObject({ pending_deploy: true })
  expect(await get(at, '/api/domains/drift')).toMatchObject({ pending: [{ domain_id: id, revision: 3 }] })
  await at.call('PUT', `/api/domains/${id}`, { body: { note: 'newer' } })
  expect(await get(at, '/api/domains/stats')).toMatchObject({ pending_deploy: 1 })
  await at.call('POST', `/api/domains/${id}/deploy`)
  expect(await get(at, '/api/domains/stats')).toMatchObject({ pending_deploy: 0 })
})

it('a change that is taken back waits for nothing, and is not called pending', async () => {
  await using at = await openTestHouse()
  const id = await createActive(at.call, { backend_port: 9000 })
  const save = async (port: number) => {
    const { body } = await at.call('PUT', `/api/domains/${id}`, { body: { backend_port: port } })
    return [body['message'], body['pending_deploy']]
  }
  const pending = 'Saved app.example.com. The change is pending until it is deployed.'
  expect(await save(9001)).toEqual([pending, true])
  expect(await save(9001)).toEqual(['app.example.com is already so.', true])
  expect(await save(9000)).toEqual(['Saved app.example.com.', false])
  expect(await get(at, '/api/domains/drift')).toMatchObject({ drift: false, pending: [] })
})

it('tags are on the discovery targets as soon as they are saved', async () => {
  await using at = await openTestHouse()
  const id = await createActive(at.call, { tags: ['old'] })
  await at.call('PUT', `/api/domains/${id}`, { body: { tags: ['new'] } })
  expect(await get(at, '/api/metrics-targets')).toMatchObject([
    { labels: { __meta_plumbline_tags: ',new,' } },
  ])
})
