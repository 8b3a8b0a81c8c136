/**
 * The attacker's view of protected domains: hosts, paths and names that are spelt otherwise. The routes file and the rules
 * file are evaluated by readers that are not ours, and what counts is who gets in.
 */
import { request as plain } from 'node:http'
import { request as secure } from 'node:https'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loadConfig } from '../../src/settings-wiring.ts'
import { routesSettings } from '../../src/wiring.ts'
import { openProven, type Proven } from './proven-house.ts'
import { openSsoHouse } from './sso-house.ts'
import type { ProvenProxy } from './proven-proxy.ts'
import { create, createActive } from './test-house.ts'
import { describeOneIn, itInDepth, itOneIn } from '../kit/in-depth.ts'
import { newFolder } from '../kit/new-folder.ts'

type Headers = Readonly<Record<string, string>>

/** The status that somebody gets; 200 is the backend's secret. */
const ask = (proxy: ProvenProxy, host: string, path = '/', headers: Headers = {}) =>
  statusOf(secure, proxy.address, { host, path, headers })
const askPlain = (proxy: ProvenProxy, host: string, path = '/') =>
  statusOf(plain, proxy.plain_address, { host, path, headers: {} })

function statusOf(
  send: typeof secure | typeof plain,
  address: string,
  { host, path, headers }: { host: string; path: string; headers: Headers },
): Promise<number> {
  const [name, port] = address.split(':')
  return new Promise((resolve, reject) => {
    const options = { host: name, port, path, rejectUnauthorized: false, agent: false as const }
    send({ ...options, headers: { ...headers, host } }, (answer) => {
      answer.resume()
      answer.on('end', () => resolve(answer.statusCode!))
    })
      .on('error', reject)
      .end()
  })
}

const APP = {
  domain: 'app.example.com',
  service_type: 'http',
  environment: 'production',
  backend_host: '10.0.0.5',
  backend_port: 80,
}
const BOB = { 'x-test-user': 'bob' }
const POLICIES = `
policies:
  - domain: wiki.example.com
    access: [{ groups: [staff], policy: two_factor }]
    bypass: [/public/, /healthz]
  - domain: xn--bcher-kva.example.com
    bypass: [/public/]
`
const IN = 200
/** Paths are taken as they are sent, as where an operator has turned off their cleaning: nobody may lean on that. */
const UNCLEANED = [
  { name: 'web', address: ':80', sanitizePath: false },
  { name: 'websecure', address: ':443', sanitizePath: false },
]

describe('a house with a star, a name below it with open paths, an IDN name, and names that look alike', () => {
  let proven: Proven
  beforeAll(async () => {
    proven = await openProven({ policies: POLICIES, plain: true, entrypoints: UNCLEANED })
    const { call } = proven.at
    for (const fields of [
      { domain: '*.example.com' },
      { domain: 'wiki.example.com' },
      { domain: 'Bücher.example.com' },
      { domain: 'open.example.com', auth_required: false },
      { domain: 'a-b.c.example.com' },
      { domain: 'a.b-c.example.com', auth_required: false },
      { domain: 'wildcard.example.com', auth_required: false },
      { domain: 'plain.example.com', ssl_enabled: false },
      { domain: 'spa.example.com', service_type: 'spa' },
    ])
      await createActive(call, fields)
  })
  afterAll(() => proven[Symbol.asyncDispose]())

  it('the doors that are meant to be open are, so that the rest proves something', async () => {
    const { proxy } = proven
    expect(await ask(proxy, 'open.example.com')).toBe(IN)
    expect(await ask(proxy, 'wiki.example.com', '/public/a.css')).toBe(IN)
    expect(await ask(proxy, 'wiki.example.com', '/healthz')).toBe(IN)
    expect(await ask(proxy, 'any.example.com', '/', BOB)).toBe(IN)
    expect(
      await ask(proxy, 'wiki.example.com', '/', { ...BOB, 'x-test-groups': 'staff', 'x-test-factors': '2' }),
    ).toBe(IN)
  })

  itOneIn(5).each([
    'any.example.com',
    'ANY.example.com',
    'any.EXAMPLE.com',
    'any.example.com.',
    'any.example.com:443',
    'ANY.example.com.:443',
    'a_b.example.com',
    '_.example.com',
    'a.b.example.com',
    'example.com',
    'wiki.example.com',
    'WIKI.EXAMPLE.COM',
    'wiki.example.com.',
    'wiki.example.com:8443',
    'WIKI.example.com.:1',
    'xn--bcher-kva.example.com',
    'XN--BCHER-KVA.example.com',
    'plumbline-any-host.example.com',
    'a-b.c.example.com',
    'A-B.c.example.com.',
    'spa.example.com',
    '*.example.com',
    'open.example.com.evil.example.com',
  ])('nobody gets in anonymously at %s, over either door', async (host) => {
    const { proxy } = proven
    for (const path of [
      '/',
      '/a.html',
      '/a-0123456789abcdef.js',
      '/assets/x.js',
      '/static/x.js',
      '/admin?x=/public/',
      '//public/',
      '/Public/',
    ])
      expect([path, await ask(proxy, host, path)]).not.toEqual([path, IN])
    expect(await askPlain(proxy, host)).not.toBe(IN)
  })

  itOneIn(5).each([
    '/public/../admin',
    '/public/%2e%2e/admin',
    '/public/%2E%2E%2fadmin',
    '/public/..%2fadmin',
    '/public/..;/admin',
    '/public/.;/admin',
    '/public//admin',
    '/public\\..\\admin',
    '/public/%5c..%5cadmin',
    '/public/%00/../admin',
    '/%70ublic/../admin',
    '/public%2f..%2fadmin',
    '/public/%252e%252e/admin',
    '/public/a/./../../admin',
    '/healthz/../admin',
    '/healthz%2f..%2fadmin',
    '/healthz/admin',
    '/healthz;/admin',
    '/healthz#/../admin',
    '/HEALTHZ/../admin',
    '/publicity',
    '/public',
    '/a/public/',
    '/admin/..%2fpublic/x',
    '/admin/x/..%2f..%2fhealthz',
    '/admin%2f..%2fpublic/x',
    '/healthz%3Fx',
    '/public%2fx',
    '/public/.git/config',
    '/healthz/',
  ])('the path %s is no open one, in any case of the host', async (path) => {
    const { proxy } = proven
    for (const host of ['wiki.example.com', 'WIKI.example.com', 'wiki.example.com:443', 'wiki.example.com.'])
      expect([host, await ask(proxy, host, path)]).not.toEqual([host, IN])
  })

  it('somebody of no group is refused below the star, however the name is spelt', async () => {
    const { proxy } = proven
    for (const host of ['wiki.example.com', 'WIKI.example.com', 'wIkI.example.com:443', 'wiki.example.com.'])
      expect([host, await ask(proxy, host, '/', BOB)]).not.toEqual([host, IN])
  })

  it('open paths of one name open nothing at another', async () => {
    const { proxy } = proven
    for (const host of ['any.example.com', 'a-b.c.example.com', 'plain.example.com', 'spa.example.com'])
      expect([host, await ask(proxy, host, '/public/x')]).not.toEqual([host, IN])
    expect(await ask(proxy, 'xn--bcher-kva.example.com', '/public/x')).toBe(IN)
    expect(await ask(proxy, 'xn--bcher-kva.example.com', '/')).not.toBe(IN)
  })

  it('names that differ in a dot and a hyphen alone have routers and rules of their own', () => {
    const { at } = proven
    const routers = at.routes().slice(at.routes().indexOf('\n  routers:\n'))
    const lists = (domain: string) =>
      routers
        .slice(routers.indexOf(`    "plumbline-site_${domain}":\n`))
        .split(/\n(?= {4}\S)/)[0]!
        .includes('"plumbline-sso"')
    expect([lists('a-b.c.example.com'), lists('a.b-c.example.com')]).toEqual([true, false])
    expect([lists('*.example.com'), lists('wildcard.example.com')]).toEqual([true, false])
    expect(at.rules()).toContain('domain: "a-b.c.example.com"')
    expect(at.rules()).not.toContain('a.b-c.example.com')
  })

  it('what a stranger says of himself in headers reaches nobody', async () => {
    const { proxy } = proven
    const forged = {
      'x-forwarded-host': 'open.example.com',
      'x-forwarded-uri': '/public/',
      'x-forwarded-proto': 'https',
      'remote-user': 'ana',
    }
    expect(await ask(proxy, 'wiki.example.com', '/', forged)).not.toBe(IN)
  })
})

describeOneIn(2).each(['3.7.9', '3.0.0'])(
  'an open star beside a protected name, at Traefik %s',
  (version) => {
    itOneIn(5).each([
      'admin.example.com',
      'ADMIN.example.com',
      'admin.example.com.',
      'admin.example.com:443',
      'ADMIN.EXAMPLE.COM.:443',
    ])('%s', async (host) => {
      await using proven = await openProven({ env: { PLUMBLINE_TRAEFIK_VERSION: version } })
      const { at, proxy } = proven
      await createActive(at.call, { domain: '*.example.com', auth_required: false })
      await createActive(at.call, { domain: 'admin.example.com' })
      expect(await ask(proxy, 'other.example.com')).toBe(IN)
      expect(await ask(proxy, host)).not.toBe(IN)
    })
  },
)

describe('a star whose rule is stricter than that of exact names below it', () => {
  const STRICT = "policies: [{ domain: '*.example.com', access: [{ groups: [admins], policy: two_factor }] }]"
  const ADMIN = { 'x-test-user': 'ana', 'x-test-groups': 'admins', 'x-test-factors': '2' }

  it('a name over plain http, which has no HTTPS route of its own, lets nobody into the backend of the star', async () => {
    await using proven = await openProven({ policies: STRICT, plain: true })
    const { at, proxy } = proven
    await createActive(at.call, { domain: '*.example.com' })
    await createActive(at.call, { domain: 'plain.example.com', ssl_enabled: false })
    expect(at.routes()).toContain('plumbline-site_plain.example.com')
    for (const host of ['plain.example.com', 'PLAIN.example.com:443', 'any.example.com'])
      expect([host, await ask(proxy, host, '/', BOB)]).not.toEqual([host, IN])
    expect(await ask(proxy, 'plain.example.com', '/', ADMIN)).toBe(IN)
    expect(await askPlain(proxy, 'plain.example.com')).not.toBe(IN)
    expect((await at.call('GET', '/api/sso/drift')).body).toMatchObject({ missing_rule: [], extra_rule: [] })
  })

  it('a name in quarantine gives its host to nobody, and not to the star by its own laxer rule', async () => {
    const env = { PLUMBLINE_SSO_QUARANTINE: 'on' }
    await using proven = await openProven({ policies: STRICT, env })
    const { at, proxy } = proven
    await createActive(at.call, { domain: '*.example.com' })
    await createActive(at.call, { domain: 'wiki.example.com' })
    expect(await ask(proxy, 'wiki.example.com', '/', BOB)).toBe(IN)
    proxy.clash.add('wiki.example.com')
    for (let turn = 0; turn < 8; turn++) await proven.look()
    proxy.clash.clear()
    expect((await at.call('GET', '/api/sso/drift')).body).toMatchObject({
      quarantine: [{ domain: 'wiki.example.com' }],
    })
    for (const headers of [{}, BOB, ADMIN])
      expect(await ask(proxy, 'wiki.example.com', '/', headers)).not.toBe(IN)
    expect(await ask(proxy, 'any.example.com', '/', ADMIN)).toBe(IN)
    await at.call('POST', '/api/sso/quarantine/wiki.example.com/lift')
    expect(await ask(proxy, 'wiki.example.com', '/', BOB)).toBe(IN)
  })
})

describe('middlewares of one’s own', () => {
  const folder = newFolder('own')

  itInDepth('one that is called as ours is another, and ours stays in front', async () => {
    const file = join(folder, 'own.yml')
    const names = ['sso', 'plumbline-sso', 'security-headers', 'generation-0000000000000000']
    writeFileSync(
      file,
      names.map((name) => `${name}: { config: { compress: { minResponseBodyBytes: 1 } } }\n`).join(''),
    )
    await using proven = await openProven({ env: { PLUMBLINE_MIDDLEWARES_FILE: file } })
    const { at, proxy } = proven
    await createActive(at.call, { middleware_config: { extra_middlewares: names } })
    expect(await ask(proxy, 'app.example.com')).toBe(302)
    for (const name of names) expect(at.routes()).toContain(`"plumbline-extra-${name}"`)
    expect(at.routes().match(/^ {4}"plumbline-sso":$/gm)).toHaveLength(1)
  })

  it.each([
    [
      'a host that is said before the check',
      'headers: { customRequestHeaders: { X-Forwarded-Host: open.example.com } }',
    ],
    [
      'a path that is said before the check',
      'headers: { customRequestHeaders: { x-forwarded-uri: /public/ } }',
    ],
    [
      'a scheme that is said before the check',
      'headers: { customRequestHeaders: { X-Forwarded-Proto: https } }',
    ],
    [
      'a session that is said before the check',
      'headers: { customRequestHeaders: { Cookie: authelia_session=x } }',
    ],
    [
      'a user that is said before the check',
      'headers: { customRequestHeaders: { Authorization: Basic eA== } }',
    ],
    ['a host that is set before the check', 'headers: { customRequestHeaders: { Host: open.example.com } }'],
    [
      'a second check that says the host',
      'forwardAuth: { address: http://a, authResponseHeaders: [X-Forwarded-Host] }',
    ],
    [
      'a second check that says what a pattern takes over',
      'forwardAuth: { address: http://a, authResponseHeadersRegex: "^X-" }',
    ],
    ['a host that is the name of a user', 'basicAuth: { usersFile: /u, headerField: X-Forwarded-Host }'],
    ['a path that is the name of a user', 'digestAuth: { usersFile: /u, headerField: x-forwarded-uri }'],
    ['a session that a second check names', 'forwardAuth: { address: http://a, headerField: Cookie }'],
  ])('%s is refused at the start', (_, config) => {
    const file = join(folder, 'bad.yml')
    writeFileSync(file, `trick: { position: before_sso, config: { ${config} } }\n`)
    const { settings } = loadConfig({ PLUMBLINE_DATA_DIR: folder, PLUMBLINE_MIDDLEWARES_FILE: file })
    expect(() => routesSettings(settings)).toThrow(/trick.*in front of the SSO check/s)
  })

  itInDepth.each(['stripPrefix: { prefixes: [/x] }', 'chain: { middlewares: [a] }'])(
    'one that may change the path goes with no open paths: %s',
    async (config) => {
      const file = join(folder, 'path.yml')
      writeFileSync(file, `mine: { config: { ${config} } }\n`)
      const env = { PLUMBLINE_MIDDLEWARES_FILE: file }
      const policies = 'policies: [{ domain: app.example.com, bypass: [/public/] }]'
      await using proven = await openProven({ policies, env })
      const { at } = proven
      const { call } = at
      const refused = await call('POST', '/api/domains', {
        body: { ...APP, middleware_config: { extra_middlewares: ['mine'] } },
      })
      expect(refused.status).toBe(422)
      expect(refused.body).toMatchObject({
        errors: [
          {
            loc: ['body', 'middleware_config', 'extra_middlewares'],
            msg: expect.stringMatching(/may change the path.*take one of the two out/) as string,
          },
        ],
      })
      await createActive(call, {
        domain: 'other.example.com',
        middleware_config: { extra_middlewares: ['mine'] },
      })
      expect(at.routes()).not.toContain('plumbline-open')
    },
  )

  itInDepth('a record whose path is changed keeps its open paths closed, and its plan says why', async () => {
    const file = join(folder, 'kept.yml')
    writeFileSync(file, 'mine: { config: { compress: { minResponseBodyBytes: 1 } } }\n')
    const policies = 'policies: [{ domain: app.example.com, bypass: [/public/] }]'
    await using first = await openSsoHouse({
      opened: false,
      policies,
      env: { PLUMBLINE_MIDDLEWARES_FILE: file },
    })
    const id = await createActive(first.call, { middleware_config: { extra_middlewares: ['mine'] } })
    expect(first.routes()).toContain('plumbline-open_app.example.com')
    writeFileSync(file, 'mine: { config: { stripPrefix: { prefixes: [/x] } } }\n')
    await using at = await first.reopen()
    const plan = await at.call('POST', `/api/domains/${id}/deploy?dry_run=true`)
    expect(JSON.stringify(plan.body)).toContain('stay closed, because its middleware')
    await at.call('POST', `/api/domains/${id}/deploy`)
    expect(at.routes()).not.toContain('plumbline-open')
  })

  it('a user whom a password names to the backend may stand before the check, which says it anew', () => {
    const file = join(folder, 'user.yml')
    writeFileSync(file, 'mark: { config: { basicAuth: { usersFile: /u, headerField: Remote-User } } }\n')
    const { settings } = loadConfig({ PLUMBLINE_DATA_DIR: folder, PLUMBLINE_MIDDLEWARES_FILE: file })
    expect(() => routesSettings(settings)).not.toThrow()
  })

  itInDepth('what is harmless may stand before the check', async () => {
    const file = join(folder, 'good.yml')
    writeFileSync(
      file,
      `mark: { position: before_sso, config: { headers: { customRequestHeaders: { X-Mark: a } } } }\n`,
    )
    await using proven = await openProven({ env: { PLUMBLINE_MIDDLEWARES_FILE: file } })
    await createActive(proven.at.call, { middleware_config: { extra_middlewares: ['mark'] } })
    expect(await ask(proven.proxy, 'app.example.com')).toBe(302)
  })
})

describe('names that are no names', () => {
  itOneIn(6).each([
    'a_b.example.com',
    'APP.example.com..',
    'app..example.com',
    '*.*.example.com',
    'a.*.example.com',
    'app.example.com:443',
  ])('%s is refused', async (domain) => {
    await using proven = await openProven()
    const answer = await proven.at.call('POST', '/api/domains', {
      body: {
        domain,
        service_type: 'http',
        environment: 'production',
        backend_host: '10.0.0.5',
        backend_port: 80,
      },
    })
    expect(answer.status).toBe(422)
  })

  itInDepth('one name in several spellings is one record', async () => {
    await using proven = await openProven()
    await create(proven.at.call, { domain: 'BÜCHER.example.com.' })
    for (const domain of ['bücher.example.com', 'XN--BCHER-KVA.example.com', 'Bücher.Example.Com.']) {
      const answer = await proven.at.call('POST', '/api/domains', {
        body: {
          domain,
          service_type: 'http',
          environment: 'production',
          backend_host: '10.0.0.5',
          backend_port: 80,
        },
      })
      expect([domain, answer.status]).toEqual([domain, 409])
    }
  })
})
