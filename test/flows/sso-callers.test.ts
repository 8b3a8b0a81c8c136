/** What signed-in people may do here: look, and change only where their group may. Over a whole house, as the proxy sends them. */
import { setImmediate } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { openTestHouse } from './test-house.ts'

const PROXY = '10.9.9.9'
const SECRET = 'the-secret-of-the-proxy-0123456789'
const ENV = { PLUMBLINE_TRUSTED_PROXIES: PROXY, PLUMBLINE_PROXY_SECRET: SECRET }

const open = async (env: Readonly<Record<string, string>> = {}) => {
  const at = await openTestHouse({ env: { ...ENV, ...env } })
  const as =
    (groups: string | null, peer = PROXY) =>
    async (method: string, path: string, body?: unknown) => {
      const headers = {
        'x-forwarded-for': '203.0.113.7',
        'x-plumbline-proxy-secret': SECRET,
        'remote-user': 'ana',
        ...(groups === null ? {} : { 'remote-groups': groups }),
      }
      return at.call(method, path, { key: null, peer, headers, ...(body === undefined ? {} : { body }) })
    }
  return { at, as }
}

/** Calls that need no key, and what each answers to whoever is let in. */
const LOOKS = ['/api/metrics-targets', '/api/ssh-clients', '/network', '/docs', '/metrics']
const CHANGES: readonly (readonly [method: string, path: string, let_in: number])[] = [
  ['POST', '/api/deploy-proxy', 200],
  // There is no such plan.
  ['POST', `/api/deploy-proxy?confirm=${'0'.repeat(64)}`, 409],
  ['POST', '/api/ssh-clients', 422],
  ['DELETE', '/api/ssh-clients', 422],
  ['POST', '/api/email/send', 422],
  ['POST', '/api/email/refresh-token', 503],
]

describe('where no group is named', () => {
  it('any signed-in person may look, and nobody changes anything', async () => {
    const { at, as } = await open()
    await using _ = at
    for (const groups of [null, 'staff', 'admins,staff']) {
      const call = as(groups)
      for (const path of LOOKS) expect([path, (await call('GET', path)).status]).toEqual([path, 200])
      for (const [method, path] of CHANGES) {
        const refused = await call(method, path)
        expect(refused, `${method} ${path}`).toMatchObject({
          status: 403,
          body: {
            code: 'group_not_allowed',
            detail: expect.stringContaining('PLUMBLINE_SSO_CHANGE_GROUPS'),
          },
        })
      }
      expect((await call('GET', '/api/domains')).status).toBe(200)
      expect((await call('POST', '/api/plans', {})).status).toBe(201)
      expect((await call('POST', '/api/domains')).body['code']).toBe('group_not_allowed')
    }
  })
})

it('what a group may not do is counted as refused, whatever was called', async () => {
  const { at, as } = await open()
  await using _ = at
  const call = as('staff')
  for (const [method, path] of CHANGES) await call(method, path)
  // A call is counted after its answer.
  await setImmediate()
  const text = (await call('GET', '/metrics')).body as unknown as string
  const refused = text.split('\n').filter((line) => line.includes('status="403"'))
  expect(refused).toEqual([
    `plumbline_http_requests_total{method="other",route="refused",status="403"} ${CHANGES.length}`,
  ])
})

describe('where groups are named', () => {
  const GROUPS = { PLUMBLINE_SSO_CHANGE_GROUPS: 'admins, net ops', PLUMBLINE_SSO_READ_GROUPS: 'staff' }

  it('who may look may plan, render and rehearse, and changes nothing by it', async () => {
    const { at, as } = await open(GROUPS)
    await using _ = at
    const call = as('staff')
    const made = { domain: 'app.example.com', service_type: 'manual', environment: 'production' }
    expect((await call('POST', '/api/plans', {})).status).toBe(201)
    expect((await call('POST', '/api/domains/render')).status).toBe(200)
    expect((await call('POST', '/api/deploy-all?dry_run=true')).status).toBe(200)
    expect((await call('POST', '/api/domains?dry_run=true', made)).status).toBe(200)
    for (const query of ['', '?dry_run=false', '?dry_run=false&dry_run=true', '?confirm=dry_run%3Dtrue'])
      expect((await call('POST', `/api/domains${query}`, made)).status, query).toBe(403)
    expect((await call('POST', '/api/domains?dry_run=true&dry_run=false', made)).status).toBe(422)
    expect((await call('POST', '/api/modes?dry_run=true')).status).not.toBe(200)
    expect((await at.call('GET', '/api/domains')).body).toHaveLength(0)
    expect((await as('others')('POST', '/api/plans', {})).status).toBe(403)
  })

  it.each(['admins', 'other, admins', 'net ops', 'staff,net ops'])('%j may change', async (groups) => {
    const { at, as } = await open(GROUPS)
    await using _ = at
    const call = as(groups)
    for (const [method, path, status] of CHANGES)
      expect([method, path, (await call(method, path)).status]).toEqual([method, path, status])
    const made = { domain: 'app.example.com', service_type: 'manual', environment: 'production' }
    expect((await call('POST', '/api/domains', made)).status).toBe(201)
    expect(JSON.stringify((await call('GET', '/api/audit')).body)).toContain('sso:ana')
  })

  it('a group that may look does that, also what else needs a key, and changes nothing', async () => {
    const { at, as } = await open(GROUPS)
    await using _ = at
    const call = as('staff')
    for (const path of [...LOOKS, '/api/domains', '/api/audit'])
      expect([path, (await call('GET', path)).status]).toEqual([path, 200])
    for (const [method, path] of [...CHANGES, ['POST', '/api/domains'], ['POST', '/api/keys']] as const)
      expect([path, (await call(method, path)).body['code']]).toEqual([path, 'group_not_allowed'])
  })

  it.each([null, '', 'Admins', 'admin', 'admins2', 'net', 'adm ins', 'staffs'])(
    '%j is none of them',
    async (groups) => {
      const { at, as } = await open(GROUPS)
      await using _ = at
      const call = as(groups)
      for (const path of [...LOOKS, '/api/domains'])
        expect([path, (await call('GET', path)).status]).toEqual([path, 403])
      expect((await call('POST', '/api/deploy-proxy')).status).toBe(403)
    },
  )

  it('groups count for nothing without the secret, without a listed proxy, or twice', async () => {
    const { at, as } = await open(GROUPS)
    await using _ = at
    expect((await as('admins', '10.9.9.8')('POST', '/api/deploy-proxy')).status).toBe(403)
    const headers = { 'remote-user': 'ana', 'remote-groups': 'admins' }
    const said = (more: Record<string, string>) =>
      at.call('POST', '/api/domains', { key: null, peer: PROXY, headers: { ...headers, ...more } })
    expect((await said({})).status).toBe(401)
    expect((await said({ 'x-plumbline-proxy-secret': `${SECRET}x` })).status).toBe(401)
    expect((await at.call('POST', '/api/deploy-proxy', { key: null, headers })).status).toBe(200)
    expect((await at.call('GET', '/api/domains', { key: null, headers })).status).toBe(401)
  })

  it('where only those who change are named, anybody may look', async () => {
    const { at, as } = await open({ PLUMBLINE_SSO_CHANGE_GROUPS: 'admins' })
    await using _ = at
    expect((await as('staff')('GET', '/api/metrics-targets')).status).toBe(200)
    expect((await as('staff')('GET', '/api/domains')).status).toBe(200)
    expect((await as('staff')('POST', '/api/domains')).body['code']).toBe('group_not_allowed')
    expect((await as('admins')('GET', '/api/domains')).status).toBe(200)
  })
})
