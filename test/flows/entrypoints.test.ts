/** Entry points of any name: what they are for is said by PLUMBLINE_ENTRYPOINTS or by their names and ports. */
import { createServer, type Server } from 'node:http'
import { readFileSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { got } from '../fakes/traefik/at-traefik.ts'
import type { EntrypointPlan } from '../fakes/traefik/static.ts'
import { startFakeTraefik } from '../fakes/traefik/traefik.ts'
import type { Client } from './client.ts'
import { run } from './command.ts'
import { openProxyHouse } from './proxy-house.ts'
import { create, createActive, envIn, openTestHouse } from './test-house.ts'
import { describeInDepth, itInDepth, itOneIn } from '../kit/in-depth.ts'
import { newFolder } from '../kit/new-folder.ts'

const HOST = 'app.example.com'
const PAGE = 'https://auth.example.com/'

/** As half of all installations call theirs. */
const HTTP_HTTPS: readonly EntrypointPlan[] = [
  { name: 'http', address: ':80' },
  { name: 'https', address: ':443' },
  { name: 'ssh', address: ':2222' },
]

const scratch = () => newFolder('entrypoints')

let server: Server
let origin: string

/** The backend of everybody and, under its path, the SSO provider, which lets nobody in. */
beforeAll(async () => {
  server = createServer((request, response) => {
    if (request.url!.startsWith('/api/authz/')) return void response.writeHead(302, { location: PAGE }).end()
    response.setHeader('x-backend', 'yes')
    response.end(JSON.stringify({ url: request.url, headers: request.headers }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => void server.close())

const open = (setting: string, entrypoints: readonly EntrypointPlan[] = HTTP_HTTPS, env: object = {}) =>
  openProxyHouse({
    env: { PLUMBLINE_ENTRYPOINTS: setting, ...env },
    traefik: { entrypoints, dial: () => origin },
  })

describe('an installation whose entry points are called http and https', () => {
  itOneIn(4).each<[string, string, readonly EntrypointPlan[]]>([
    ['http=80,https=443,ssh=2222', '', HTTP_HTTPS],
    // The port of the address is the container's own.
    [
      'http=80,https=443',
      '',
      [
        { name: 'http', address: ':8080' },
        { name: 'https', address: ':8443' },
      ],
    ],
    ['http=80,https=9443', ':9443', HTTP_HTTPS],
    ['ssh=2222,https=9443/https,http=9080/http', ':9443', HTTP_HTTPS],
  ])('serves routes there by %s', async (setting, port, entrypoints) => {
    await using at = await open(setting, entrypoints)
    const id = await create(at.call, { domain: HOST })
    expect(await at.call('POST', `/api/domains/${id}/activate`)).toMatchObject({
      status: 200,
      body: { success: true, loaded: true, rejected: [], warnings: [] },
    })
    await createActive(at.call, { domain: 'open.example.com', auth_required: false })
    await createActive(at.call, { domain: 'plain.example.com', auth_required: false, ssl_enabled: false })
    const ask = (entrypoint: string, host: string) => got(at.traefik, { entrypoint, host, path: '/x' })

    expect(await ask('https', HOST)).toMatchObject({ status: 302, headers: { location: PAGE }, seen: null })
    expect(await ask('http', HOST)).toMatchObject({
      status: 301,
      headers: { location: `https://${HOST}${port}/x` },
      seen: null,
    })
    expect((await ask('https', 'open.example.com')).seen).toMatchObject({ url: '/x' })
    expect((await ask('http', 'plain.example.com')).seen).toMatchObject({ url: '/x' })
    expect((await ask('https', 'plain.example.com')).status).toBe(404)
    expect((await at.call('GET', `/api/domains/${id}`)).body).toMatchObject({
      external_port: port === '' ? 443 : Number(port.slice(1)),
    })
    expect((await at.call('GET', '/api/drift')).body).toMatchObject({ drift: false })
  })

  itInDepth('has TCP routes on its others and, by name, beside its HTTPS', async () => {
    const env = { PLUMBLINE_TRAEFIK_VERSION: '3.7.0' }
    await using at = await open('http=80,https=443,ssh=2222', HTTP_HTTPS, env)
    const tcp = { service_type: 'tcp-proxy', protocol: 'tcp', auth_required: false }
    await createActive(at.call, {
      ...tcp,
      domain: 'ssh.example.com',
      tcp_entrypoint: 'ssh',
      ssl_enabled: false,
    })
    await createActive(at.call, { ...tcp, domain: 'mail.example.com', tcp_entrypoint: 'https' })
    const refused = (tcp_entrypoint: string, ssl_enabled = true) =>
      at.call('POST', '/api/domains', {
        body: {
          ...tcp,
          domain: 'no.example.com',
          environment: 'production',
          backend_host: '10.0.0.5',
          backend_port: 22,
          tcp_entrypoint,
          ssl_enabled,
        },
      })
    expect(JSON.stringify((await refused('http')).body)).toContain(
      'not a TCP entrypoint of this installation (https, ssh)',
    )
    expect(JSON.stringify((await refused('https', false)).body)).toContain('also serves HTTPS')
    const star = await create(at.call, { domain: '*.example.com' })
    expect(await at.call('POST', `/api/domains/${star}/activate`)).toMatchObject({ status: 409 })

    const { body } = await at.call('GET', '/openapi.json')
    expect(/"tcp_entrypoint":.{0,300}?"enum":\["https","ssh"/.test(JSON.stringify(body))).toBe(true)
  })
})

itInDepth('what was set before roles could be said renders the same bytes', async () => {
  const rendered = async (setting: string): Promise<string> => {
    await using at = await openTestHouse({ env: { PLUMBLINE_ENTRYPOINTS: setting } })
    await createActive(at.call, { domain: HOST })
    await createActive(at.call, { domain: 'plain.example.com', ssl_enabled: false })
    await createActive(at.call, {
      domain: 'db.example.com',
      service_type: 'tcp-proxy',
      protocol: 'tcp',
      tcp_entrypoint: 'https',
    })
    return at.routes()
  }
  const before = await rendered('web=80,websecure=443,https=8443')
  expect(before).toContain('- "web"\n')
  expect(before).toContain('- "websecure"\n')
  expect(await rendered('https=8443,http=8080,websecure=443,web=80')).toBe(before)
  expect(await rendered('https=8443/tcp,web=80/http,websecure=443/https')).toBe(before)
})

describe('a name that the proxy does not have', () => {
  const planOf = async (at: { readonly call: Client }, fields: object = {}): Promise<string> => {
    const id = await create(at.call, { domain: HOST, ...fields })
    return JSON.stringify((await at.call('POST', `/api/domains/${id}/activate?dry_run=true`)).body)
  }

  itInDepth('is told with those that it has and with the setting that names them', async () => {
    await using at = await open('web=80,websecure=443,ssh=2222')
    const plan = await planOf(at)
    expect(plan).toContain('The proxy has no entry point web, websecure (it has http, https, ssh)')
    expect(plan).toContain('perhaps http=80/http,https=443/https,ssh=2222.')
    const { body } = await at.call('GET', '/api/control-plane/health?probe=true')
    const proxy = (body['components'] as unknown as readonly { name: string }[]).find(
      ({ name }) => name === 'proxy',
    )
    expect(proxy).toMatchObject({ cause: 'entrypoints_missing' })
  })

  itInDepth('is told by doctor, with what to do', async () => {
    const traefik = await startFakeTraefik({ entrypoints: HTTP_HTTPS })
    const directory = scratch()
    const env = { ...envIn(directory), PLUMBLINE_TRAEFIK_API: traefik.origin }
    await (await openTestHouse({ directory, env })).house.close()
    const { out } = await run(['doctor'], env)
    await traefik.stop()
    expect(out).toContain('no entry point web, websecure, smtp (it has http, https, ssh)')
    expect(out).toContain('perhaps http=80/http,https=443/https,ssh=2222')
    expect(out).toContain('Name the entry points alike')
  })

  itInDepth('is told by the static file where no API is set', async () => {
    const directory = scratch()
    const file = join(directory, 'traefik.yml')
    writeFileSync(
      file,
      'entryPoints:\n  http:\n    address: ":8080"\n    http:\n      redirections:\n        entryPoint:\n          to: https\n' +
        '  https:\n    address: ":8443"\n',
    )
    const env = { PLUMBLINE_TRAEFIK_STATIC: file }
    {
      await using at = await openTestHouse({ env })
      expect(await planOf(at)).toContain('no entry point web, websecure, ssh, smtp (it has http, https)')
      expect((await at.call('GET', '/api/deploy/status')).body).toMatchObject({
        proxy: { configured: false, missing_entrypoints: ['web', 'websecure', 'ssh', 'smtp'] },
      })
      const { body } = await at.call('GET', '/api/control-plane/health?probe=true')
      expect(JSON.stringify(body)).toContain('"cause":"entrypoints_missing"')
    }
    await using at = await openTestHouse({ env: { ...env, PLUMBLINE_ENTRYPOINTS: 'http=80,https=443' } })
    expect(await planOf(at)).not.toContain('entry point')
    expect(await planOf(at, { domain: 'plain.example.com', ssl_enabled: false })).toContain(
      'plain.example.com has ssl_enabled false, and the proxy sends every request on http to another entry point',
    )
  })

  it('a static file that is none ends the start with its name', async () => {
    const file = join(scratch(), 'traefik.yml')
    for (const [text, words] of [
      ['http: {}', 'has no entryPoints'],
      ['a: [', 'line'],
    ] as const) {
      writeFileSync(file, text)
      await expect(openTestHouse({ env: { PLUMBLINE_TRAEFIK_STATIC: file } })).rejects.toThrow(words)
    }
    await expect(openTestHouse({ env: { PLUMBLINE_TRAEFIK_STATIC: `${file}.no` } })).rejects.toThrow(
      /^PLUMBLINE_TRAEFIK_STATIC: \/.*\.no does not exist\. Correct the path, make the file, or leave the setting out\.$/,
    )
  })
})

describeInDepth('what the proxy does at an entry point', () => {
  const REDIRECTING: readonly EntrypointPlan[] = [
    { name: 'http', address: ':80', redirections: { to: 'https' } },
    { name: 'https', address: ':443', tls: {} },
  ]

  it('serves a record with TLS there, protected as ever, and says of one without that nobody gets it', async () => {
    await using at = await open('http=80,https=443', REDIRECTING)
    const id = await create(at.call, { domain: HOST })
    expect(await at.call('POST', `/api/domains/${id}/activate`)).toMatchObject({
      status: 200,
      body: { success: true, loaded: true, warnings: [] },
    })
    expect(await got(at.traefik, { entrypoint: 'https', host: HOST })).toMatchObject({
      status: 302,
      seen: null,
    })
    expect(await got(at.traefik, { entrypoint: 'http', host: HOST })).toMatchObject({
      status: 301,
      seen: null,
    })
    expect((await at.call('GET', '/api/drift')).body).toMatchObject({ drift: false })

    const plain = await create(at.call, {
      domain: 'plain.example.com',
      ssl_enabled: false,
      auth_required: false,
    })
    const planned = await at.call('POST', `/api/domains/${plain}/activate?dry_run=true`)
    expect(JSON.stringify(planned.body)).toContain('sends every request on http to another entry point')
    expect((await at.call('POST', `/api/domains/${plain}/activate`)).status).toBe(200)
    expect(await got(at.traefik, { entrypoint: 'http', host: 'plain.example.com' })).toMatchObject({
      status: 301,
    })
    await at.lookAnew()
    const explained = await at.call('GET', `/api/domains/${plain}/explain`)
    expect(JSON.stringify(explained.body)).toContain('http-to-https@internal')
    expect((await at.call('GET', '/api/deploy/status')).body).toMatchObject({
      proxy: { shadowed: [{ domains: ['plain.example.com'], stance: 'takes_all', provider: 'internal' }] },
    })
  })

  it('is told where it is not what the setting says the entry point is for', async () => {
    await using at = await open('https=80/http,http=443/https', REDIRECTING)
    const id = await create(at.call, { domain: HOST })
    const plan = JSON.stringify((await at.call('POST', `/api/domains/${id}/activate?dry_run=true`)).body)
    expect(plan).toContain(
      'gives TLS to every router on https, which PLUMBLINE_ENTRYPOINTS has for plain http',
    )
    expect(plan).toContain('redirects every request on http, which PLUMBLINE_ENTRYPOINTS has for https')
    const health = await at.call('GET', '/api/control-plane/health?probe=true')
    expect(JSON.stringify(health.body)).toContain('"cause":"entrypoint_role"')
    // Whatever was confused: nobody is let in.
    await at.call('POST', `/api/domains/${id}/activate`)
    for (const entrypoint of ['http', 'https'])
      for (const tls of [false, true]) {
        const answer = await got(at.traefik, { entrypoint, host: HOST, tls }).catch(() => null)
        expect(answer?.seen ?? null).toBeNull()
      }
  })
})

describe('a setting that has deployed TCP routes stand in the way of HTTP routes', () => {
  const TCP = { service_type: 'tcp-proxy', protocol: 'tcp', auth_required: false }
  const BEFORE = 'web=80,websecure=443,edge=8443'

  itOneIn(3).each<[string, object, string, RegExp]>([
    [
      'a name below a star where HTTPS moves to',
      { ...TCP, domain: 'db.example.com', tcp_entrypoint: 'edge' },
      'web=80,edge=8443/https',
      /edge is for https now, and \*\.example\.com there would take every TLS connection for the TCP route db\.example\.com/,
    ],
    [
      'a plain one where HTTPS moves to',
      { ...TCP, domain: 'db.example.com', tcp_entrypoint: 'edge', ssl_enabled: false },
      'web=80,edge=8443/https',
      /db\.example\.com takes whatever comes there without TLS/,
    ],
    [
      'one where plain http moves to',
      { ...TCP, domain: 'db.example.com', tcp_entrypoint: 'edge' },
      'edge=8080/http,websecure=443',
      /edge is for http now, and the TCP route db\.example\.com stands there/,
    ],
  ])('is refused at the start, and the file stays: %s', async (_, route, setting, words) => {
    const directory = scratch()
    const start = (PLUMBLINE_ENTRYPOINTS: string) =>
      openTestHouse({ directory, env: { PLUMBLINE_ENTRYPOINTS, PLUMBLINE_TRAEFIK_VERSION: '3.7.0' } })
    let at = await start(BEFORE)
    await createActive(at.call, { domain: '*.example.com' })
    await createActive(at.call, { domain: 'other.example.com', ssl_enabled: false })
    const id = await createActive(at.call, { ...route })
    const before = at.routes()
    await at.house.close()
    await expect(start(setting)).rejects.toThrow(words)
    expect(readFileSync(at.house.routes_path, 'utf8')).toBe(before)

    at = await start(BEFORE)
    expect(await at.call('POST', `/api/domains/${id}/deactivate`)).toMatchObject({ status: 200 })
    await at.house.close()
    await using last = await start(setting)
    expect((await last.call('POST', '/api/deploy-all')).status).toBeLessThan(300)
  })

  itInDepth.each([
    ['edge=8080/http,websecure=443', false],
    ['edge=8080/http,websecure=443', true],
    ['web=80,edge=8443/https', false],
  ])(
    'and one that was saved and not deployed stays so under %s, with TLS %s',
    async (setting, ssl_enabled) => {
      const directory = newFolder('entrypoints')
      const start = (PLUMBLINE_ENTRYPOINTS: string) =>
        openTestHouse({ directory, env: { PLUMBLINE_ENTRYPOINTS } })
      const at = await start(BEFORE)
      await createActive(at.call, { domain: 'other.example.com', ssl_enabled: false })
      const draft = { ...TCP, domain: 'db.example.com', tcp_entrypoint: 'edge', ssl_enabled }
      const id = await create(at.call, draft)
      const mail = { ...TCP, domain: 'mail.example.com', tcp_entrypoint: 'websecure' }
      const moved = await createActive(at.call, mail)
      const edited = await at.call('PUT', `/api/domains/${moved}`, { body: { tcp_entrypoint: 'edge' } })
      expect(edited.status).toBe(200)
      await at.house.close()

      const after = await start(setting)
      const refused = {
        status: 409,
        body: { detail: expect.stringMatching(/tcp_entrypoint edge is not for such a TCP route/) as unknown },
      }
      expect(await after.call('POST', `/api/domains/${id}/activate`)).toMatchObject(refused)
      // By its name, beside HTTPS, it may stand where HTTPS is now.
      const answer = await after.call('POST', `/api/domains/${moved}/deploy`)
      expect(answer).toMatchObject(setting.includes('edge=8443/https') ? { status: 200 } : refused)
      expect(after.routes()).not.toContain('plumbline-tcp_db.example.com')
      await after.house.close()
      // What was deployed meanwhile keeps no start from coming.
      await using again = await start(setting)
      expect((await again.call('GET', '/api/domains')).status).toBe(200)
    },
  )
})
