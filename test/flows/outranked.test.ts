/** A route of ours is asked before a narrower one of another provider: what that one protects is not opened unasked. */
import { existsSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it, vi } from 'vitest'
import type { Store, StoreWriter } from '../../src/ports/store.ts'
import { status } from '../fakes/dns/faults.ts'
import { hurriedClock, openProxyHouse, type ProxyHouse } from './proxy-house.ts'
import { APP, create, createActive, openTestHouse } from './test-house.ts'
import { describeInDepth, itInDepth, itOneIn } from '../kit/in-depth.ts'
import { wellProvider } from './well-provider.ts'

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

/** The first pass is over, and the proxy is seen as it is then: another look would be another plan. */
async function settled(at: ProxyHouse): Promise<void> {
  await vi.waitFor(() => expect(existsSync(at.house.routes_path)).toBe(true), { timeout: 60_000 })
  await at.lookAnew()
}

async function besideLabels(configuration: object): Promise<ProxyHouse & { readonly id: number }> {
  const at = await openProxyHouse()
  at.traefik.provide('docker', configuration)
  await settled(at)
  return { ...at, id: await create(at.call) }
}
const activate = (at: ProxyHouse & { readonly id: number }, query = '') =>
  at.call('POST', `/api/domains/${at.id}/activate${query}`)

describe('a path with a password at another provider', () => {
  itInDepth(
    'is not opened by an activation without the plan’s hash, and is named with its middlewares',
    async () => {
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
    },
  )

  itInDepth('is asked for once more where the proxy did not answer a moment ago', async () => {
    await using at = await besideLabels(LOCKED)
    at.traefik.misbehave(status(503), { times: 1, when: ({ path }) => path === '/api/http/routers' })
    await at.lookAnew()
    expect(await activate(at)).toMatchObject({ status: 409, body: { code: 'refused_by_guard' } })
  })

  itInDepth('does not ask again for what was released with the same host', async () => {
    await using at = await openProxyHouse()
    const id = await createActive(at.call)
    at.traefik.provide('docker', LOCKED)
    await at.lookAnew()
    await at.call('PUT', `/api/domains/${id}`, { body: { backend_port: 9090 } })
    expect(await at.call('POST', `/api/domains/${id}/deploy`)).toMatchObject({ status: 200 })
    expect(await at.call('POST', '/api/deploy-all')).toMatchObject({ status: 200 })
  })

  itInDepth('asks when the host gets another name, and for plans and deploys alike', async () => {
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

describe('a TCP route of another provider, of which HTTPS takes the name', () => {
  const vault = (more: object, middlewares: object = {}) => ({
    tcp: {
      routers: {
        vault: { rule: 'HostSNI(`app.example.com`)', service: 'vault', entryPoints: ['websecure'], ...more },
      },
      services: { vault: { loadBalancer: { servers: [{ address: '10.9.9.9:443' }] } } },
      ...middlewares,
    },
  })
  const LIST = { middlewares: { lan: { ipAllowList: { sourceRange: ['10.0.0.0/8'] } } } }
  const LOST = 'would take requests that vault@docker \\(HostSNI\\(`app\\.example\\.com`\\)'

  it.each<[string, object, string]>([
    ['by its backend', vault({ tls: { passthrough: true } }), 'the TLS of its backend \\(passthrough\\)'],
    ['by a list', vault({ tls: {}, middlewares: ['lan'] }, LIST), 'lan@docker \\(cannot be seen\\)'],
  ])('is protected %s: an activation needs the plan’s hash', async (_, theirs, lock) => {
    await using at = await besideLabels(theirs)
    const refused = await activate(at)
    expect(refused).toMatchObject({
      status: 409,
      body: { code: 'refused_by_guard', guards: [guarded(LOST, `${lock} would not be asked`)] },
    })
    expect(await activate(at, `?confirm=${String(refused.body['plan_hash'])}`)).toMatchObject({ status: 200 })
  })

  itInDepth('is told of where nothing protects it', async () => {
    await using at = await besideLabels(vault({ tls: {} }))
    const { plan } = (await activate(at, '?dry_run=true')).body as unknown as Planned
    expect(plan.guards).toEqual([])
    expect(plan.warnings.join()).toMatch(new RegExp(LOST))
  })

  itInDepth('is told of where it hands on all the rest', async () => {
    const rule = 'HostSNI(`*`)'
    await using at = await besideLabels(vault({ rule, tls: { passthrough: true } }))
    const { plan } = (await activate(at, '?dry_run=true')).body as unknown as Planned
    expect(plan.guards).toEqual([])
    expect(plan.warnings.join()).toContain('would take requests that vault@docker')
  })

  itInDepth('a star that is written as a pattern leaves it alone', async () => {
    await using at = await openProxyHouse({ env: { PLUMBLINE_TRAEFIK_VERSION: '3.6.9' } })
    at.traefik.provide('docker', vault({ tls: { passthrough: true } }))
    await settled(at)
    const id = await create(at.call, { domain: '*.example.com' })
    expect(await activate({ ...at, id })).toMatchObject({ status: 200 })
  })
})

itInDepth('a path with a password goes before a TCP route of ours of its name: nobody is asked', async () => {
  await using at = await openProxyHouse()
  at.traefik.provide('docker', LOCKED)
  await settled(at)
  const tcp = { service_type: 'tcp-proxy', protocol: 'tcp', tcp_entrypoint: 'websecure' }
  const id = await create(at.call, tcp)
  const { plan } = (await activate({ ...at, id }, '?dry_run=true')).body as unknown as Planned
  expect(plan.guards).toEqual([])
})

/** Tells when a confirmation is used up: the change is about to be made. */
const watchingConfirmations =
  (used: () => Promise<void> | void) =>
  (store: Store): Store =>
    through(store, {
      write: (work: (tx: StoreWriter) => Promise<unknown>) =>
        store.write((tx) =>
          work(
            through(tx, {
              useConfirmation: async (use: Parameters<StoreWriter['useConfirmation']>[0]) => {
                await used()
                return tx.useConfirmation(use)
              },
            }),
          ),
        ),
    })

function through<T extends object>(target: T, instead: Readonly<Record<string, unknown>>): T {
  return new Proxy(target, {
    get(_target, name) {
      const value = instead[String(name)] ?? Reflect.get(target, name, target)
      return typeof value === 'function' ? (value.bind(target) as unknown) : value
    },
  })
}

itInDepth(
  'a confirmation is for the routers that were shown, though others come while it is used',
  async () => {
    let ahead_ms = 0
    let used = (): Promise<void> | void => undefined
    await using at = await openProxyHouse({
      clock: { ...hurriedClock(), elapsed: () => performance.now() + ahead_ms },
      wrap: { store: watchingConfirmations(() => used()) },
    })
    at.traefik.provide('docker', LOCKED)
    await settled(at)
    const id = await create(at.call)
    const { plan } = (await activate({ ...at, id }, '?dry_run=true')).body as unknown as Planned
    expect(plan.guards).toHaveLength(1)
    used = async () => {
      const rule = 'Host(`app.example.com`) && PathPrefix(`/other`)'
      at.traefik.provide('docker', labels({ middlewares: ['auth'], rule }, PASSWORD))
      // A look of the rounds that is under way has seen what was there before, and is no older than its end.
      for (let before = -1; before !== at.traefik.asked.length;) {
        before = at.traefik.asked.length
        await sleep(200)
      }
      ahead_ms = 5000
    }
    expect(await activate({ ...at, id }, `?confirm=${plan.hash}`)).toMatchObject({
      status: 409,
      body: { code: 'conflict', detail: expect.stringContaining('routers of others') as string },
    })
    expect((await at.call('GET', `/api/domains/${id}`)).body).toMatchObject({ status: 'inactive' })
  },
)

describe('a router of another provider', () => {
  itOneIn(5).each<[string, object]>([
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

  itInDepth('that protects nothing is named, in the plan and in the answer', async () => {
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

  itInDepth.each<[string, object]>([
    ['above ours', labels({ middlewares: ['auth'], priority: 5000 }, PASSWORD)],
    ['on another entrypoint', labels({ middlewares: ['auth'], entryPoints: ['ssh'] }, PASSWORD)],
    ['of another host', labels({ middlewares: ['auth'], rule: 'Host(`b.example.com`)' }, PASSWORD)],
  ])('%s is no matter of ours', async (_name, configuration) => {
    await using at = await besideLabels(configuration)
    expect(await activate(at)).toMatchObject({ status: 200, body: { warnings: [] } })
  })

  itInDepth(
    'that asks the same sign-in loses nothing to a protected record, and all to an open one',
    async () => {
      const address = 'http://127.0.0.1:9091/api/authz/forward-auth'
      const configuration = labels(
        { middlewares: ['sso'] },
        { sso: { forwardAuth: { address, trustForwardHeader: true } } },
      )
      await using at = await openProxyHouse({
        env: { ...(await wellProvider()), PLUMBLINE_SSO_URL: 'http://127.0.0.1:9091' },
      })
      at.traefik.provide('docker', configuration)
      const id = await create(at.call, { auth_required: false })
      expect(await activate({ ...at, id })).toMatchObject({ status: 409 })
      await at.call('PUT', `/api/domains/${id}`, { body: { auth_required: true } })
      expect(await activate({ ...at, id })).toMatchObject({ status: 200 })
    },
  )
})

describe('what is released already', () => {
  const SSO = {
    sso: {
      forwardAuth: { address: 'http://127.0.0.1:9091/api/authz/forward-auth', trustForwardHeader: true },
    },
  }
  const SIGNED_IN = labels({ middlewares: ['sso'] }, SSO)
  const LAN = labels({ middlewares: ['lan'] }, { lan: { ipAllowList: { sourceRange: ['10.0.0.0/8'] } } })

  /** A record that was activated with these fields, whatever stood in the way. */
  async function released(configuration: object, fields: object) {
    const at = await openProxyHouse({
      env: { ...(await wellProvider()), PLUMBLINE_SSO_URL: 'http://127.0.0.1:9091' },
    })
    at.traefik.provide('docker', configuration)
    await settled(at)
    const id = await create(at.call, { ...fields })
    const { plan } = (await activate({ ...at, id }, '?dry_run=true')).body as unknown as Planned
    const confirm = plan.guards.length === 0 ? '' : `?confirm=${plan.hash}`
    const answer = await activate({ ...at, id }, confirm)
    expect(answer, JSON.stringify(answer.body)).toMatchObject({ status: 200 })
    return { ...at, id, change: (body: object) => at.call('PUT', `/api/domains/${id}`, { body }) }
  }
  const loses = (what: string, lock: string) =>
    guarded(`would lose ${what}\\. It has requests of ${ADMIN}`, `${lock}.* would not be asked`)

  itInDepth(
    'asks when the sign-in goes that stood in for the other one, whichever call brings it out',
    async () => {
      await using at = await released(SIGNED_IN, { auth_required: true })
      const file = at.routes()
      await at.change({ auth_required: false })
      const guards = [loses('its sign-in', 'sso@docker \\(forwardAuth\\)')]
      const rehearsed = await at.call('POST', '/api/deploy-proxy?dry_run=true')
      expect(rehearsed.body).toMatchObject({ plan: { guards } })
      const keyless = await at.call('POST', '/api/deploy-proxy', { key: null, peer: '127.0.0.1' })
      expect(keyless).toMatchObject({ status: 409, body: { code: 'refused_by_guard', guards } })
      for (const path of [
        `/api/domains/${at.id}/deploy`,
        `/api/domains/${at.id}/activate`,
        '/api/deploy-all',
      ])
        expect(await at.call('POST', path)).toMatchObject({ status: 409, body: { guards } })
      const estate = { domains: [{ ...APP, status: 'active', auth_required: false }] }
      expect(await at.call('POST', '/api/estate', { body: estate })).toMatchObject({ status: 409 })
      expect(at.routes()).toBe(file)
      const { plan } = rehearsed.body as unknown as Planned
      expect(await at.call('POST', `/api/deploy-proxy?confirm=${plan.hash}`)).toMatchObject({ status: 200 })
    },
  )

  it('asks when an older release without the sign-in is restored', async () => {
    await using at = await released(SIGNED_IN, { auth_required: false })
    const [open] = (await at.call('GET', '/api/releases')).body as unknown as { number: number }[]
    await at.change({ auth_required: true })
    expect(await at.call('POST', `/api/domains/${at.id}/deploy`)).toMatchObject({ status: 200 })
    expect(await at.call('POST', `/api/releases/${open!.number}/restore`)).toMatchObject({
      status: 409,
      body: { guards: [loses('its sign-in', 'sso@docker')] },
    })
  })

  itInDepth('asks when it rises above a router that was above it', async () => {
    await using at = await released(labels({ middlewares: ['auth'], priority: 1001 }, PASSWORD), {})
    await at.change({ service_type: 'spa' })
    const guards = [guarded('app\\.example\\.com \\(priority 1100\\) would take requests', 'auth@docker')]
    expect(await at.call('POST', `/api/domains/${at.id}/deploy`)).toMatchObject({
      status: 409,
      body: { guards },
    })
    expect(at.routes()).not.toContain('priority: 1100')
  })

  itInDepth('does not ask when it rises, about a router that was below it all the time', async () => {
    await using at = await released(LOCKED, {})
    await at.change({ service_type: 'spa' })
    expect(await at.call('POST', `/api/domains/${at.id}/deploy`)).toMatchObject({
      status: 200,
      body: { warnings: [] },
    })
    expect(at.routes()).toContain('priority: 1100')
  })

  itInDepth.each<[string, object, object, object, string]>([
    [
      'its list of private networks',
      LAN,
      { service_type: 'internal' },
      { service_type: 'http' },
      'lan@docker',
    ],
    [
      'its middleware ip-allow-list-private',
      LAN,
      { middleware_config: { extra_middlewares: ['ip-allow-list-private', 'compress'] } },
      { middleware_config: { extra_middlewares: [] } },
      'lan@docker',
    ],
    [
      'its redirect to https',
      labels({ middlewares: ['auth'], entryPoints: ['web'], tls: undefined }, PASSWORD),
      { ssl_enabled: true },
      { ssl_enabled: false },
      'auth@docker',
    ],
  ])('asks when %s goes', async (what, configuration, before, after, lock) => {
    await using at = await released(configuration, before)
    expect(await at.change(after)).toMatchObject({ status: 200 })
    expect(await at.call('POST', `/api/domains/${at.id}/deploy`)).toMatchObject({
      status: 409,
      body: { guards: [loses(what, lock)] },
    })
  })

  itInDepth('loses what is no lock, and what covers nothing, unasked', async () => {
    await using at = await released(LAN, {
      middleware_config: { extra_middlewares: ['compress', 'rate-limit'] },
    })
    await at.change({ middleware_config: { extra_middlewares: [] }, cors_enabled: true })
    const path = `/api/domains/${at.id}/deploy`
    expect(await at.call('POST', path)).toMatchObject({ status: 200, body: { warnings: [] } })
    at.traefik.provide('docker', labels({}))
    await at.lookAnew()
    await at.change({ auth_required: true })
    expect(await at.call('POST', path)).toMatchObject({ status: 200 })
    await at.change({ auth_required: false })
    expect(await at.call('POST', path)).toMatchObject({ status: 200 })
  })
})

describeInDepth('an estate that says which routers its records stand for', () => {
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

describeInDepth('a proxy that cannot be seen', () => {
  const UNKNOWN = expect.stringMatching(/^Which routers of others .* is not known: /) as string
  const told = expect.arrayContaining([UNKNOWN]) as string[]

  it('is a warning where its API is set, in the plan and the answer of every call', async () => {
    const env = { PLUMBLINE_TRAEFIK_API: 'http://127.0.0.1:9' }
    await using at = await openTestHouse({ env, clock: hurriedClock() })
    const id = await create(at.call)
    const both = async (path: string, body?: object) => {
      const query = path.includes('?') ? '&' : '?'
      const options = body === undefined ? {} : { body }
      expect((await at.call('POST', `${path}${query}dry_run=true`, options)).body, path).toMatchObject({
        plan: { guards: [], applyable: true, warnings: told },
      })
      const answer = await at.call('POST', path, options)
      expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300)
      expect(answer.body, path).toMatchObject({ warnings: told })
    }
    const rename = (domain: string) => at.call('PUT', `/api/domains/${id}`, { body: { domain } })
    await both(`/api/domains/${id}/activate`)
    const [first] = (await at.call('GET', '/api/releases')).body as unknown as { number: number }[]
    const paths = [`/api/domains/${id}/deploy`, '/api/deploy-all', '/api/deploy-proxy']
    for (const [i, path] of paths.entries()) {
      await (path === '/api/deploy-proxy'
        ? at.call('PUT', `/api/domains/${id}`, { body: { service_type: 'spa' } })
        : rename(`n${i}.example.com`))
      await both(path)
    }
    await both(`/api/releases/${first!.number}/restore`)
    await both('/api/estate', { domains: [{ ...APP, domain: 'estate.example.com', status: 'active' }] })
    await rename('kept.example.com')
    const kept = (await at.call('POST', '/api/plans', { body: {} })).body as unknown as Planned
    expect(kept.plan.warnings).toEqual(told)
    expect((await at.call('POST', `/api/plans/${kept.id}/apply`)).body).toMatchObject({ warnings: told })
  })
})
