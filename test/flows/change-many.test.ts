/** One change of many records, saved for all of them or for none and deployed by nobody; and one act on many. */
import { expect, it } from 'vitest'
import { itInDepth } from '../kit/in-depth.ts'
import type { Client } from './client.ts'
import { create, createActive, openTestHouse } from './test-house.ts'

it('saves one change of several records, with tags added and taken away, and deploys none of it', async () => {
  await using at = await openTestHouse()
  const a = await createActive(at.call, { tags: ['old', 'web'] })
  const b = await createActive(at.call, { domain: 'b.example.com', auth_required: false })
  const before = at.routes()
  const body = {
    records: [{ id: a, revision: 2 }, { id: b }],
    set: { auth_required: false },
    tags_add: ['media'],
    tags_remove: ['old'],
  }
  for (const words of ['tags_add', 'tags_remove']) {
    const twice = await at.call('POST', '/api/domains/changes', { body: { ...body, [words]: ['x', 'x'] } })
    expect(twice, words).toMatchObject({
      status: 422,
      body: { errors: [{ loc: ['body', words], type: 'duplicate' }] },
    })
  }
  const planned = await at.call('POST', '/api/domains/changes?dry_run=true', { body })
  expect(planned.body).toMatchObject({
    dry_run: true,
    records: [{ changed: ['auth_required', 'tags'] }, { changed: ['tags'] }],
  })
  const done = await at.call('POST', '/api/domains/changes', { body })
  expect(done.body).toMatchObject({
    success: true,
    records: [
      { domain_id: a, revision: 3 },
      { domain_id: b, revision: 3 },
    ],
  })
  expect((await at.call('GET', `/api/domains/${a}`)).body).toMatchObject({
    auth_required: false,
    tags: ['web', 'media'],
  })
  expect(at.routes()).toBe(before)
  const stale = await at.call('POST', '/api/domains/changes', { body })
  expect(stale).toMatchObject({ status: 412, body: { changed: [{ domain_id: a, revision: 3 }] } })
})

itInDepth.each([
  [{ records: [] }, 422],
  [{ records: [{ id: 1 }, { id: 1 }], set: { note: 'x' } }, 422],
  [{ records: [{ id: 1 }], tags_add: Array.from({ length: 21 }, (_, n) => `t${n}`) }, 422],
  [{ records: [{ id: 1 }], set: { domain: 'x.example.com' } }, 422],
  [{ records: [{ id: 1 }], set: { backend_host: '169.254.169.254' } }, 422],
  [{ records: [{ id: 1 }, { id: 99 }], set: { note: 'x' } }, 404],
  [{ records: Array.from({ length: 1001 }, (_, n) => ({ id: n + 1 })) }, 422],
  [{ records: [{ id: 1 }], action: 'restart' }, 422],
  [{ records: [{ id: 1 }], action: 'deactivate', set: { note: 'x' } }, 422],
  [{ records: [{ id: 1 }], action: 'delete', tags_add: ['x'] }, 422],
  [{ records: [{ id: 1 }, { id: 1 }], action: 'delete' }, 422],
  [{ records: [{ id: 1 }, { id: 99 }], action: 'delete' }, 404],
  [{ records: [{ id: 1, revision: 1 }], action: 'disable' }, 412],
] as const)('refuses %j, and saves nothing', async (body, status) => {
  await using at = await openTestHouse()
  const id = await createActive(at.call)
  const answer = await at.call('POST', '/api/domains/changes', { body })
  expect(answer.status, JSON.stringify(answer.body)).toBe(status)
  expect((await at.call('GET', `/api/domains/${id}`)).body).toMatchObject({ revision: 2 })
})

const act = (call: Client, action: string, ids: readonly number[], query = '') =>
  call('POST', `/api/domains/changes${query}`, { body: { records: ids.map((id) => ({ id })), action } })

it('takes several out and brings them back, each as one release that can be planned first', async () => {
  await using at = await openTestHouse()
  const ids = [await createActive(at.call), await createActive(at.call, { domain: 'b.example.com' })]
  await createActive(at.call, { domain: 'stays.example.com' })
  const planned = await act(at.call, 'deactivate', ids, '?dry_run=true')
  expect(planned.body).toMatchObject({
    plan: { rows: [{ change: 'remove' }, { change: 'remove' }], applyable: true },
    records: [{ status: 'inactive' }, { status: 'inactive' }],
  })
  expect(at.routes()).toContain('b.example.com')
  const out = await act(at.call, 'deactivate', ids)
  expect(out.body).toMatchObject({ success: true, records: [{ status: 'inactive', revision: 3 }, {}] })
  expect(at.routes()).not.toContain('b.example.com')
  expect(at.routes()).toContain('stays.example.com')
  const back = await act(at.call, 'activate', ids)
  expect(back.body).toMatchObject({
    success: true,
    message: '2 domains are active and deployed.',
    release: (out.body['release'] as unknown as number) + 1,
    domain_ids: ids,
  })
  expect(at.routes()).toContain('b.example.com')
})

itInDepth('deploys the chosen ones alone, gives up edits, and deletes', async () => {
  await using at = await openTestHouse()
  const names = ['a', 'b', 'c'].map((one) => `${one}.example.com`)
  const ids: number[] = []
  for (const domain of names) ids.push(await createActive(at.call, { domain }))
  const records = ids.map((id) => ({ id }))
  await at.call('POST', '/api/domains/changes', { body: { records, set: { backend_port: 9001 } } })
  const some = ids.slice(0, 2)
  expect((await act(at.call, 'deploy', some)).body).toMatchObject({
    message: 'Deployed 2 domains.',
    pending: [{ domain: 'c.example.com' }],
  })
  expect(at.routes().match(/:9001/g)).toHaveLength(2)
  const given_up = await act(at.call, 'discard', ids)
  expect(given_up.body).toMatchObject({
    records: [{ changed: [] }, { changed: [] }, { changed: ['backend_port'] }],
  })
  const gone = await act(at.call, 'delete', some)
  expect(gone.body).toMatchObject({ records: [{ revision: null, status: null }, {}] })
  expect((await at.call('GET', `/api/domains/${some[0]}`)).status).toBe(404)
  expect(at.routes()).toContain('c.example.com')
  const trail = await at.call('GET', '/api/audit?action=delete')
  expect(trail.body).toHaveLength(2)
})

itInDepth('one that cannot go along keeps all of them as they are, and is named', async () => {
  await using at = await openTestHouse()
  const active = await createActive(at.call)
  const final = await create(at.call, { domain: 'final.example.com' })
  await at.call('POST', `/api/domains/${final}/disable`)
  const before = at.routes()
  const refused = await act(at.call, 'deactivate', [active, final])
  expect(refused).toMatchObject({ status: 409, body: { code: 'record_disabled', domain_ids: [final] } })
  const no_deploy = await act(at.call, 'deploy', [active, final])
  expect(no_deploy).toMatchObject({ status: 409, body: { domain_id: final } })
  expect(at.routes()).toBe(before)
  expect((await at.call('GET', `/api/domains/${active}`)).body).toMatchObject({
    status: 'active',
    revision: 2,
  })
})

itInDepth(
  'what takes away most of what is live wants its plan typed back, and lets that through once',
  async () => {
    await using at = await openTestHouse()
    const ids: number[] = []
    for (let n = 0; n < 8; n++) ids.push(await create(at.call, { domain: `d${n}.example.com` }))
    expect((await act(at.call, 'activate', ids)).body).toMatchObject({ success: true })
    const refused = await act(at.call, 'delete', ids)
    expect(refused).toMatchObject({ status: 409, body: { code: 'refused_by_guard' } })
    expect(at.routes()).toContain('d7.example.com')
    const done = await act(at.call, 'delete', ids, `?confirm=${String(refused.body['plan_hash'])}`)
    expect(done.body, JSON.stringify(done.body)).toMatchObject({ success: true })
    expect(at.routes()).not.toContain('d7.example.com')
  },
)
