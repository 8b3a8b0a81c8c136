/** An operation over a whole house: how far it comes with a slow provider, and what it says when the daemon is stopped amid it. */
import { expect, it } from 'vitest'
import type { DnsProvider } from '../../src/features/dns/providers/port.ts'
import { listen } from '../http/listener.ts'
import { inDepth } from '../kit/tier.ts'
import { createActive, openTestHouse, type TestHouse, type TestHouseOptions } from './test-house.ts'

const PATIENCE = { interval: 10 } as const
const DOMAINS = 25
const BATCH = 10

/** Takes ten sets in one request; from the second request on it waits to be let go. */
function slowProvider() {
  const gate = Promise.withResolvers<void>()
  let changes = 0
  const dns = (provider: DnsProvider): DnsProvider =>
    new Proxy(provider, {
      get(real, key) {
        const value: unknown = Reflect.get(real, key, real)
        if (key === 'traits') return { ...real.traits, batch_most: BATCH }
        if (typeof value !== 'function') return value
        if (key !== 'change') return (value as (...given: unknown[]) => unknown).bind(real)
        const change: DnsProvider['change'] = async (zone, sets, signal) => {
          const ended = new Promise<never>((_, reject) =>
            signal.addEventListener('abort', () => reject(signal.reason as Error)),
          )
          ended.catch(() => undefined)
          if (++changes > 1) await Promise.race([gate.promise, ended])
          return real.change(zone, sets, signal)
        }
        return change
      },
    })
  return { dns, letGo: gate.resolve, changes: () => changes }
}

const ENV = { PLUMBLINE_DNS_PROVIDER: 'zonefile', PLUMBLINE_PUBLIC_IP: '203.0.113.10' }

const estate = {
  domains: Array.from({ length: DOMAINS }, (_, i) => ({
    domain: `app${i}.example.com`,
    service_type: 'http',
    environment: 'production',
    backend_host: '10.0.0.5',
    backend_port: 8080,
    status: 'active',
  })),
}

async function begun(options: TestHouseOptions) {
  const at = await openTestHouse({ ...options, env: ENV })
  const { status, headers, body } = await at.call('POST', '/api/estate', {
    body: estate,
    headers: { prefer: 'respond-async' },
  })
  expect(status, JSON.stringify(body)).toBe(202)
  const location = headers.get('location')!
  const look = async (of: TestHouse = at) => (await of.call('GET', location)).body
  return { at, look }
}

const isRoutesDone = (facts: unknown): boolean =>
  JSON.stringify(facts).includes('"key":"routes","state":"done"')

it('shows each batch that was taken, and what waits for it; its end has the answer', async () => {
  const slow = slowProvider()
  const { at, look } = await begun({ wrap: { dns: slow.dns } })
  await using _ = at
  const written = async () => (await look())['progress']
  await expect.poll(written, PATIENCE).toMatchObject({
    done: BATCH,
    total: DOMAINS,
    components: [
      { name: 'dns', done: BATCH, total: DOMAINS, state: 'writing' },
      { name: 'routes', done: 0, total: 0, state: 'waiting' },
    ],
  })
  expect(slow.changes()).toBe(2)
  const running = async () =>
    (await at.call('GET', '/api/operations?state=running')).body as unknown as unknown[]
  expect(await running()).toMatchObject([
    {
      state: 'running',
      path: '/api/estate',
      steps: [{ component: 'dns', state: 'writing', took_ms: null }, {}],
    },
  ])
  const headers = { 'x-api-key': at.house.key.reveal() }
  const stream = await at.house.app.request('/api/events?kinds=step', { headers }, { peer: '127.0.0.1' })
  const steps = listen(stream.body!)
  await expect.poll(steps.hello, PATIENCE).not.toBeNull()
  slow.letGo()
  await expect.poll(async () => (await look())['state'], PATIENCE).toBe('succeeded')
  expect(await look()).toMatchObject({
    progress: null,
    steps: [
      { component: 'dns', state: 'done', took_ms: expect.any(Number) as number },
      { component: 'routes', state: 'done' },
    ],
    answer: { status: 200, body: { success: true } },
  })
  expect(await running()).toEqual([])
  const told = await steps.until((heard) => heard.some(({ data }) => isRoutesDone(data['facts'])))
  expect(told.every(({ id, kind }) => id === null && kind === 'step')).toBe(true)
  await steps.leave()
})

it('of an applied plan shows how far it has come, whatever If-Match says', async () => {
  const slow = slowProvider()
  await using at = await openTestHouse({ wrap: { dns: slow.dns }, env: ENV })
  const id = await createActive(at.call, { domain: 'old.example.com' })
  await at.call('PUT', `/api/domains/${id}`, { body: { domain: 'new.example.com' } })
  const plan = await at.call('POST', '/api/plans', { body: {}, headers: { 'if-match': 'none such' } })
  const { id: plan_id } = plan.body as unknown as { readonly id: string }
  const headers = { prefer: 'respond-async', 'if-match': 'none such' }
  const begun = await at.call('POST', `/api/plans/${plan_id}/apply`, { body: {}, headers })
  expect(begun.status, JSON.stringify(begun.body)).toBe(202)
  const look = async () => (await at.call('GET', begun.headers.get('location')!)).body
  await expect
    .poll(async () => (await look())['progress'], PATIENCE)
    .toMatchObject({
      done: 0,
      total: 2,
      components: [{ name: 'dns', done: 0, total: 2, state: 'writing' }],
    })
  slow.letGo()
  await expect.poll(async () => (await look())['state'], PATIENCE).toBe('succeeded')
})

it('of a rename counts its names as well, and goes on from there with the rest', async () => {
  const slow = slowProvider()
  await using at = await openTestHouse({ wrap: { dns: slow.dns }, env: ENV })
  const id = await createActive(at.call, { domain: 'old.example.com' })
  expect(slow.changes()).toBe(1)
  await at.call('PUT', `/api/domains/${id}`, { body: { domain: 'new.example.com' } })
  const headers = { prefer: 'respond-async' }
  const begun = await at.call('POST', `/api/domains/${id}/deploy`, { headers })
  const look = async () => (await at.call('GET', begun.headers.get('location')!)).body
  const written = async () => (await look())['progress']
  await expect.poll(written, PATIENCE).toMatchObject({
    done: 0,
    total: 2,
    components: [{ name: 'dns', done: 0, total: 2, state: 'writing' }],
  })
  slow.letGo()
  await expect.poll(async () => (await look())['state'], PATIENCE).toBe('succeeded')
  const { body } = (await look())['answer'] as unknown as { readonly body: { readonly components: unknown } }
  expect(body.components).toContainEqual(
    expect.objectContaining({ component: 'dns', outcome: 'repaired', differences: 2, repaired: 2 }),
  )
})

inDepth(() => {
  it('stopped amid it: says that its release stands, which the next daemon goes on with', async () => {
    const slow = slowProvider()
    const { at, look } = await begun({ wrap: { dns: slow.dns } })
    await expect.poll(slow.changes, PATIENCE).toBe(2)
    await at.house.close()
    await using again = await openTestHouse({ directory: at.directory, env: ENV })
    const operation = await look(again)
    expect(operation).toMatchObject({ state: 'failed', answer: { status: 503, body: { release: 2 } } })
    expect(JSON.stringify(operation)).toContain('Release 2 stands and is carried on')
    const drift = async () => (await again.call('GET', '/api/drift')).body['drift']
    await expect.poll(drift, PATIENCE).toBe(false)
  })
})
