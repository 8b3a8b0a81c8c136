/** The editions of one record side by side, and giving up what is saved for what is released. */
import { expect, it } from 'vitest'
import { itInDepth } from '../kit/in-depth.ts'
import { APP, create, createActive, openTestHouse } from './test-house.ts'

it('shows both editions, and discards what is saved and not deployed: as a new revision, with nothing outside moved', async () => {
  await using at = await openTestHouse()
  const id = await createActive(at.call)
  await at.call('PUT', `/api/domains/${id}`, { body: { backend_port: 9999, note: 'later' } })
  const before = at.routes()
  const editions = await at.call('GET', `/api/domains/${id}/editions`)
  expect(editions.body).toMatchObject({
    saved: { backend_port: 9999, revision: 3, status: 'active' },
    released: { backend_port: 8080, revision: 2, live: true, release: expect.any(Number) as number },
    moved: ['backend_port'],
  })
  const planned = await at.call('POST', `/api/domains/${id}/discard?dry_run=true`)
  expect(planned.body).toMatchObject({ dry_run: true, changed: ['backend_port'] })
  const stale = await at.call('POST', `/api/domains/${id}/discard`, { headers: { 'if-match': '"2"' } })
  expect(stale.status).toBe(412)
  const done = await at.call('POST', `/api/domains/${id}/discard`, { headers: { 'if-match': '"3"' } })
  expect(done.body).toMatchObject({ success: true, revision: 4 })
  expect((await at.call('GET', `/api/domains/${id}/editions`)).body['moved']).toEqual([])
  expect((await at.call('GET', '/api/drift')).body).toMatchObject({ drift: false, pending: [] })
  expect((await at.call('GET', `/api/domains/${id}`)).body).toMatchObject({ note: 'later' })
  expect(at.routes()).toBe(before)
  const { body } = await at.call('GET', `/api/audit?domain_id=${id}&action=discard`)
  expect(body).toMatchObject([{ action: 'discard', detail: { backend_port: { before: 9999, after: 8080 } } }])
})

itInDepth(
  'discards nothing of what was never released, and takes no name that another record has by now',
  async () => {
    await using at = await openTestHouse()
    const draft = await create(at.call, { domain: 'draft.example.com' })
    expect((await at.call('GET', `/api/domains/${draft}/editions`)).body).toMatchObject({
      released: null,
      moved: [],
    })
    expect((await at.call('POST', `/api/domains/${draft}/discard`)).status).toBe(409)
    expect((await at.call('POST', '/api/domains/99/discard')).status).toBe(404)
    const id = await createActive(at.call)
    const again = await at.call('POST', `/api/domains/${id}/discard`)
    expect(again.body).toMatchObject({ message: 'app.example.com is saved as it is released.', revision: 2 })
    await at.call('PUT', `/api/domains/${id}`, { body: { domain: 'other.example.com' } })
    await create(at.call, { domain: APP.domain })
    const taken = await at.call('POST', `/api/domains/${id}/discard`)
    expect(taken).toMatchObject({ status: 409, body: { code: 'name_taken' } })
  },
)
