/** The log's line about a call that saves or deploys names the domains that it is about, whatever comes of it. */
import { beforeAll, afterAll, expect, it } from 'vitest'
import type { Facts } from '../../src/kernel/log.ts'
import { recorder } from '../http/support.ts'
import { APP, create, createActive, openTestHouse, type TestHouse } from './test-house.ts'

const { log, lines } = recorder()
let at: TestHouse
beforeAll(async () => {
  at = await openTestHouse({ log })
})
afterAll(() => at[Symbol.asyncDispose]())

/** Lines are written after the answer. */
async function lineOf(request_id: string, message = 'request answered'): Promise<Facts> {
  const line = () => lines.find((one) => one.message === message && one.facts['request_id'] === request_id)
  await expect.poll(line, { timeout: 30_000 }).toBeDefined()
  return line()!.facts
}

async function told(...[method, path, options]: Parameters<TestHouse['call']>) {
  const answer = await at.call(method, path, options)
  const { domain, domains, domains_in_all } = await lineOf(answer.headers.get('x-request-id')!)
  return {
    status: answer.status,
    ...(domain !== undefined && { domain }),
    ...(domains !== undefined && { domains }),
    ...(domains_in_all !== undefined && { domains_in_all }),
  }
}

it('of each way to save, deploy and retire one', async () => {
  const domain = APP.domain
  expect(await told('POST', '/api/domains', { body: APP })).toEqual({ status: 201, domain })
  const { body } = await at.call('GET', `/api/domains/by-name/${domain}`)
  const path = `/api/domains/${String(body['id'])}`
  expect(await told('POST', `${path}/activate`)).toEqual({ status: 200, domain })
  expect(await told('PUT', path, { body: { backend_port: 81 } })).toEqual({ status: 200, domain })
  expect(await told('POST', `${path}/deploy?dry_run=true`)).toEqual({ status: 200, domain })
  expect(await told('POST', `${path}/deploy`)).toEqual({ status: 200, domain })
  expect(await told('PUT', path, { body: { note: 'x' }, headers: { 'if-match': '"999"' } })).toEqual({
    status: 412,
    domain,
  })
  expect(await told('POST', `${path}/deactivate`)).toEqual({ status: 200, domain })
  expect(await told('POST', `${path}/deploy`)).toEqual({ status: 409, domain })
  expect(await told('DELETE', path)).toEqual({ status: 200, domain })
  expect(await told('DELETE', path)).toEqual({ status: 404 })
})

it('of several, of what moves, and not of a whole estate by name', async () => {
  const ids = [
    await createActive(at.call, { domain: 'one.example.com' }),
    await createActive(at.call, { domain: 'two.example.com' }),
    await createActive(at.call, { domain: 'three.example.com' }),
  ]
  for (const id of ids.slice(1)) await at.call('PUT', `/api/domains/${id}`, { body: { backend_port: 99 } })
  const all = await told('POST', '/api/deploy-all')
  expect(all).toEqual({ status: 200, domains: ['three.example.com', 'two.example.com'] })
  const domains = Array.from({ length: 25 }, (_, n) => ({
    ...APP,
    domain: `n${n}.example.com`,
    status: 'inactive',
  }))
  const estate = await told('POST', '/api/estate', { body: { domains } })
  expect(estate).toMatchObject({ status: 200, domains_in_all: 25 })
  expect(estate.domains).toHaveLength(20)
})

it('of an operation that goes on after its caller was answered', async () => {
  const id = await create(at.call, { domain: 'later.example.com' })
  const { status, headers } = await at.call('POST', `/api/domains/${id}/activate`, {
    headers: { prefer: 'respond-async' },
  })
  expect(status).toBe(202)
  const ended = await lineOf(headers.get('x-request-id')!, 'operation ended')
  expect(ended).toMatchObject({ domain: 'later.example.com' })
})

it('of a reported address, once the key is known to be right', async () => {
  await createActive(at.call, { domain: 'home.example.com', ddns_enabled: true })
  const path = '/api/ddns/update/home.example.com?ip=84.1.1.1'
  expect(await told('GET', path)).toEqual({ status: 200, domain: 'home.example.com' })
  expect(await told('GET', `${path}&key=wrong`, { key: null })).toEqual({ status: 401 })
  const { status, domain } = await told('GET', '/nic/update?hostname=home.example.com&myip=84.1.1.1')
  expect({ status, domain }).toEqual({ status: 200, domain: 'home.example.com' })
})
