/**
 * A protected domain goes off line, and its route cannot go yet. A name with a star above it has a laxer rule, by which people
 * would come in were its own gone: so the rules stay until the route does, wherever it is kept from going.
 */
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

const ssoOf = async ({ call }: SsoHouse) => {
  await call('POST', '/api/reconcile?target=sso')
  return JSON.stringify((await call('GET', '/api/drift')).body)
}

it('routes are suspended: its rule stays until they are written again', async () => {
  await using at = await openSsoHouse({ policies: POLICIES })
  await createActive(at.call, { domain: '*.example.com' })
  const id = await createActive(at.call, { domain: ADMIN })
  const body = {
    mode: 'suspend',
    reason: 'moving',
    expires_at: new Date(Date.now() + 3_600_000).toISOString(),
  }
  expect((await at.call('PUT', '/api/modes/routes', { body })).status).toBe(200)
  await at.call('POST', `/api/domains/${id}/deactivate`)
  await ssoOf(at)
  expect(at.routes()).toContain(ADMIN)
  expect(at.rules()).toContain(ADMIN)
  expect(policyFor(at)).toBe('deny')
  await at.call('DELETE', '/api/modes/routes')
  await expect.poll(() => at.routes()).not.toContain(ADMIN)
  await at.call('POST', '/api/reconcile')
  await expect.poll(() => at.rules()).not.toContain(ADMIN)
})

itInDepth('where no star takes its place, its rule goes: without one nobody gets in', async () => {
  await using at = await openSsoHouse({ policies: POLICIES })
  const id = await createActive(at.call, { domain: ADMIN })
  const body = {
    mode: 'suspend',
    reason: 'moving',
    expires_at: new Date(Date.now() + 3_600_000).toISOString(),
  }
  await at.call('PUT', '/api/modes/routes', { body })
  await at.call('POST', `/api/domains/${id}/deactivate`)
  await ssoOf(at)
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
