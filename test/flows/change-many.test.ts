/** One change of many records: saved for all of them or for none, and deployed by nobody. */
import { expect, it } from 'vitest'
import { itInDepth } from '../kit/in-depth.ts'
import { createActive, openTestHouse } from './test-house.ts'

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
  [{ records: [{ id: 1 }], set: { domain: 'x.example.com' } }, 422],
  [{ records: [{ id: 1 }], set: { backend_host: '169.254.169.254' } }, 422],
  [{ records: [{ id: 1 }, { id: 99 }], set: { note: 'x' } }, 404],
  [{ records: Array.from({ length: 1001 }, (_, n) => ({ id: n + 1 })) }, 422],
  [{ records: [{ id: 1 }], action: 'deploy' }, 422],
] as const)('refuses %j, and saves nothing', async (body, status) => {
  await using at = await openTestHouse()
  const id = await createActive(at.call)
  const answer = await at.call('POST', '/api/domains/changes', { body })
  expect(answer.status, JSON.stringify(answer.body)).toBe(status)
  expect((await at.call('GET', `/api/domains/${id}`)).body).toMatchObject({ revision: 2 })
})
