/** A new name and its backend, looked at before anything of them is saved. */
import { createServer } from 'node:net'
import { once } from 'node:events'
import { expect, it } from 'vitest'
import { itInDepth } from '../kit/in-depth.ts'
import { freePort } from '../kit/ports.ts'
import type { Client } from './client.ts'
import { create, createActive, openTestHouse } from './test-house.ts'

interface Part {
  readonly part: string
  readonly result: string
  readonly detail: string
  readonly domain_id: number | null
}

async function checked(call: Client, body: unknown): Promise<Readonly<Record<string, Part>>> {
  const answer = await call('POST', '/api/domains/check', { body })
  expect(answer.status, JSON.stringify(answer.body)).toBe(200)
  const { checks } = answer.body as unknown as { readonly checks: readonly Part[] }
  return Object.fromEntries(checks.map((one) => [one.part, one]))
}

it('each part answers for itself: what would do, what would not, and what nobody knows; and nothing is changed', async () => {
  await using at = await openTestHouse({ env: { PLUMBLINE_PUBLIC_IP: '203.0.113.7' } })
  // Closed in between: nobody else may be given it then.
  const port = await freePort()
  const listener = createServer().listen(port, '127.0.0.1')
  await once(listener, 'listening')
  const good = await checked(at.call, {
    domain: 'new.example.com',
    backend_host: '127.0.0.1',
    backend_port: port,
  })
  expect(good).toMatchObject({
    name: { result: 'ok' },
    zone: { result: 'unknown' },
    free_here: { result: 'ok', domain_id: null },
    free_at_provider: { result: 'unknown' },
    certificate: { result: 'ok' },
    address: { result: 'ok', detail: '203.0.113.7 would be published.' },
    backend: { result: 'ok' },
  })
  listener.close()
  await once(listener, 'close')
  const id = await create(at.call)
  const taken = await checked(at.call, {
    domain: 'APP.example.com',
    backend_host: '127.0.0.1',
    backend_port: port,
  })
  expect(taken).toMatchObject({ free_here: { result: 'no', domain_id: id }, backend: { result: 'no' } })
  expect(Object.keys(await checked(at.call, { domain: 'no name' }))).toEqual(['name'])
  expect((await at.call('GET', '/api/domains/stats')).body).toMatchObject({ total: 1 })
})

itInDepth('is no way to map a network: the rules and the limit of every look at a backend hold', async () => {
  await using at = await openTestHouse()
  await createActive(at.call)
  const domain = 'new.example.com'
  const metadata = await checked(at.call, { domain, backend_host: '169.254.169.254', backend_port: 80 })
  expect(metadata['backend']?.result).toBe('no')
  expect(metadata['backend']?.detail).not.toContain('connections')
  const results: (string | undefined)[] = []
  for (let n = 0; n < 40; n++)
    results.push(
      (await checked(at.call, { domain, backend_host: '127.0.0.1', backend_port: 1 }))['backend']?.result,
    )
  expect(results.filter((one) => one === 'unknown').length).toBeGreaterThanOrEqual(10)
  expect(results.filter((one) => one === 'no').length).toBeLessThanOrEqual(30)
})

itInDepth.each([
  [{}],
  [{ domain: '' }],
  [{ domain: 'a'.repeat(254) }],
  [{ domain: 'x.example.com', backend_port: 70_000 }],
  [{ domain: 'x.example.com', path: '/etc' }],
  ['{"domain":"x.example.com","__proto__":{}}'],
])('refuses %j', async (body) => {
  await using at = await openTestHouse()
  expect((await at.call('POST', '/api/domains/check', { body })).status).toBe(422)
})

itInDepth.each([['constructor'], ['xn--a'], ['*.*.example.com'], ['ex\u202eample.com'], ['co.uk']])(
  'says of %j alone that it is no name',
  async (domain) => {
    await using at = await openTestHouse()
    const parts = await checked(at.call, { domain })
    expect(Object.values(parts).map(({ part, result }) => [part, result])).toEqual([['name', 'no']])
  },
)
