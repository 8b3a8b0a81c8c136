/** What an estate says is to go: deleted in the same release as all else, or nothing of it happens. */
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { type Client, clientOf } from './client.ts'
import { APP, createActive, openTestHouse, type TestHouse } from './test-house.ts'

let at: TestHouse
let call: Client
beforeAll(async () => {
  at = await openTestHouse()
  call = clientOf(at.house)
})
afterAll(() => at[Symbol.asyncDispose]())

const entry = (domain: string, more: object = {}) => ({ ...APP, domain, status: 'active', ...more })
const estate = (body: object) => call('POST', '/api/estate', { body })
const names = async () =>
  ((await call('GET', '/api/domains')).body as unknown as readonly { readonly domain: string }[]).map(
    ({ domain }) => domain,
  )
const TCP = { service_type: 'tcp-proxy', protocol: 'tcp', tcp_entrypoint: 'smtp', auth_required: false }

beforeEach(async () => {
  for (const { id } of (await call('GET', '/api/domains')).body as unknown as readonly { id: number }[])
    expect(await call('DELETE', `/api/domains/${id}`)).toMatchObject({ status: 200 })
})

it('deletes, creates and answers in one release, under any spelling of a name', async () => {
  await createActive(call, { domain: 'bücher.example.com' })
  const done = await estate({ domains: [entry('new.example.com')], deletes: ['Bücher.example.com.'] })
  expect(done, JSON.stringify(done.body)).toMatchObject({
    status: 200,
    body: { created: ['new.example.com'], deleted: ['xn--bcher-kva.example.com'] },
  })
  expect(done.body['message']).toContain('1 created, 0 updated, 0 unchanged, 1 deleted.')
  expect(await names()).toEqual(['new.example.com'])
})

it('what goes makes room for what comes: an entry point that one record alone may have', async () => {
  await createActive(call, { domain: 'old.example.com', ...TCP })
  const done = await estate({ domains: [entry('new.example.com', TCP)], deletes: ['old.example.com'] })
  expect(done, JSON.stringify(done.body)).toMatchObject({ status: 200, body: { refused: [] } })
  expect(await names()).toEqual(['new.example.com'])
})

it.each([
  ['that no record has', 'gone.example.com', 'is the name of no record'],
  ['that an entry keeps', 'App.example.com', 'is named by an entry, too'],
  ['that is none', '-', 'is the name of no record'],
])('a name %s is refused, and nothing happens', async (_, name, words) => {
  await createActive(call, { domain: 'app.example.com' })
  await createActive(call, { domain: 'other.example.com' })
  const body = { domains: [entry('app.example.com')], deletes: ['other.example.com', name] }
  const refused = await estate(body)
  expect(refused).toMatchObject({ status: 422 })
  expect(JSON.stringify(refused.body)).toContain(words)
  expect(await names()).toEqual(['app.example.com', 'other.example.com'])
})

it('a deployed name that is taken anew under it is gone from the record that goes', async () => {
  const id = await createActive(call, { domain: 'app.example.com' })
  expect(await call('PUT', `/api/domains/${id}`, { body: { domain: 'later.example.com' } })).toMatchObject({
    status: 200,
  })
  const done = await estate({
    domains: [entry('app.example.com', { backend_port: 9090 })],
    deletes: ['later.example.com'],
  })
  expect(done, JSON.stringify(done.body)).toMatchObject({ status: 200, body: { refused: [] } })
  expect(await names()).toEqual(['app.example.com'])
})
