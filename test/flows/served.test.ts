/** Loaded is not served: a proxy that takes the whole file and puts a router of it in error. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { edited, silent, status } from '../fakes/dns/faults.ts'
import { ENTRYPOINTS, type EntrypointPlan } from '../fakes/traefik/static.ts'
import { hurriedClock, openProxyHouse, type ProxyHouse } from './proxy-house.ts'
import { create, createActive } from './test-house.ts'
import { describeInDepth, itInDepth, itOneIn } from '../kit/in-depth.ts'
import { newFolder } from '../kit/new-folder.ts'

let directory: string
beforeEach(() => (directory = newFolder('served')))

/** Middlewares that Traefik loads without a word, and cannot build. */
const BROKEN = {
  users: {
    config: { basicAuth: { usersFile: '/nowhere/users' } },
    says: 'open /nowhere/users: no such file or directory',
  },
  nowhere: {
    config: { chain: { middlewares: ['missing'] } },
    says: 'middleware "missing@file" does not exist',
  },
  network: {
    config: { ipAllowList: { sourceRange: ['10.0.0.0/99'] } },
    says: 'invalid CIDR address: 10.0.0.0/99',
  },
  expression: {
    config: { redirectRegex: { regex: '(', replacement: 'x' } },
    says: 'error parsing regexp: missing closing ): `(`',
  },
  plugin: { config: { plugin: { geo: { a: 1 } } }, says: 'plugin: unknown plugin type: geo' },
  elsewhere: {
    config: { chain: { middlewares: ['gone@docker'] } },
    says: 'middleware "gone@docker" does not exist',
  },
} as const

const open = (more: Parameters<typeof openProxyHouse>[0] = {}): Promise<ProxyHouse> => {
  const file = join(directory, 'middlewares.yml')
  const entries = Object.entries(BROKEN).map(([name, { config }]) => [name, { config }])
  writeFileSync(file, JSON.stringify(Object.fromEntries(entries)))
  return openProxyHouse({ ...more, env: { PLUMBLINE_MIDDLEWARES_FILE: file, ...more.env } })
}

const using = (name: string) => ({ middleware_config: { extra_middlewares: [name] } })
const recordOf = async (at: ProxyHouse, id: number) => (await at.call('GET', `/api/domains/${id}`)).body
const partOf = async (at: ProxyHouse, name: string) => {
  const { body } = await at.call('GET', '/api/control-plane/health?probe=true')
  return (body['components'] as unknown as readonly Record<string, unknown>[]).find(
    (one) => one['name'] === name,
  )!
}
const proxyDriftOf = async (at: ProxyHouse) => {
  const { body } = await at.call('GET', '/api/drift')
  const parts = body['components'] as unknown as readonly Record<string, unknown>[]
  return { drift: body['drift'], part: parts.find(({ component }) => component === 'proxy')! }
}

interface Released {
  readonly results: Readonly<Record<string, string>>
}

describe('a router in error is no success', () => {
  itOneIn(6).each(Object.entries(BROKEN))(
    '%s: 502 in the words of the proxy, and the record says so',
    async (name, { says }) => {
      await using at = await open()
      const good = await createActive(at.call, { domain: 'good.example.com' })
      const id = await create(at.call, { domain: 'bad.example.com', ...using(name) })
      const answer = await at.call('POST', `/api/domains/${id}/activate`)
      expect(answer).toMatchObject({
        status: 502,
        body: {
          code: 'provider_refused',
          loaded: true,
          release: 3,
          rejected: [
            { domain_id: id, domain: 'bad.example.com', item: 'plumbline-site_bad.example.com@file' },
          ],
        },
      })
      expect(answer.body['detail']).toContain(says)
      const record = await recordOf(at, id)
      expect(record).toMatchObject({ status: 'error' })
      expect(record['status_reason']).toContain(says)
      expect(await recordOf(at, good)).toMatchObject({ status: 'active' })
      // Active ones alone are probed.
      expect((await at.call('GET', '/api/metrics-targets')).body).toMatchObject([
        { labels: { domain: 'good.example.com' } },
      ])
      // The file stays: what others have deployed since is in it.
      expect(at.routes()).toContain('bad.example.com')

      await expect
        .poll(() => partOf(at, 'proxy'))
        .toMatchObject({
          ok: false,
          drift: true,
          cause: 'rejected',
          differences: [{ cause: 'rejected', domains: ['bad.example.com'] }],
        })
      const { drift, part } = await proxyDriftOf(at)
      expect(drift).toBe(true)
      expect(part).toMatchObject({
        drift: true,
        differences: [{ cause: 'rejected', domains: ['bad.example.com'] }],
      })
      expect(JSON.stringify(part)).toContain(JSON.stringify(says).slice(1, -1))
      expect((await at.call('GET', '/api/deploy/status')).body).toMatchObject({
        loaded: true,
        drift: true,
        cause: 'rejected',
        proxy: { rejected: [{ domain: 'bad.example.com' }] },
      })
      expect((await at.call('GET', `/api/domains/${id}/effective-config`)).body).toMatchObject({
        sync_status: 'rejected',
      })
    },
  )

  itInDepth(
    'a deploy of a record that was served before is 502, too, and what others edit is not hindered by it',
    async () => {
      await using at = await open()
      const id = await createActive(at.call)
      const other = await createActive(at.call, { domain: 'other.example.com' })
      await at.call('PUT', `/api/domains/${id}`, { body: using('network') })
      expect(await at.call('POST', `/api/domains/${id}/deploy`)).toMatchObject({
        status: 502,
        body: { loaded: true },
      })
      expect(await recordOf(at, id)).toMatchObject({ status: 'error' })
      const beside = await at.call('POST', `/api/domains/${other}/deploy`)
      expect(beside).toMatchObject({ status: 200, body: { success: true, rejected: [] } })
      expect(String(beside.body['warnings'])).not.toContain('The proxy does not serve')
      expect(await recordOf(at, id)).toMatchObject({ status: 'error' })
    },
  )

  itInDepth('deploy-all lists it, and the others stand', async () => {
    await using at = await open()
    const [good, bad] = [
      await createActive(at.call, { domain: 'good.example.com' }),
      await createActive(at.call, { domain: 'bad.example.com' }),
    ]
    await at.call('PUT', `/api/domains/${good}`, { body: { backend_port: 81 } })
    await at.call('PUT', `/api/domains/${bad}`, { body: using('plugin') })
    const answer = await at.call('POST', '/api/deploy-all')
    expect(answer).toMatchObject({
      status: 200,
      body: {
        success: false,
        loaded: true,
        rejected: [{ domain_id: bad, domain: 'bad.example.com' }],
        refused: [{ domain_id: bad, code: 'provider_refused' }],
      },
    })
    expect(answer.body['message']).toContain('bad.example.com was refused')
    expect(String(answer.body['warnings'])).toContain('unknown plugin type: geo')
    expect(await recordOf(at, good)).toMatchObject({ status: 'active' })
    expect(await recordOf(at, bad)).toMatchObject({ status: 'error' })
    expect((await at.call('GET', '/api/deploy/status')).body).toMatchObject({
      success: false,
      loaded_then: true,
    })
    expect((await at.call('GET', `/api/domains/${good}/effective-config`)).body).toMatchObject({
      sync_status: 'in_sync',
    })
  })

  itInDepth('a record recovers with the deploy that mends it, and not before', async () => {
    await using at = await open()
    const id = await create(at.call, using('network'))
    await at.call('POST', `/api/domains/${id}/activate`)
    await at.call('POST', '/api/reconcile')
    expect(await recordOf(at, id)).toMatchObject({ status: 'error' })
    await at.call('PUT', `/api/domains/${id}`, { body: { middleware_config: {} } })
    expect(await at.call('POST', `/api/domains/${id}/deploy`)).toMatchObject({
      status: 200,
      body: { rejected: [] },
    })
    expect(await recordOf(at, id)).toMatchObject({ status: 'active', status_reason: null })
  })

  itInDepth('a record stays in error while nobody can look', async () => {
    await using at = await open()
    const id = await create(at.call, using('elsewhere'))
    await at.call('POST', `/api/domains/${id}/activate`)
    at.traefik.misbehave(silent, { times: Infinity })
    await at.lookAnew()
    await at.call('POST', '/api/reconcile')
    expect(await recordOf(at, id)).toMatchObject({ status: 'error' })
  })

  itInDepth('a middleware of another provider that comes back lets it recover by itself', async () => {
    await using at = await open()
    const id = await create(at.call, using('elsewhere'))
    await at.call('POST', `/api/domains/${id}/activate`)
    at.traefik.provide('docker', { http: { middlewares: { gone: { compress: {} } } } })
    const status = async () => {
      await at.lookAnew()
      return (await recordOf(at, id))['status']
    }
    await expect.poll(status).toBe('active')
  })

  itInDepth(
    'a release that nobody waited for is looked at, too: a proxy that was silent, or a daemon that died',
    async () => {
      const LONG = (ms: number): boolean => ms > 10_000 && ms <= 30_000
      await using at = await open({ clock: hurriedClock(LONG) })
      const id = await create(at.call, using('network'))
      at.traefik.misbehave(silent, { times: Infinity })
      const answer = await at.call('POST', `/api/domains/${id}/activate`)
      expect(answer).toMatchObject({ status: 200, body: { loaded: null, rejected: null } })
      at.traefik.behave()
      await expect.poll(async () => (await recordOf(at, id))['status']).toBe('error')
      expect((await recordOf(at, id))['status_reason']).toContain('invalid CIDR address')
    },
  )

  itInDepth(
    'a release that was seen to be loaded while the proxy did not say what it serves is asked about again',
    async () => {
      const LONG = (ms: number): boolean => ms > 10_000 && ms <= 30_000
      await using at = await open({ clock: hurriedClock(LONG) })
      const id = await create(at.call, using('network'))
      at.traefik.misbehave(silent, { times: Infinity })
      await at.call('POST', `/api/domains/${id}/activate`)
      at.traefik.behave()
      at.traefik.misbehave(status(500), { times: Infinity, when: ({ path }) => path === '/api/overview' })
      const newest = async () => ((await at.call('GET', '/api/releases')).body as unknown as Released[])[0]
      await expect.poll(async () => (await newest())?.results['proxy']).toBe('loaded')
      at.traefik.behave()
      await expect.poll(async () => (await recordOf(at, id))['status']).toBe('error')
    },
  )

  itInDepth('a tcp router counts as well', async () => {
    await using at = await open({
      traefik: { entrypoints: ENTRYPOINTS.filter(({ name }) => name !== 'ssh') },
    })
    const id = await create(at.call, {
      domain: 'git.example.com',
      service_type: 'tcp-proxy',
      tcp_entrypoint: 'ssh',
    })
    const answer = await at.call('POST', `/api/domains/${id}/activate`)
    expect(answer).toMatchObject({ status: 502, body: { rejected: [{ domain: 'git.example.com' }] } })
    expect(answer.body['detail']).toContain(`entryPoint "ssh" doesn't exist`)
  })

  it('where the proxy does not say, that is told, and nothing is in error for it', async () => {
    await using at = await open()
    const id = await create(at.call)
    at.traefik.misbehave(
      edited(() => ({ http: {} })),
      { times: Infinity, when: ({ path, query }) => path === '/api/overview' && query.size === 0 },
    )
    at.traefik.misbehave(status(500), { times: Infinity, when: ({ path }) => path === '/api/http/routers' })
    const answer = await at.call('POST', `/api/domains/${id}/activate`)
    expect(answer).toMatchObject({ status: 200, body: { success: true, loaded: true, rejected: null } })
    expect(String(answer.body['warnings'])).toContain('Whether the proxy serves it is not known')
    expect(await recordOf(at, id)).toMatchObject({ status: 'active' })
  })

  itInDepth('a router of a stranger in error is none of ours', async () => {
    await using at = await open()
    at.traefik.provide('docker', {
      http: { routers: { 'plumbline-site_app.example.com': { rule: 'Host(`x.example`)', service: 'none' } } },
    })
    const id = await create(at.call)
    expect(await at.call('POST', `/api/domains/${id}/activate`)).toMatchObject({
      status: 200,
      body: { rejected: [] },
    })
    await expect.poll(() => partOf(at, 'proxy')).toMatchObject({ ok: true })
  })

  it('without an API nothing is known of it, and nothing is asked', async () => {
    await using at = await open({ env: { PLUMBLINE_TRAEFIK_API: '' } })
    const id = await create(at.call, using('network'))
    expect(await at.call('POST', `/api/domains/${id}/activate`)).toMatchObject({
      status: 200,
      body: { success: true, loaded: null, rejected: null, warnings: [] },
    })
    expect(at.traefik.asked).toEqual([])
  })
})

describeInDepth('entry points that the proxy lacks', () => {
  const RENAMED: readonly EntrypointPlan[] = [
    { name: 'http', address: ':80' },
    { name: 'https', address: ':443' },
  ]
  const WORDS = 'The proxy has no entry point web, websecure, ssh, smtp'

  it('are told by start, health, status and plan before the first deploy', async () => {
    await using at = await open({ traefik: { entrypoints: RENAMED } })
    await expect.poll(() => partOf(at, 'proxy')).toMatchObject({ ok: false, cause: 'entrypoints_missing' })
    expect((await partOf(at, 'proxy'))['message']).toContain(WORDS)
    const id = await create(at.call)
    const plan = await at.call('POST', `/api/domains/${id}/activate?dry_run=true`)
    expect(JSON.stringify(plan.body)).toContain(WORDS)
    const stored = await at.call('POST', '/api/plans', { body: {} })
    expect(JSON.stringify(stored.body)).toContain(WORDS)
    expect((await at.call('GET', '/api/deploy/status')).body).toMatchObject({
      proxy: { missing_entrypoints: ['web', 'websecure', 'ssh', 'smtp'] },
    })
    const deployed = await at.call('POST', `/api/domains/${id}/activate`)
    expect(deployed.status).toBe(502)
    expect(deployed.body['detail']).toContain(`entryPoint "websecure" doesn't exist`)
    const { body } = await at.call('GET', '/api/events', { headers: { accept: 'application/json' } })
    const told = (body as unknown as readonly { kind: string; message: string }[]).filter(
      ({ kind }) => kind === 'entrypoints_missing',
    )
    expect(told).toMatchObject([{ message: expect.stringContaining(WORDS) as unknown }])
  })

  it('are nobody’s concern where none is missing', async () => {
    await using at = await open()
    const id = await create(at.call)
    const plan = await at.call('POST', `/api/domains/${id}/activate?dry_run=true`)
    expect(JSON.stringify(plan.body)).not.toContain('entry point')
    expect((await at.call('GET', '/api/deploy/status')).body).toMatchObject({
      proxy: { missing_entrypoints: [] },
    })
  })
})
