/** Loaded is not served: another router is asked before ours, or another file has the name. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { openProxyHouse, type ProxyHouse } from './proxy-house.ts'
import { createActive } from './test-house.ts'
import { describeInDepth, itInDepth, itOneIn } from '../kit/in-depth.ts'

const SITE = 'http.routers.plumbline-site_app.example.com'

const router = (rule: string, more: object = {}) => ({
  http: {
    routers: { theirs: { rule, service: 'theirs', entryPoints: ['websecure'], tls: {}, ...more } },
    services: { theirs: { loadBalancer: { servers: [{ url: 'http://10.9.9.9:80' }] } } },
  },
})

const tcpRouter = (rule: string) => ({
  tcp: {
    routers: {
      theirs: { rule, service: 'theirs', entryPoints: ['websecure'], tls: { passthrough: true } },
    },
    services: { theirs: { loadBalancer: { servers: [{ address: '10.9.9.9:443' }] } } },
  },
})

interface Difference {
  readonly item: string
  readonly cause: string
  readonly domains: readonly string[]
  readonly detail: string
}
interface Told {
  readonly drift: readonly Difference[]
  readonly health: { readonly ok: boolean; readonly drift: boolean | null; readonly cause: string | null }
  readonly served: {
    readonly agrees: boolean | null
    readonly cause: string | null
    readonly beside: object[]
  }
  readonly summary: string
  readonly effective: {
    readonly sync_status: string
    readonly sync_reason: string | null
    readonly rivals: readonly object[]
  }
}

/** What the four places say, each asked anew. */
async function told(at: ProxyHouse): Promise<Told> {
  const { call } = at
  const all = (await call('GET', '/api/drift')).body as unknown as {
    readonly components: readonly {
      readonly component: string
      readonly differences: readonly Difference[]
    }[]
  }
  await at.lookAnew()
  const page = (await call('GET', '/api/control-plane/health')).body as unknown as {
    readonly components: readonly (Told['health'] & { readonly name: string })[]
  }
  const explained = (await call('GET', '/api/domains/1/explain')).body as unknown as {
    readonly served: Told['served']
    readonly summary: string
  }
  return {
    drift: all.components.find(({ component }) => component === 'proxy')!.differences,
    health: page.components.find(({ name }) => name === 'proxy')!,
    served: explained.served,
    summary: explained.summary,
    effective: (await call('GET', '/api/domains/1/effective-config')).body as unknown as Told['effective'],
  }
}

/** Beside a proxy that reads the folder of the routes file. */
async function besideFolder() {
  const at = await openProxyHouse()
  const folder = dirname(at.house.routes_path)
  at.traefik.follow(folder)
  return { at, folder }
}

/** As soon as the proxy runs what it was given. */
const soon = (check: () => Promise<Told>): Promise<Told> =>
  vi.waitFor(check, { timeout: 30_000, interval: 100 })

const expectShadowed = (at: ProxyHouse, detail: RegExp): Promise<Told> =>
  soon(async () => {
    const seen = await told(at)
    assertShadowed(seen, detail)
    return seen
  })

const expectServed = (at: ProxyHouse): Promise<Told> =>
  soon(async () => {
    const seen = await told(at)
    assertServed(seen)
    return seen
  })

function assertShadowed(seen: Told, detail: RegExp): void {
  expect(seen.drift).toContainEqual(
    expect.objectContaining({ cause: 'shadowed', detail: expect.stringMatching(detail) as string }),
  )
  expect(seen.health).toMatchObject({ ok: false, drift: true, cause: 'shadowed' })
  expect(seen.served).toMatchObject({ agrees: false, cause: 'shadowed' })
  expect(seen.summary).toMatch(detail)
  expect(seen.effective).toMatchObject({
    sync_status: 'shadowed',
    sync_reason: expect.stringMatching(detail) as string,
  })
  expect(JSON.stringify(seen)).not.toContain('A deploy applies')
}

function assertServed(seen: Told): void {
  expect(seen.drift).toEqual([])
  expect(seen.health).toMatchObject({ ok: true, drift: false, cause: null })
  expect(seen.served).toMatchObject({ agrees: true, cause: null })
  expect(seen.summary).toMatch(/^app[.]example[.]com is what was released,/)
  expect(seen.summary).not.toContain('does not serve')
  expect(seen.effective).toMatchObject({ sync_status: 'in_sync', sync_reason: null })
}

describeInDepth('a router of somebody else’s', () => {
  it('that takes every request is drift everywhere, with who it is, and over when it goes', async () => {
    await using at = await openProxyHouse()
    await createActive(at.call)
    await expectServed(at)
    at.traefik.provide('docker', router('Host(`app.example.com`)', { priority: 5000 }))
    const seen = await expectShadowed(
      at,
      /theirs@docker \(Host\(`app\.example\.com`\), priority 5000\) takes every request before plumbline-site_app\.example\.com@file \(priority 1000\)/,
    )
    expect(seen.effective.rivals).toEqual([
      expect.objectContaining({
        item: SITE,
        stance: 'takes_all',
        provider: 'docker',
        router: 'theirs@docker',
        rule: 'Host(`app.example.com`)',
        priority: 5000,
        file: null,
      }),
    ])
    expect((await at.call('GET', '/api/deploy/status')).body).toMatchObject({
      loaded: true,
      drift: true,
      cause: 'shadowed',
    })
    expect((await at.call('GET', '/api/metrics/summary')).body).toMatch(
      /^ {2}shadowed On websecure, theirs@docker/m,
    )
    // A deploy does not change it, and everybody says so.
    await at.call('POST', '/api/domains/1/deploy')
    await expectShadowed(at, /a deploy does not change it/)
    at.traefik.provide('docker', null)
    await expectServed(at)
  })

  it.each<[string, object]>([
    ['of a lower priority', router('Host(`app.example.com`)', { priority: 999 })],
    ['whose rule alone makes it less important', router('Host(`app.example.com`)')],
    ['on another entrypoint', router('Host(`app.example.com`)', { priority: 5000, entryPoints: ['smtp'] })],
    ['without TLS', router('Host(`app.example.com`)', { priority: 5000, tls: undefined })],
    ['of another host', router('Host(`b.example.com`)', { priority: 5000 })],
    ['that is not mounted', router('Host(`app.example.com`)', { priority: 5000, service: 'nothing' })],
  ])('%s is nothing', async (_, configuration) => {
    await using at = await openProxyHouse()
    await createActive(at.call)
    at.traefik.provide('docker', JSON.parse(JSON.stringify(configuration)) as object)
    const seen = await expectServed(at)
    expect(seen.effective.rivals).toEqual([])
  })

  it.each<[string, string, string]>([
    ['takes a part', 'Host(`app.example.com`) && PathPrefix(`/api`)', 'takes_some'],
    ['cannot be judged', 'HostRegexp(`^(app|www)+[.]example[.]com$`)', 'not_judged'],
  ])('that %s is listed, and neither drift nor unknown', async (_, rule, stance) => {
    await using at = await openProxyHouse()
    await createActive(at.call)
    at.traefik.provide('docker', router(rule, { priority: 5000 }))
    const seen = await expectServed(at)
    expect(seen.effective.rivals).toEqual([
      expect.objectContaining({ stance, router: 'theirs@docker', rule, priority: 5000 }),
    ])
    expect(seen.served.beside).toEqual(seen.effective.rivals)
  })

  it('with the same priority may answer: that is drift, too', async () => {
    await using at = await openProxyHouse()
    await createActive(at.call)
    at.traefik.provide('docker', router('HostRegexp(`^[a-z]+[.]example[.]com$`)', { priority: 1000 }))
    await expectShadowed(at, /which of them answers is not certain/)
  })

  it('in another file of the folder is named with its file', async () => {
    const { at, folder } = await besideFolder()
    await using _ = at
    await createActive(at.call)
    await expectServed(at)
    mkdirSync(join(folder, 'more'))
    writeFileSync(
      join(folder, 'more', 'old.yml'),
      JSON.stringify(router('PathPrefix(`/`)', { priority: 2000 })),
    )
    const seen = await expectShadowed(at, /theirs@file .*It is in more\/old\.yml\./)
    expect(seen.effective.rivals[0]).toMatchObject({ file: 'more/old.yml' })
    rmSync(join(folder, 'more', 'old.yml'))
    // Folders below are read and not watched.
    at.traefik.restart(new Date())
    await expectServed(at)
  })

  it('over TCP takes nothing of an HTTPS route that names its host', async () => {
    await using at = await openProxyHouse()
    await createActive(at.call)
    at.traefik.provide('docker', tcpRouter('HostSNI(`app.example.com`)'))
    const seen = await expectServed(at)
    expect(seen.effective.rivals).toEqual([])
  })

  it('over TCP takes names of a star that is written as a pattern', async () => {
    await using at = await openProxyHouse({ env: { PLUMBLINE_TRAEFIK_VERSION: '3.6.9' } })
    await createActive(at.call, { domain: '*.example.com' })
    at.traefik.provide('docker', tcpRouter('HostSNIRegexp(`^.+[.]example[.]com$`)'))
    const { drift } = await told(at)
    expect(drift).toContainEqual(
      expect.objectContaining({
        cause: 'shadowed',
        detail: expect.stringMatching(
          /theirs@docker \(HostSNIRegexp.* or give it another entrypoint/,
        ) as string,
      }),
    )
  })

  it('over HTTPS takes every connection of a TCP route of its name, whatever path it asks for', async () => {
    await using at = await openProxyHouse()
    const tcp = { service_type: 'tcp-proxy', protocol: 'tcp', tcp_entrypoint: 'websecure' }
    await createActive(at.call, tcp)
    await expectServed(at)
    const rule = 'Host(`app.example.com`) && PathPrefix(`/metrics`)'
    at.traefik.provide('docker', router(rule, { priority: 1 }))
    await expectShadowed(at, /theirs@docker \(Host.* before plumbline-tcp_app\.example\.com@file/)
    at.traefik.provide('docker', router('PathPrefix(`/metrics`)', { priority: 5000 }))
    await expectServed(at)
  })

  it('the redirect of the proxy itself and one like ours are none', async () => {
    await using at = await openProxyHouse({
      env: { PLUMBLINE_ENTRYPOINTS: 'web=80,websecure=443' },
      traefik: {
        entrypoints: [
          { name: 'web', address: ':80', redirections: { to: 'websecure', scheme: 'https' } },
          { name: 'websecure', address: ':443' },
        ],
      },
    })
    await createActive(at.call)
    await expectServed(at)
    at.traefik.provide('docker', {
      http: {
        routers: {
          all: {
            rule: 'HostRegexp(`.+`)',
            service: 'noop@internal',
            entryPoints: ['web'],
            middlewares: ['https'],
            priority: 5000,
          },
        },
        middlewares: { https: { redirectScheme: { scheme: 'https' } } },
      },
    })
    const seen = await expectServed(at)
    expect(seen.effective.rivals).toEqual([expect.objectContaining({ stance: 'redirects_too' })])
  })
})

itInDepth.each([
  ['to http, round and round', { scheme: 'http' }],
  ['to a port where nobody serves', { scheme: 'https', port: '9443' }],
])('a router of another for plain http that redirects %s is drift', async (_, redirectScheme) => {
  await using at = await openProxyHouse({})
  await createActive(at.call)
  at.traefik.provide('docker', {
    http: {
      routers: {
        theirs: {
          rule: 'Host(`app.example.com`)',
          service: 'noop@internal',
          entryPoints: ['web'],
          middlewares: ['away'],
          priority: 5000,
        },
      },
      middlewares: { away: { redirectScheme } },
    },
  })
  await expectShadowed(at, /theirs@docker/)
})

describe('a file of the folder that defines a name of ours first', () => {
  const NAMES = {
    service: {
      http: {
        services: {
          'plumbline-site_app.example.com': { loadBalancer: { servers: [{ url: 'http://10.9.9.9:80' }] } },
        },
      },
    },
    router: {
      http: {
        routers: {
          'plumbline-site_app.example.com': {
            rule: 'Host(`app.example.com`)',
            service: 'plumbline-site_app.example.com',
            entryPoints: ['websecure'],
            tls: {},
          },
        },
      },
    },
    'security header': {
      http: { middlewares: { 'plumbline-security-headers': { headers: { frameDeny: true } } } },
    },
    'sign-in': {
      http: {
        middlewares: { 'plumbline-sso': { forwardAuth: { address: 'http://10.9.9.9/yes' } } },
      },
    },
    'emptied header': {
      http: {
        middlewares: { 'plumbline-no-identity': { headers: { customRequestHeaders: { 'X-A': '' } } } },
      },
    },
  }
  itOneIn(5).each(Object.entries(NAMES))('its %s: drift with the file', async (_, configuration) => {
    const { at, folder } = await besideFolder()
    await using __ = at
    await createActive(at.call)
    const file = join(folder, 'a.yml')
    writeFileSync(file, JSON.stringify(configuration))
    await expectShadowed(at, /defines the name first: .* It is in a\.yml\./)
    await at.call('POST', '/api/domains/1/deploy')
    await expectShadowed(at, /It is in a\.yml\./)
    rmSync(file)
    await expectServed(at)
  })

  itInDepth('a later file has the name in vain', async () => {
    const { at, folder } = await besideFolder()
    await using _ = at
    await createActive(at.call)
    writeFileSync(join(folder, 'z.yml'), JSON.stringify(NAMES.service))
    await expectServed(at)
  })
})

itInDepth('of many beside a star the one that takes all is first', async () => {
  await using at = await openProxyHouse()
  await createActive(at.call, { domain: '*.example.com' })
  const many = Array.from({ length: 300 }, (_, i) => [`r${i}`, `Host(\`r${i}.example.com\`)`] as const)
  const door = { service: 'theirs', entryPoints: ['websecure'], tls: {} }
  const routers = Object.fromEntries(many.map(([name, rule]) => [name, { ...door, rule, priority: 5000 }]))
  const all = { ...door, rule: 'Host(`*.example.com`)', priority: 4000 }
  const { services } = router('').http
  at.traefik.provide('docker', { http: { routers: { ...routers, all }, services } })
  const { rivals } = (await told(at)).effective
  expect(rivals[0]).toMatchObject({ stance: 'takes_all', router: 'all@docker' })
  expect(rivals[1]).toMatchObject({ stance: 'takes_some' })
  expect(rivals).toHaveLength(200)
})

itInDepth('an entrypoint that gives its routers TLS gives it on itself alone', async () => {
  await using at = await openProxyHouse({
    env: { PLUMBLINE_ENTRYPOINTS: 'web=80,websecure=443' },
    traefik: {
      entrypoints: [
        { name: 'web', address: ':80' },
        { name: 'websecure', address: ':443', tls: {} },
      ],
    },
  })
  await createActive(at.call, { ssl_enabled: false })
  at.traefik.provide('docker', {
    http: {
      routers: { theirs: { rule: 'Host(`app.example.com`)', service: 'theirs', priority: 5000 } },
      services: { theirs: { loadBalancer: { servers: [{ url: 'http://10.9.9.9:80' }] } } },
    },
  })
  await expectShadowed(at, /On web, theirs@docker/)
})

itInDepth('a file that was edited by hand is no rendering that a deploy applies', async () => {
  await using at = await openProxyHouse({ env: { PLUMBLINE_MODE: 'observe' } })
  await createActive(at.call)
  const text = at.routes()
  const edited = text.replace(/ {4}"plumbline-redirect_app.*\n {6}entry(?:.*\n)(?: {5,}.*\n)*/, '')
  expect(edited).not.toBe(text)
  writeFileSync(at.house.routes_path, edited)
  await at.lookAnew()
  const { body } = await at.call('GET', '/api/domains/1/effective-config')
  expect(body).toMatchObject({ sync_status: 'not_loaded', runtime: { file_loaded: true } })
  expect(body['sync_reason']).toContain('explain')
})

itInDepth('what strangers wrote drives no terminal', async () => {
  await using at = await openProxyHouse()
  await createActive(at.call)
  at.traefik.provide('docker', router('Host(`app.example.com`) /* \u001b[2J */', { priority: 5000 }))
  expect((await told(at)).summary).not.toContain('\u001b')
})

it('without an API nothing is told of it', async () => {
  await using at = await openProxyHouse({ env: { PLUMBLINE_TRAEFIK_API: '' } })
  await createActive(at.call)
  at.traefik.provide('docker', router('Host(`app.example.com`)', { priority: 5000 }))
  expect((await at.call('GET', '/api/domains/1/explain')).body).toMatchObject({ served: null })
  expect((await at.call('GET', '/api/deploy/status')).body).toMatchObject({
    drift: null,
    proxy: { configured: false, shadowed: [] },
  })
})
