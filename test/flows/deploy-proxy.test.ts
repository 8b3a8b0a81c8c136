/** The keyless deploy: the proxy's configuration and what must stand before it, and no DNS record moves by it. */
import { expect, it } from 'vitest'
import { openSsoHouse } from './sso-house.ts'
import { createActive, openTestHouse, type TestHouse } from './test-house.ts'
import { itInDepth } from '../kit/in-depth.ts'

const PUBLIC = '203.0.113.10'

const deploy = ({ call }: TestHouse, path = '/api/deploy-proxy') => call('POST', path, { key: null })
const edit = async ({ call }: TestHouse, id: number, body: object) =>
  expect((await call('PUT', `/api/domains/${id}`, { body })).status).toBe(200)
const zone = async ({ call }: TestHouse) => {
  const { records } = (await call('GET', '/api/dns/records')).body as unknown as {
    records: readonly { name: string; observed: readonly string[] }[]
  }
  return records.map(({ name, observed }) => `${name} ${observed.join()}`)
}

it('releases what changes routes alone, leaves what would move a name, and names it', async () => {
  await using at = await openTestHouse({
    wrap: {},
    env: {
      PLUMBLINE_PUBLIC_IP: PUBLIC,
      PLUMBLINE_DNS_PROVIDER: 'zonefile',
      PLUMBLINE_DNS_ZONES: 'example.com',
    },
  })
  const [routed, moved, renamed] = [
    await createActive(at.call, { domain: 'routed.example.com' }),
    await createActive(at.call, { domain: 'moved.example.com' }),
    await createActive(at.call, { domain: 'renamed.example.com' }),
  ]
  await edit(at, routed, { backend_port: 9999 })
  await edit(at, moved, { static_ip: '198.51.100.7', backend_port: 9998 })
  await edit(at, renamed, { domain: 'another.example.com' })
  const before = await zone(at)

  const dry = await deploy(at, '/api/deploy-proxy?dry_run=true')
  expect(dry.body['plan']).toMatchObject({ rows: [{ domain_id: routed }] })
  const done = await deploy(at)
  expect(done.status).toBe(200)
  expect(done.body).toMatchObject({
    success: true,
    message: expect.stringContaining(
      'proxy configuration, without 2 domains that would change DNS records and are left to deploy-all; 1 changed.',
    ),
    domain_ids: [routed],
    pending: expect.arrayContaining([
      expect.objectContaining({ domain_id: moved }),
      expect.objectContaining({ domain_id: renamed }),
    ]),
  })
  const components = done.body['components'] as unknown as readonly { component: string }[]
  expect(components.map(({ component }) => component)).not.toContain('dns')
  expect(await zone(at)).toEqual(before)
  expect(at.routes()).toContain(':9999')
  expect(at.routes()).not.toContain(':9998')
  expect(at.routes()).toContain('renamed.example.com')
  expect((await at.call('GET', '/api/audit?action=deploy_proxy')).body).toMatchObject([
    { action: 'deploy_proxy', detail: { rows: 1, left: 2 } },
  ])
  expect((await at.call('GET', '/api/releases?limit=1')).body).toMatchObject([{ reason: 'deploy proxy' }])

  await at.call('POST', '/api/deploy-all')
  expect(await zone(at)).toContain('moved.example.com 198.51.100.7')

  await edit(at, moved, { static_ip: '198.51.100.8' })
  expect((await deploy(at)).body['message']).toBe(
    'Deployed the proxy configuration, without moved.example.com, which would change DNS records and is left to deploy-all; 0 changed.',
  )
})

it('has a record of its own beside that of the last deploy-all', async () => {
  await using at = await openTestHouse()
  const status = async (house: TestHouse) => (await house.call('GET', '/api/deploy/status')).body
  await deploy(at)
  expect(await status(at)).toMatchObject({ timestamp: null, deploy_proxy: { success: true } })
  await createActive(at.call)
  await at.call('POST', '/api/deploy-all')
  const all = await status(at)
  expect(all).toMatchObject({ success: true, domain_count: 1, deploy_proxy: { success: true } })
  await deploy(at)
  const { deploy_proxy, ...rest } = await status(at)
  expect(rest['timestamp']).toBe(all['timestamp'])
  expect(deploy_proxy).toMatchObject({ success: true, warnings: [] })
  const again = await at.reopen()
  expect(await status(again)).toMatchObject({ timestamp: all['timestamp'], deploy_proxy, source: 'db' })
})

itInDepth('a route that a call brings behind the sign-in is told as put there by it', async () => {
  await using at = await openSsoHouse({ opened: false })
  const id = await createActive(at.call, { domain: 'first.example.com' })
  await edit(at, id, { auth_required: false })
  await at.call('POST', `/api/domains/${id}/deploy`)
  await edit(at, id, { auth_required: true })
  const done = await at.call('POST', `/api/domains/${id}/deploy`)
  const components = done.body['components'] as unknown as readonly {
    component: string
    outcome: string
    repaired: number
  }[]
  const outcomes = Object.fromEntries(components.map(({ component, outcome }) => [component, outcome]))
  expect(outcomes).toMatchObject({ sso: 'repaired', routes: 'repaired' })
})
