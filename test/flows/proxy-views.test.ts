/** The catalogue, the service map, discovery targets and the summary, beside a proxy that follows the routes file. */
import { describe, expect, it } from 'vitest'
import { openProxyHouse } from './proxy-house.ts'
import { create, createActive, openTestHouse } from './test-house.ts'
import { describeInDepth, itInDepth, itOneIn } from '../kit/in-depth.ts'

type Listed = { name: string; status: string; used_by: string[] }

describe('GET /api/middlewares', () => {
  itInDepth('says what is loaded, what nobody uses, and what is broken', async () => {
    await using at = await openProxyHouse()
    await createActive(at.call, { middleware_config: { extra_middlewares: ['no-store', 'no-index'] } })
    at.traefik.running.http.middlewares.find(({ name }) => name === 'plumbline-extra-no-index@file')!.error =
      ['bad value']
    await at.lookAnew()
    const { body } = await at.call('GET', '/api/middlewares')
    const listed = new Map((body as unknown as Listed[]).map((one) => [one.name, one]))
    expect(listed.get('no-store')).toMatchObject({ status: 'loaded', used_by: ['app.example.com'] })
    expect(listed.get('no-index')).toMatchObject({ status: 'error', errors: ['bad value'] })
    expect(listed.get('compress')).toMatchObject({ status: 'not_loaded', used_by: [] })
  })

  it('every name is one that a record may use, and no configuration is shown', async () => {
    await using at = await openTestHouse({ opened: false })
    const { body } = await at.call('GET', '/api/middlewares')
    const listed = body as unknown as (Listed & { unfit_for: Record<string, string> })[]
    expect(listed.length).toBeGreaterThan(10)
    for (const { name, unfit_for } of listed) {
      expect(unfit_for).not.toHaveProperty('http')
      const domain = `${name}.example.com`
      await create(at.call, { domain, middleware_config: { extra_middlewares: [name] } })
    }
    expect(JSON.stringify(listed)).not.toContain('config')
  })
})

describe('GET /api/services', () => {
  it('lists the domains of each backend', async () => {
    await using at = await openTestHouse({ opened: false })
    await create(at.call, { domain: 'b.example.com' })
    await create(at.call, { domain: 'a.example.com' })
    await create(at.call, { domain: 'six.example.com', backend_host: 'fd00::1', backend_port: 80 })
    const gone = await createActive(at.call, { domain: 'gone.example.com' })
    await at.call('POST', `/api/domains/${gone}/disable`)
    await create(at.call, {
      domain: 'm.example.com',
      service_type: 'manual',
      backend_host: null,
      backend_port: null,
    })
    expect((await at.call('GET', '/api/services', { key: null })).body).toEqual({
      '10.0.0.5:8080': ['a.example.com', 'b.example.com'],
      '[fd00::1]:80': ['six.example.com'],
    })
  })
})

describe('GET /api/metrics-targets', () => {
  it('lists what is deployed and can be asked over HTTP, and nothing else', async () => {
    await using at = await openTestHouse({ opened: false })
    await createActive(at.call, { domain: 'app.example.com', health_check_path: '/up', tags: ['x', 'y'] })
    await createActive(at.call, { domain: 'plain.example.com', ssl_enabled: false, auth_required: false })
    await createActive(at.call, { domain: '*.wild.example.com' })
    await createActive(at.call, {
      domain: 'git.example.com',
      service_type: 'tcp-proxy',
      tcp_entrypoint: 'ssh',
    })
    await create(at.call, { domain: 'saved.example.com' })
    const answer = await at.call('GET', '/api/metrics-targets', { key: null })
    expect(answer.headers.get('content-type')).toMatch(/^application\/json(?:; ?charset=utf-8)?$/i)
    expect(answer.body).toEqual([
      {
        targets: ['https://app.example.com/up'],
        labels: {
          domain: 'app.example.com',
          service_type: 'http',
          environment: 'production',
          auth_required: 'true',
          __meta_plumbline_domain_id: '1',
          __meta_plumbline_ssl_enabled: 'true',
          __meta_plumbline_internal: 'false',
          __meta_plumbline_tags: ',x,y,',
        },
      },
      {
        targets: ['http://plain.example.com/'],
        labels: expect.objectContaining({ domain: 'plain.example.com', auth_required: 'false' }) as unknown,
      },
    ])
  })

  it('is an empty list, not nothing, where nothing is deployed', async () => {
    await using at = await openTestHouse({ opened: false })
    expect((await at.call('GET', '/api/metrics-targets')).body).toEqual([])
  })
})

describeInDepth('GET /api/metrics/summary', () => {
  it('is a few lines for a person', async () => {
    await using at = await openProxyHouse()
    await createActive(at.call)
    await create(at.call, { domain: 'saved.example.com' })
    const { headers, body } = await at.call('GET', '/api/metrics/summary')
    expect(headers.get('content-type')).toBe('text/plain; charset=utf-8')
    expect(body).toMatch(/^Domains {4}2: 1 active, 1 inactive$/m)
    expect(body).toMatch(/^Component {2}routes: right \(in_sync\), last pass \w+ in \d+ ms$/m)
    expect(body).toMatch(/^Proxy {6}Traefik 3\.7\.9, 2 routers, 0 in error; runs the newest release$/m)
  })
})

describe('GET …/effective-config', () => {
  itInDepth('shows the final headers of answers, those of the catalogue over the built-in ones', async () => {
    await using at = await openProxyHouse()
    const id = await createActive(at.call, {
      middleware_config: { extra_middlewares: ['hsts-preload', 'no-index'] },
    })
    const { generated } = (await at.call('GET', `/api/domains/${id}/effective-config`)).body as unknown as {
      readonly generated: { readonly response_headers: readonly object[] }
    }
    expect(generated.response_headers).toContainEqual({
      router: 'plumbline-site_app.example.com',
      headers: expect.arrayContaining([
        { name: 'Content-Security-Policy', value: "frame-ancestors 'self'" },
        { name: 'Strict-Transport-Security', value: 'max-age=63072000; includeSubDomains; preload' },
        { name: 'X-Robots-Tag', value: 'noindex, nofollow, noarchive' },
      ]) as unknown,
    })
  })

  const kinds = [
    { service_type: 'http' },
    { service_type: 'spa', default_path: '/app', cors_enabled: true, cors_origin: 'https://x.example' },
    { service_type: 'api', health_check_path: '/up' },
    { service_type: 'websocket' },
    { service_type: 'internal' },
    { service_type: 'static', ssl_enabled: false },
    { service_type: 'proxy', backend_host: 'other.example.net', backend_port: 443 },
    { service_type: 'tcp-proxy', tcp_entrypoint: 'ssh' },
    { service_type: 'http', backend_port: 80, middleware_config: { extra_middlewares: ['no-store'] } },
    { domain: '*.wild.example.com' },
  ]
  itOneIn(5).each(kinds)('what is deployed of %j is what a proxy runs', async (fields) => {
    await using at = await openProxyHouse()
    const id = await createActive(at.call, fields)
    const { body } = await at.call('GET', `/api/domains/${id}/effective-config`)
    expect(body['differences']).toEqual([])
    expect(body).toMatchObject({
      sync_status: 'in_sync',
      runtime: { file_loaded: true },
      released_revision: 2,
    })
  })

  itInDepth('an entrypoint with middlewares of its own is no difference', async () => {
    await using at = await openProxyHouse({
      traefik: {
        entrypoints: [
          { name: 'web', address: ':80' },
          { name: 'websecure', address: ':443', middlewares: ['limits@docker'] },
        ],
      },
    })
    at.traefik.provide('docker', { http: { middlewares: { limits: { inFlightReq: { amount: 64 } } } } })
    const id = await createActive(at.call)
    expect((await at.call('GET', `/api/domains/${id}/effective-config`)).body).toMatchObject({
      sync_status: 'in_sync',
    })
  })

  it('a router that the proxy finds fault with is rejected, with its words', async () => {
    await using at = await openProxyHouse()
    const id = await createActive(at.call)
    const router = at.traefik.running.http.routers.find(
      ({ name }) => name === 'plumbline-site_app.example.com@file',
    )!
    Object.assign(router, { status: 'disabled', error: ['entryPoint "websecure" does not exist'] })
    await at.lookAnew()
    expect((await at.call('GET', `/api/domains/${id}/effective-config`)).body).toMatchObject({
      sync_status: 'rejected',
      sync_reason: 'plumbline-site_app.example.com@file is disabled: entryPoint "websecure" does not exist',
    })
  })

  itInDepth(
    'what a drift check has found of the proxy is there at once, however young the look before was',
    async () => {
      await using at = await openProxyHouse()
      const id = await createActive(at.call)
      const state = async () =>
        (await at.call('GET', `/api/domains/${id}/effective-config`)).body['sync_status']
      expect(await state()).toBe('in_sync')
      const router = at.traefik.running.http.routers.find(
        ({ name }) => name === 'plumbline-site_app.example.com@file',
      )!
      Object.assign(router, { status: 'disabled', error: ['entryPoint "websecure" does not exist'] })
      expect((await at.call('GET', '/api/drift')).body['drift']).toBe(true)
      expect(await state()).toBe('rejected')
    },
  )

  it('a record that is off line has no route, and one that is managed elsewhere none of ours', async () => {
    await using at = await openProxyHouse()
    const off = await create(at.call)
    expect((await at.call('GET', `/api/domains/${off}/effective-config`)).body).toMatchObject({
      sync_status: 'not_routed',
      sync_reason: 'It is inactive, so it has no route.',
      generated: null,
      released_revision: null,
    })
    const manual = { domain: 'm.example.com', service_type: 'manual', backend_host: null, backend_port: null }
    const elsewhere = await createActive(at.call, manual)
    expect((await at.call('GET', `/api/domains/${elsewhere}/effective-config`)).body).toMatchObject({
      sync_status: 'not_routed',
      generated: null,
    })
  })

  itInDepth('a deployed file that other settings would write differently is what it is', async () => {
    await using at = await openProxyHouse()
    const id = await createActive(at.call)
    await at.house.close()
    await using next = await openTestHouse({
      directory: at.directory,
      env: { PLUMBLINE_TRAEFIK_API: at.traefik.origin, PLUMBLINE_CERT_RESOLVER: 'other' },
    })
    expect((await next.call('GET', `/api/domains/${id}/effective-config`)).body).toMatchObject({
      sync_status: 'rendered_otherwise',
      runtime: { file_loaded: true },
      differences: [
        { item: 'plumbline-site_app.example.com cert_resolver', expected: 'other', found: 'letsencrypt' },
      ],
    })
  })

  itInDepth("a proxy that shows last week's routes is told as one that has not loaded", async () => {
    await using at = await openProxyHouse()
    const id = await createActive(at.call)
    at.traefik.stopWatching()
    await at.call('PUT', `/api/domains/${id}`, { body: { backend_port: 81 } })
    await at.call('POST', `/api/domains/${id}/deploy`, { headers: { prefer: 'respond-async' } })
    await expect.poll(() => at.routes().includes('http://10.0.0.5:81"')).toBe(true)
    await expect
      .poll(async () => (await at.call('GET', `/api/domains/${id}/effective-config`)).body)
      .toMatchObject({
        sync_status: 'not_loaded',
        differences: [
          {
            item: 'plumbline-site_app.example.com servers',
            expected: 'http://10.0.0.5:81',
            found: 'http://10.0.0.5:8080',
          },
        ],
      })
  })
})
