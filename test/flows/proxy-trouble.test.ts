/** What a person in trouble reads: which release runs, which domain suffers, and what the proxy says of it. */
import { expect, it } from 'vitest'
import { hurriedClock, openProxyHouse, type ProxyHouse } from './proxy-house.ts'
import { create, createActive } from './test-house.ts'
import { itInDepth } from '../kit/in-depth.ts'

const summary = async (at: ProxyHouse): Promise<string> =>
  (await at.call('GET', '/api/metrics/summary')).body as unknown as string

itInDepth('a release that was taken back is named, with the domain that suffers and what waits', async () => {
  await using at = await openProxyHouse({ clock: hurriedClock() })
  await createActive(at.call, { domain: 'good.example.com' })
  at.traefik.refuse((text) => text.includes('bad.example.com'))
  await at.call('POST', `/api/domains/${await create(at.call, { domain: 'bad.example.com' })}/activate`)
  expect((await at.call('GET', '/api/deploy/status')).body).toMatchObject({
    timestamp: null,
    loaded: true,
    newest: {
      release: 4,
      actor: 'reconciler',
      reason: 'release 3 was not loaded by the proxy; back to release 2',
      proxy: 'loaded',
    },
    proxy: { runs_release: 4 },
  })
  const text = await summary(at)
  expect(text).toMatch(/^ {2}in error bad\.example\.com: The proxy did not load release 3/m)
  expect(text).toMatch(/^Pending +1 saved and not deployed: bad\.example\.com$/m)
})

itInDepth('a route that is still served is told with the release that serves it', async () => {
  await using at = await openProxyHouse({ clock: hurriedClock() })
  const id = await createActive(at.call, { domain: 'good.example.com' })
  at.traefik.refuse(() => true)
  await at.call('POST', `/api/domains/${id}/deactivate`)
  expect((await at.call('GET', '/api/deploy/status')).body).toMatchObject({
    loaded: false,
    newest: { release: 3, reason: 'deactivate good.example.com' },
    proxy: {
      runs_release: 2,
      detail: expect.stringContaining('release 2 (activate good.example.com)') as string,
    },
  })
  expect(await summary(at)).toContain('still runs the routes file of release 2')
})

itInDepth('a router in error is told with what the proxy says of it', async () => {
  await using at = await openProxyHouse()
  await createActive(at.call, { domain: 'good.example.com' })
  const router = at.traefik.running.http.routers.find(({ name }) => name.includes('site_'))!
  Object.assign(router, { status: 'disabled', error: ['middleware "x@file" does not exist'] })
  const { name } = router
  expect((await at.call('GET', '/api/deploy/status')).body).toMatchObject({
    proxy: {
      routers: {
        in_error: [name],
        faults: [{ router: name, errors: ['middleware "x@file" does not exist'] }],
      },
    },
  })
  expect(await summary(at)).toContain(`  in error ${name}: middleware "x@file" does not exist`)
})

itInDepth('an entry of the catalogue that is not there says whose deploy would bring it', async () => {
  await using at = await openProxyHouse({ clock: hurriedClock() })
  const id = await createActive(at.call, { domain: 'good.example.com' })
  at.traefik.refuse(() => true)
  await at.call('PUT', `/api/domains/${id}`, {
    body: { middleware_config: { extra_middlewares: ['rate-limit'] } },
  })
  await at.call('POST', `/api/domains/${id}/deploy`)
  const { body } = await at.call('GET', '/api/middlewares')
  const entries = body as unknown as { name: string; status: string; detail: string }[]
  expect(entries.find(({ name }) => name === 'rate-limit')).toMatchObject({
    status: 'not_loaded',
    detail: expect.stringMatching(/good\.example\.com names it.*newest routes file/) as string,
  })
  expect(entries.find(({ name }) => name === 'compress')?.detail).toContain('No deployed domain names it')
})

it('backends are listed in the order of their numbers', async () => {
  await using at = await openProxyHouse()
  for (const backend_host of ['10.0.0.10', '10.0.0.9', '10.0.0.100'])
    await create(at.call, { domain: `h${backend_host.slice(7)}.example.com`, backend_host })
  expect(Object.keys((await at.call('GET', '/api/services')).body)).toEqual([
    '10.0.0.9:8080',
    '10.0.0.10:8080',
    '10.0.0.100:8080',
  ])
})
