/** A route of ours is asked before a narrower one of another provider: what that one protects is not opened unasked. */
import { existsSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { openProxyHouse, type ProxyHouse } from './proxy-house.ts'
import { APP, create, createActive, openTestHouse } from './test-house.ts'

/** As the labels of a container say it. */
const labels = (router: object, middlewares: object = {}) => ({
  http: {
    routers: {
      admin: {
        rule: 'Host(`app.example.com`) && PathPrefix(`/admin`)',
        service: 'admin',
        entryPoints: ['websecure'],
        tls: {},
        ...router,
      },
    },
    services: { admin: { loadBalancer: { servers: [{ url: 'http://10.9.9.9:80' }] } } },
    ...(Object.keys(middlewares).length > 0 && { middlewares }),
  },
})
const PASSWORD = { auth: { basicAuth: { users: ['anna:$apr1$abc$3Tg9Qk7p1Yk5sYJ3n9QGw0'] } } }
const LOCKED = labels({ middlewares: ['auth'] }, PASSWORD)

interface Planned {
  readonly id: string
  readonly plan: {
    readonly hash: string
    readonly guards: readonly object[]
    readonly warnings: readonly string[]
  }
}

const guarded = (...parts: readonly string[]) =>
  expect.objectContaining({
    rule: 'outranks_protection',
    confirmable: true,
    message: expect.stringMatching(new RegExp(parts.join('.*'), 's')) as string,
  })
const ADMIN = /admin@docker \(Host\(`app\.example\.com`\) && PathPrefix\(`\/admin`\), priority 47, .*/.source

async function besideLabels(configuration: object): Promise<ProxyHouse & { readonly id: number }> {
  const at = await openProxyHouse()
  at.traefik.provide('docker', configuration)
  return { ...at, id: await create(at.call) }
}
const activate = (at: ProxyHouse & { readonly id: number }, query = '') =>
  at.call('POST', `/api/domains/${at.id}/activate${query}`)

describe('a path with a password at another provider', () => {
  it('is not opened by an activation without the plan’s hash, and is named with its middlewares', async () => {
    await using at = await besideLabels(LOCKED)
    const rehearsed = (await activate(at, '?dry_run=true')).body as unknown as Planned
    expect(rehearsed.plan).toMatchObject({
      applyable: true,
      guards: [guarded(ADMIN, 'auth@docker \\(basicAuth\\) would not be asked')],
    })
    const refused = await activate(at)
    expect(refused).toMatchObject({
      status: 409,
      body: { code: 'refused_by_guard', guards: [guarded(ADMIN)], plan_hash: rehearsed.plan.hash },
    })
    expect(existsSync(at.house.routes_path) ? at.routes() : '').not.toContain('app.example.com')
    expect((await at.call('GET', '/api/domains/1')).body).toMatchObject({ status: 'inactive' })
    expect(await activate(at, `?confirm=${rehearsed.plan.hash}`)).toMatchObject({ status: 200 })
    expect(at.routes()).toContain('app.example.com')
  })

  it('does not ask again for what was released with the same host', async () => {
    await using at = await openProxyHouse()
    const id = await createActive(at.call)
    at.traefik.provide('docker', LOCKED)
    await at.lookAnew()
    await at.call('PUT', `/api/domains/${id}`, { body: { backend_port: 9090 } })
    expect(await at.call('POST', `/api/domains/${id}/deploy`)).toMatchObject({ status: 200 })
    expect(await at.call('POST', '/api/deploy-all')).toMatchObject({ status: 200 })
  })

  it('asks when the host gets another name, and for plans and deploys alike', async () => {
    await using at = await openProxyHouse()
    const id = await createActive(at.call, { domain: 'old.example.com' })
    at.traefik.provide('docker', LOCKED)
    await at.lookAnew()
    await at.call('PUT', `/api/domains/${id}`, { body: { domain: 'app.example.com' } })
    const kept = (await at.call('POST', '/api/plans', { body: {} })).body as unknown as Planned
    expect(kept.plan.guards).toEqual([guarded(ADMIN)])
    expect(await at.call('POST', '/api/deploy-all')).toMatchObject({ status: 409 })
    expect(await at.call('POST', `/api/plans/${kept.id}/apply`)).toMatchObject({ status: 409 })
    expect(at.routes()).toContain('old.example.com')
    const answer = await at.call('POST', `/api/plans/${kept.id}/apply`, {
      body: { confirm: kept.plan.hash },
    })
    expect(answer, JSON.stringify(answer.body)).toMatchObject({ status: 200 })
  })

  it('is another plan as soon as another router would be opened', async () => {
    await using at = await besideLabels(LOCKED)
    const { plan } = (await activate(at, '?dry_run=true')).body as unknown as Planned
    at.traefik.provide(
      'docker',
      labels({ middlewares: ['auth'], rule: 'Host(`app.example.com`) && Path(`/x`)' }, PASSWORD),
    )
    await at.lookAnew()
    expect(await activate(at, `?confirm=${plan.hash}`)).toMatchObject({
      status: 409,
      body: { code: 'conflict' },
    })
  })
})

describe('a router of another provider', () => {
  it.each<[string, object]>([
    [
      'a digest',
      labels(
        { middlewares: ['lock'] },
        { lock: { digestAuth: { users: ['a:r:0123456789abcdef0123456789abcdef'] } } },
      ),
    ],
    [
      'another sign-in',
      labels({ middlewares: ['lock'] }, { lock: { forwardAuth: { address: 'http://gate:1/' } } }),
    ],
    [
      'an allow list in a chain',
      labels(
        { middlewares: ['all'] },
        { all: { chain: { middlewares: ['lan'] } }, lan: { ipAllowList: { sourceRange: ['10.0.0.0/8'] } } },
      ),
    ],
    [
      'a client’s certificate',
      labels({ middlewares: ['lock'] }, { lock: { passTLSClientCert: { pem: true } } }),
    ],
    [
      'its own TLS options',
      {
        ...labels({ tls: { options: 'mutual' } }),
        tls: { options: { mutual: { minVersion: 'VersionTLS12' } } },
      },
    ],
  ])('with %s is a guard', async (_name, configuration) => {
    await using at = await besideLabels(configuration)
    expect(await activate(at)).toMatchObject({ status: 409, body: { guards: [guarded('admin@docker')] } })
  })

  it('that protects nothing is named, in the plan and in the answer', async () => {
    await using at = await besideLabels(labels({}))
    const named = [
      expect.stringMatching(
        /^On websecure, app\.example\.com \(priority 1000\) would take requests that admin@docker/,
      ),
    ]
    expect((await activate(at, '?dry_run=true')).body).toMatchObject({
      plan: { guards: [], warnings: named },
    })
    expect(await activate(at)).toMatchObject({ status: 200, body: { warnings: named } })
  })

  it.each<[string, object]>([
    ['above ours', labels({ middlewares: ['auth'], priority: 5000 }, PASSWORD)],
    ['on another entrypoint', labels({ middlewares: ['auth'], entryPoints: ['ssh'] }, PASSWORD)],
    ['of another host', labels({ middlewares: ['auth'], rule: 'Host(`b.example.com`)' }, PASSWORD)],
  ])('%s is no matter of ours', async (_name, configuration) => {
    await using at = await besideLabels(configuration)
    expect(await activate(at)).toMatchObject({ status: 200, body: { warnings: [] } })
  })

  it('that asks the same sign-in loses nothing to a protected record, and all to an open one', async () => {
    const address = 'http://127.0.0.1:9091/api/authz/forward-auth'
    const configuration = labels(
      { middlewares: ['sso'] },
      { sso: { forwardAuth: { address, trustForwardHeader: true } } },
    )
    await using at = await openProxyHouse({ env: { PLUMBLINE_SSO_URL: 'http://127.0.0.1:9091' } })
    at.traefik.provide('docker', configuration)
    const id = await create(at.call, { auth_required: false })
    expect(await activate({ ...at, id })).toMatchObject({ status: 409 })
    await at.call('PUT', `/api/domains/${id}`, { body: { auth_required: true } })
    expect(await activate({ ...at, id })).toMatchObject({ status: 200 })
  })
})

describe('an estate that says which routers its records stand for', () => {
  const entry = { ...APP, status: 'active', auth_required: false }
  const at_admin = 'Host(`app.example.com`) && PathPrefix(`/admin`)'

  it('replaces exactly those', async () => {
    await using at = await openProxyHouse()
    at.traefik.provide('docker', LOCKED)
    const replaces = [{ router: 'admin@docker', rule: at_admin, middlewares: ['auth@docker'] }]
    const estate = (list: object[]) =>
      at.call('POST', '/api/estate', { body: { domains: [entry], replaces: list } })
    expect(await estate([{ ...replaces[0], middlewares: [] }])).toMatchObject({ status: 409 })
    expect(await estate([{ ...replaces[0], rule: 'Host(`x`)' }])).toMatchObject({ status: 409 })
    expect(await estate(replaces)).toMatchObject({ status: 200 })
  })
})

describe('a proxy that cannot be seen', () => {
  it('is a warning where its API is set', async () => {
    await using at = await openTestHouse({ env: { PLUMBLINE_TRAEFIK_API: 'http://127.0.0.1:9' } })
    const id = await create(at.call)
    const { plan } = (await at.call('POST', `/api/domains/${id}/activate?dry_run=true`))
      .body as unknown as Planned
    expect(plan).toMatchObject({ guards: [], applyable: true })
    expect(plan.warnings).toContainEqual(expect.stringMatching(/^Which routers of others .* is not known: /))
  })
})
