/** Plans of chosen records, of changes that are not saved, and of new ones: saved and deployed as one thing, or not at all. */
import { expect, it } from 'vitest'
import { itInDepth } from '../kit/in-depth.ts'
import type { Client } from './client.ts'
import { APP, create, createActive, openTestHouse } from './test-house.ts'

const planned = (call: Client, body: unknown) => call('POST', '/api/plans', { body })
const apply = (call: Client, id: unknown) => call('POST', `/api/plans/${String(id)}/apply`, { body: {} })

it('a plan of what is not saved shows what it would do, changes nothing, and saves and deploys all of it when it is applied', async () => {
  await using at = await openTestHouse()
  const edited = await createActive(at.call)
  const chosen = await createActive(at.call, { domain: 'chosen.example.com' })
  const other = await createActive(at.call, { domain: 'other.example.com' })
  for (const id of [chosen, other])
    await at.call('PUT', `/api/domains/${id}`, { body: { backend_port: 7777 } })
  const before = at.routes()
  const body = {
    domains: [chosen],
    edits: [{ id: edited, revision: 2, set: { backend_port: 9999 } }],
    create: [{ domain: 'new.example.com', backend_host: '10.0.0.6', backend_port: 80 }],
  }
  const { status, body: kept } = await planned(at.call, body)
  expect(status, JSON.stringify(kept)).toBe(201)
  const changes = (kept['plan'] as unknown as { rows: { domain: string; change: string }[] }).rows
  expect(changes.map(({ domain, change }) => [domain, change])).toEqual([
    ['app.example.com', 'update'],
    ['new.example.com', 'add'],
    ['chosen.example.com', 'update'],
  ])
  expect(at.routes()).toBe(before)
  expect((await at.call('GET', `/api/domains/${edited}`)).body).toMatchObject({
    revision: 2,
    backend_port: 8080,
  })
  const done = await apply(at.call, kept['id'])
  expect(done.body).toMatchObject({ success: true, message: expect.stringContaining('3 domains') as string })
  const after = at.routes()
  for (const text of ['10.0.0.5:9999', 'chosen.example.com', 'new.example.com']) expect(after).toContain(text)
  // What nobody chose is still only saved.
  expect(done.body['pending']).toMatchObject([{ domain_id: other }])
  expect((await apply(at.call, kept['id'])).status).toBe(409)
})

itInDepth('a record that moved on since stops the whole of it, by name, and nothing is saved', async () => {
  await using at = await openTestHouse()
  const [a, b] = [await createActive(at.call), await createActive(at.call, { domain: 'b.example.com' })]
  const edits = [a, b].map((id) => ({ id, revision: 2, set: { backend_port: 9999 } }))
  const stale = await planned(at.call, { edits: edits.map((one) => ({ ...one, revision: 1 })) })
  expect(stale).toMatchObject({
    status: 412,
    body: { changed: [{ domain_id: a, revision: 2 }, { domain_id: b }] },
  })
  const { body: kept } = await planned(at.call, { edits })
  await at.call('PUT', `/api/domains/${b}`, { body: { note: 'theirs' } })
  expect((await apply(at.call, kept['id'])).status).toBe(412)
  expect((await at.call('GET', `/api/domains/${a}`)).body).toMatchObject({ revision: 2, backend_port: 8080 })
  const { body: again } = await planned(at.call, { domains: [a, b] })
  await at.call('DELETE', `/api/domains/${b}`)
  expect((await apply(at.call, again['id'])).status).toBe(409)
})

itInDepth('one record keeps the others from nothing by halves: what stands in the way is named', async () => {
  await using at = await openTestHouse()
  const id = await createActive(at.call)
  const draft = await create(at.call, { domain: 'draft.example.com' })
  const inactive = await planned(at.call, { domains: [id, draft] })
  expect(inactive).toMatchObject({ status: 409, body: { domain_id: draft } })
  const taken = { domain: 'draft.example.com', backend_host: '10.0.0.6', backend_port: 80 }
  const edits = [{ id, revision: 2, set: { backend_port: 1 } }]
  expect(await planned(at.call, { edits, create: [taken] })).toMatchObject({
    status: 409,
    body: { code: 'name_taken' },
  })
  const only_saved = await planned(at.call, { edits: [{ id: draft, revision: 1, set: { note: 'x' } }] })
  expect((await apply(at.call, only_saved.body['id'])).status).toBe(200)
  expect((await at.call('GET', `/api/domains/${draft}`)).body).toMatchObject({
    note: 'x',
    status: 'inactive',
  })
})

itInDepth.each([
  [{ domains: [] }, 422],
  [{ edits: [] }, 422],
  [{ domains: [1], component: 'routes' }, 422],
  [{ domains: [1], domain: 1 }, 422],
  [{ domains: ['app.example.com'] }, 422],
  [{ domains: [99] }, 404],
  [{ domains: Array.from({ length: 1001 }, () => 1) }, 422],
  [{ edits: [{ id: 1, set: {} }] }, 422],
  [{ edits: [{ id: 1, revision: 2, set: { status: 'active' } }] }, 422],
  [{ edits: [{ id: 1, revision: 2, set: { backend_host: '169.254.169.254' } }] }, 422],
  [
    {
      edits: [
        { id: 1, revision: 2, set: {} },
        { id: 1, revision: 2, set: {} },
      ],
    },
    422,
  ],
  ['{"edits":[{"id":1,"revision":2,"set":{"__proto__":{"x":1}}}]}', 422],
  [{ create: [{ domain: 'constructor' }] }, 422],
  [{ create: [{ ...APP, backend_tls: { verify: 'certificate', fingerprint: 'a'.repeat(64) } }] }, 422],
] as const)('refuses %j', async (body, status) => {
  await using at = await openTestHouse()
  await createActive(at.call)
  const answer = await planned(at.call, body)
  expect(answer.status, JSON.stringify(answer.body)).toBe(status)
})

itInDepth('a thousand edits are one plan and one release', async () => {
  await using at = await openTestHouse()
  const domains = Array.from({ length: 1000 }, (_, n) => ({
    ...APP,
    domain: `n${n}.example.com`,
    status: 'active',
  }))
  expect((await at.call('POST', '/api/estate', { body: { domains } })).status).toBeLessThan(300)
  const { body: listed } = await at.call('GET', '/api/domains')
  const records = listed as unknown as readonly { readonly id: number; readonly revision: number }[]
  const edits = records.map(({ id, revision }) => ({ id, revision, set: { backend_port: 9999 } }))
  const { status, body: kept } = await planned(at.call, { edits })
  expect(status, JSON.stringify(kept).slice(0, 500)).toBe(201)
  const done = await apply(at.call, kept['id'])
  expect([200, 202]).toContain(done.status)
  await expect.poll(() => at.routes().includes('10.0.0.5:8080'), { timeout: 60_000 }).toBe(false)
})
