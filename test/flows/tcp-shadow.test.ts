/** A TCP route for every name on the entrypoint of HTTPS is never deployed together with an HTTP route that it would take. */
import { expect, it } from 'vitest'
import { create, createActive, openTestHouse } from './test-house.ts'
import { itInDepth, itOneIn } from '../kit/in-depth.ts'

const STAR = {
  domain: '*.example.com',
  service_type: 'tcp-proxy',
  protocol: 'tcp',
  tcp_entrypoint: 'websecure',
}

itInDepth('neither comes to the other, and both are told which and why', async () => {
  await using at = await openTestHouse()
  const app = await createActive(at.call, { domain: 'app.example.com' })
  const star = await create(at.call, STAR)
  const before = at.routes()
  const refused = await at.call('POST', `/api/domains/${star}/activate`)
  expect(refused.status).toBe(409)
  expect(refused.body['detail']).toContain(
    `*.example.com (domain ${star}, TCP on websecure) would take every TLS connection for app.example.com (domain ${app})`,
  )
  expect(at.routes()).toBe(before)

  expect((await at.call('POST', `/api/domains/${app}/deactivate`)).status).toBe(200)
  expect((await at.call('POST', `/api/domains/${star}/activate`)).status).toBe(200)
  const planned = await at.call('POST', `/api/domains/${app}/activate?dry_run=true`)
  expect(planned.status).toBe(409)
  expect((await at.call('POST', `/api/domains/${app}/activate`)).status).toBe(409)
  expect((await at.call('GET', '/api/domains/drift')).body).toMatchObject({ drift: false })
})

itOneIn(2).each<[string, Readonly<Record<string, unknown>>]>([
  ['of another depth', { domain: 'deep.app.example.com' }],
  ['elsewhere', { domain: 'example.com' }],
  ['over plain HTTP', { domain: 'plain.example.com', ssl_enabled: false, auth_required: false }],
  ['that is somebody else’s', { domain: 'theirs.example.com', service_type: 'manual' }],
  ['of one TCP name more', { ...STAR, domain: 'db.example.com' }],
])('a route %s stands beside it', async (_, fields) => {
  await using at = await openTestHouse()
  await createActive(at.call, STAR)
  await createActive(at.call, fields)
})

it('on an entrypoint of its own it is in nobody’s way', async () => {
  await using at = await openTestHouse({
    env: { PLUMBLINE_ENTRYPOINTS: 'web=80,websecure=443,postgres=5432' },
  })
  await createActive(at.call, { domain: 'app.example.com' })
  await createActive(at.call, { ...STAR, tcp_entrypoint: 'postgres' })
})
