/** A star over HTTPS that the proxy asks before TCP routes is never deployed together with one that it would take. */
import { expect, it } from 'vitest'
import { create, createActive, openTestHouse } from './test-house.ts'
import { itInDepth, itOneIn } from '../kit/in-depth.ts'
import { newFolder } from '../kit/new-folder.ts'

const TCP = { service_type: 'tcp-proxy', protocol: 'tcp', tcp_entrypoint: 'websecure' }
const DB = { ...TCP, domain: 'db.example.com' }
const STAR = { domain: '*.example.com' }
const NAMED = { PLUMBLINE_TRAEFIK_VERSION: '3.7.0' }

itInDepth('neither comes to the other, and both are told which and why', async () => {
  await using at = await openTestHouse({ env: NAMED })
  const db = await createActive(at.call, DB)
  const star = await create(at.call, STAR)
  const before = at.routes()
  const refused = await at.call('POST', `/api/domains/${star}/activate`)
  expect(refused.status).toBe(409)
  expect(refused.body['detail']).toContain(
    `*.example.com (domain ${star}, HTTPS) would take every TLS connection for db.example.com (domain ${db}, TCP on websecure)`,
  )
  expect(at.routes()).toBe(before)

  expect((await at.call('POST', `/api/domains/${db}/deactivate`)).status).toBe(200)
  expect((await at.call('POST', `/api/domains/${star}/activate`)).status).toBe(200)
  const planned = await at.call('POST', `/api/domains/${db}/activate?dry_run=true`)
  expect(planned.status).toBe(409)
  expect((await at.call('POST', `/api/domains/${db}/activate`)).status).toBe(409)
  expect((await at.call('GET', '/api/domains/drift')).body).toMatchObject({ drift: false })
})

itOneIn(2).each<[string, Readonly<Record<string, unknown>>]>([
  ['of another depth', { ...DB, domain: 'deep.db.example.com' }],
  ['elsewhere', { ...DB, domain: 'example.com' }],
  ['that is somebody else’s', { ...DB, service_type: 'manual' }],
])('a TCP route %s stands beside it', async (_, fields) => {
  await using at = await openTestHouse({ env: NAMED })
  await createActive(at.call, STAR)
  await createActive(at.call, fields)
})

it('on an entrypoint of its own a TCP route is in nobody’s way', async () => {
  await using at = await openTestHouse({
    env: { ...NAMED, PLUMBLINE_ENTRYPOINTS: 'web=80,websecure=443,postgres=5432' },
  })
  await createActive(at.call, STAR)
  await createActive(at.call, { ...DB, tcp_entrypoint: 'postgres' })
})

itInDepth('a star that is a pattern is asked after it, and takes nothing', async () => {
  const directory = newFolder('star')
  const start = (PLUMBLINE_TRAEFIK_VERSION: string) =>
    openTestHouse({ directory, env: { PLUMBLINE_TRAEFIK_VERSION } })
  const at = await start('3.6.9')
  await createActive(at.call, DB)
  await createActive(at.call, STAR)
  await at.house.close()
  // The next deploy of anything would write it as a name.
  await expect(start('3.7.0')).rejects.toThrow(
    /PLUMBLINE_TRAEFIK_VERSION: From 3\.7 on .*\*\.example\.com there would take every TLS connection for the TCP route db\.example\.com/,
  )
  await using again = await start('3.6.9')
  expect((await again.call('GET', '/api/domains/drift')).body).toMatchObject({ drift: false })
})

itInDepth.each(['3.6.9', '3.7.0'])(
  'a star over TCP takes nothing of HTTP routes, version %s',
  async (version) => {
    await using at = await openTestHouse({ env: { PLUMBLINE_TRAEFIK_VERSION: version } })
    await createActive(at.call, { domain: 'app.example.com' })
    await createActive(at.call, { ...TCP, domain: '*.example.com' })
    await createActive(at.call, DB)
  },
)
