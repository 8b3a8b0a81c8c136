/**
 * A protected domain goes off line, and its route cannot go yet. A name with a star above it has a laxer rule, by which people
 * would come in were its own gone: so the rules stay until the route does, wherever it is kept from going.
 */
import { rmSync, writeFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { itInDepth } from '../kit/in-depth.ts'
import { decideBy } from '../fakes/sso/rules.ts'
import { openProven } from './proven-house.ts'
import { openSsoHouse, type SsoHouse } from './sso-house.ts'
import { createActive } from './test-house.ts'

const POLICIES = `
policies:
  - domain: admin.example.com
    access: [{ groups: [admins], policy: two_factor }]
`
const ADMIN = 'admin.example.com'

/** What the provider says to somebody who has signed in and is no admin. */
const policyFor = ({ authelia }: SsoHouse) =>
  decideBy(authelia.running!, { host: ADMIN, uri: '/', method: 'GET', user: 'bob', groups: [] })

/** Asks for a look, and gives what its report says. */
async function lookedAt({ house }: SsoHouse) {
  const reports = await house.engine.converge('open', { records: 'all', component: 'sso' })
  const report = reports.find(({ key }) => key === 'sso')
  return { outcome: report?.outcome, message: report?.failure?.message ?? null }
}
const suspend = ({ call }: SsoHouse) =>
  call('PUT', '/api/modes/routes', {
    body: {
      mode: 'suspend',
      reason: 'moving',
      expires_at: new Date(Date.now() + 3_600_000).toISOString(),
    },
  })
const WAITS = {
  outcome: 'left_unfinished',
  message: expect.stringContaining(`The rules are not changed: ${ADMIN} may still be served`) as string,
}

it('routes are suspended: its rule stays until they are written again', async () => {
  await using at = await openSsoHouse({ policies: POLICIES })
  await createActive(at.call, { domain: '*.example.com' })
  const id = await createActive(at.call, { domain: ADMIN })
  expect((await suspend(at)).status).toBe(200)
  await at.call('POST', `/api/domains/${id}/deactivate`)
  expect(await lookedAt(at)).toMatchObject(WAITS)
  expect(at.routes()).toContain(ADMIN)
  expect(at.rules()).toContain(ADMIN)
  expect(policyFor(at)).toBe('deny')
  // What opens a name that stays is not waited with.
  writeFileSync(at.rules_path, at.rules().replace('one_factor', 'bypass'))
  await lookedAt(at)
  expect(at.rules()).not.toContain('bypass')
  await at.call('DELETE', '/api/modes/routes')
  await expect.poll(() => at.routes()).not.toContain(ADMIN)
  await at.call('POST', '/api/reconcile')
  await expect.poll(() => at.rules()).not.toContain(ADMIN)
})

it.each<[string, Readonly<Record<string, unknown>>]>([
  ['it is managed elsewhere', { service_type: 'manual' }],
  ['it becomes a TCP route', { service_type: 'tcp-proxy', protocol: 'tcp', tcp_entrypoint: 'websecure' }],
  ['it is served over plain http', { ssl_enabled: false }],
])('routes are suspended, and %s: its rule stays until its HTTPS route is gone', async (_title, fields) => {
  await using at = await openSsoHouse({ policies: POLICIES })
  await createActive(at.call, { domain: '*.example.com' })
  const id = await createActive(at.call, { domain: ADMIN })
  expect((await suspend(at)).status).toBe(200)
  expect(await at.call('PUT', `/api/domains/${id}`, { body: fields })).toMatchObject({ status: 200 })
  // Routes are suspended, so the deploy is not done.
  await at.call('POST', `/api/domains/${id}/deploy`)
  expect(await lookedAt(at)).toMatchObject(WAITS)
  expect(at.routes()).toContain(ADMIN)
  expect(at.rules()).toContain(ADMIN)
  expect(policyFor(at)).toBe('deny')
  await at.call('DELETE', '/api/modes/routes')
  await at.call('POST', '/api/reconcile')
  await expect.poll(() => at.rules()).not.toContain(ADMIN)
})

it.each<[string, (at: SsoHouse) => void]>([
  ['is deleted', (at) => rmSync(at.rules_path)],
  ['is broken', (at) => writeFileSync(at.rules_path, 'access_control: [')],
  [
    'loses its block',
    (at) => writeFileSync(at.rules_path, at.rules().replaceAll(`"${ADMIN}"`, '"elsewhere.example.net"')),
  ],
])('routes are suspended, and the file %s: what the provider still runs stays', async (_title, spoil) => {
  await using at = await openSsoHouse({ policies: POLICIES })
  await createActive(at.call, { domain: '*.example.com' })
  const id = await createActive(at.call, { domain: ADMIN })
  expect((await suspend(at)).status).toBe(200)
  await at.call('POST', `/api/domains/${id}/deactivate`)
  expect(await lookedAt(at)).toMatchObject(WAITS)
  spoil(at)
  expect(await lookedAt(at)).toMatchObject(WAITS)
  expect(policyFor(at)).toBe('deny')
  await at.call('DELETE', '/api/modes/routes')
  await expect.poll(() => at.routes()).not.toContain(ADMIN)
  await at.call('POST', '/api/reconcile')
  await expect.poll(() => at.rules()).toContain('one_factor')
  expect(at.rules()).not.toContain(ADMIN)
})

itInDepth('where no star takes its place, its rule goes: without one nobody gets in', async () => {
  await using at = await openSsoHouse({ policies: POLICIES })
  const id = await createActive(at.call, { domain: ADMIN })
  expect((await suspend(at)).status).toBe(200)
  await at.call('POST', `/api/domains/${id}/deactivate`)
  await lookedAt(at)
  expect(at.rules()).not.toContain(ADMIN)
  expect(policyFor(at)).toBe('deny')
})

itInDepth('the proxy does not load the file without it: its rule stays until it does', async () => {
  await using proven = await openProven({ policies: POLICIES, api: true })
  const { at, proxy } = proven
  await createActive(at.call, { domain: '*.example.com' })
  const id = await createActive(at.call, { domain: ADMIN })
  proxy.traefik.refuse((text) => !text.includes(ADMIN))
  await at.call('POST', `/api/domains/${id}/deactivate`)
  expect(at.routes()).not.toContain(ADMIN)
  expect(at.rules()).toContain(ADMIN)
  expect(policyFor(at)).toBe('deny')
  proxy.traefik.refuse(() => false)
  // It reads what changes.
  await createActive(at.call, { domain: 'other.example.com' })
  await expect
    .poll(async () => {
      await at.house.engine.converge('open', { records: 'all', component: 'sso' })
      return at.rules()
    })
    .not.toContain(ADMIN)
})
