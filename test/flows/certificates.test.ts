/** What is served for a domain and what the proxy's store holds, seen through the API with a real TLS server. */
import { createServer as createPlainServer, type Socket } from 'node:net'
import { chmodSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createServer } from 'node:tls'
import { inspect } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import {
  acmeJson,
  type CertificateAuthority,
  certificateAuthority,
  type Issued,
} from '../fakes/certificate-authority.ts'
import { createActive, openTestHouse } from './test-house.ts'
import { itInDepth, itOneIn } from '../kit/in-depth.ts'

const NAME = 'app.example.com'
let authority: CertificateAuthority
let stored: Issued
beforeAll(() => {
  authority = certificateAuthority()
  stored = authority.issue({ names: [NAME], days: 20 })
})
afterAll(() => authority.close())

/** A server on loopback, and where it listens. */
async function serving(issued: Issued | 'garbage' | 'silence') {
  const open = new Set<Socket>()
  const server =
    typeof issued === 'string'
      ? createPlainServer((socket) => {
          open.add(socket)
          socket.on('error', () => undefined)
          if (issued === 'garbage') socket.end('220 mail.example.com ESMTP\r\n')
        })
      : createServer({ cert: issued.cert, key: issued.key })
  server.on('tlsClientError', () => undefined)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { readonly port: number }
  return {
    address: `127.0.0.1:${port}`,
    [Symbol.asyncDispose]: () => {
      for (const socket of open) socket.destroy()
      return new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}

async function houseWith(address: string, store: string | null) {
  const at = await openTestHouse({ env: { PLUMBLINE_TLS_ADDRESS: address } })
  if (store === null) return at
  const path = join(at.directory, 'acme.json')
  writeFileSync(path, store, { mode: 0o600 })
  await at.house.close()
  return openTestHouse({
    directory: at.directory,
    env: { PLUMBLINE_TLS_ADDRESS: address, PLUMBLINE_ACME_STORE: path },
  })
}

itInDepth('the proxy serves what its store holds', async () => {
  await using server = await serving(stored)
  await using at = await houseWith(server.address, acmeJson([stored]))
  const id = await createActive(at.call, { domain: NAME })
  const { body } = await at.call('GET', `/api/domains/${id}/cert`)
  expect(body).toMatchObject({
    reachable: true,
    managed_by_acme: true,
    in_acme_store: true,
    matches: true,
    covered_by_wildcard: false,
    served: { names: [NAME], state: 'under_30_days', covers_name: true, issuer: 'Test Intermediate' },
    last_error: expect.stringMatching(/\(issuer Test Intermediate\) is not trusted by this host: .*chain/),
  })
  expect(body['distrust']).toMatch(/CERT|SIGN/i)
  const status = (await at.call('GET', '/api/acme/status')).body
  expect(status).toMatchObject({
    configured: true,
    acme_storage_present: true,
    error: null,
    cert_count: 1,
    counts: { expired: 0, under_14_days: 0, under_30_days: 1, healthy: 0 },
    resolvers: [{ name: 'letsencrypt', registration: 'valid', cert_count: 1 }],
    certificates: [{ domains: [{ domain_id: id, domain: NAME }], unused: false }],
    unused_count: 0,
    file: { mode: '0600', owner: process.geteuid!() },
    fresh: true,
  })
})

itInDepth('the proxy serves its default certificate: said in words, with what would help', async () => {
  await using server = await serving(authority.issue({ names: ['traefik.default'] }))
  await using at = await houseWith(server.address, acmeJson([stored]))
  const id = await createActive(at.call, { domain: NAME })
  const { body } = await at.call('GET', `/api/domains/${id}/cert`)
  expect(body).toMatchObject({
    reachable: true,
    in_acme_store: true,
    matches: false,
    served: { covers_name: false },
  })
  expect(body['last_error']).toContain('A good one is there but is not served')
})

itInDepth('the proxy still serves the old one, which its store has renewed', async () => {
  const old = authority.issue({ names: [NAME], days: 5 })
  await using server = await serving(old)
  await using at = await houseWith(server.address, acmeJson([stored]))
  const id = await createActive(at.call, { domain: NAME })
  const { body } = await at.call('GET', `/api/domains/${id}/cert`)
  expect(body).toMatchObject({
    matches: false,
    served: { state: 'under_14_days' },
    stored: { state: 'under_30_days' },
    manager: null,
  })
  expect(body['last_error']).toMatch(/store holds a newer one .* Restart the proxy/)
})

itInDepth('of several that hold the name, the one that is served is compared', async () => {
  const wild = authority.issue({ names: ['*.example.com'], days: 80 })
  await using server = await serving(stored)
  await using at = await houseWith(server.address, acmeJson([wild, stored]))
  const id = await createActive(at.call, { domain: NAME })
  expect((await at.call('GET', `/api/domains/${id}/cert`)).body).toMatchObject({
    matches: true,
    covered_by_wildcard: false,
    last_error: expect.stringContaining('not trusted by this host'),
  })
})

itInDepth('a wildcard one label above covers a name, and two labels above does not', async () => {
  await using server = await serving(authority.issue({ names: ['*.example.com'] }))
  await using at = await houseWith(server.address, null)
  const near = await createActive(at.call, { domain: NAME })
  const far = await createActive(at.call, { domain: 'deep.app.example.com' })
  expect((await at.call('GET', `/api/domains/${near}/cert`)).body).toMatchObject({
    covered_by_wildcard: true,
    served: { covers_name: true },
    in_acme_store: null,
    matches: null,
  })
  expect((await at.call('GET', `/api/domains/${far}/cert`)).body).toMatchObject({
    covered_by_wildcard: false,
    served: { covers_name: false },
    last_error: expect.stringContaining('not for deep.app.example.com'),
  })
})

itInDepth.each([
  ['garbage', /does not speak TLS|failed the handshake/],
  ['silence', /within 5 s/],
] as const)('a server that sends %s is not reachable, and that is said in words', async (what, words) => {
  await using server = await serving(what)
  await using at = await houseWith(server.address, null)
  const id = await createActive(at.call, { domain: NAME })
  const { body } = await at.call('GET', `/api/domains/${id}/cert`)
  expect(body).toMatchObject({ reachable: false, served: null })
  expect(body['last_error']).toMatch(words)
})

it('nothing is set: an internal name is not asked, the store is not configured, and nothing is made up', async () => {
  await using at = await openTestHouse()
  const id = await createActive(at.call, { domain: 'inside.example.com', service_type: 'internal' })
  expect((await at.call('GET', `/api/domains/${id}/cert`)).body).toMatchObject({
    reachable: false,
    managed_by_acme: false,
    in_acme_store: null,
    asked: null,
  })
  expect((await at.call('GET', '/api/acme/status')).body).toMatchObject({
    configured: false,
    acme_storage_present: false,
  })
  expect((await at.call('GET', '/api/domains/999/cert')).status).toBe(404)
})

itInDepth(
  'an internal name is not reachable although its proxy is asked, and what is served is shown',
  async () => {
    await using server = await serving(stored)
    await using at = await houseWith(server.address, null)
    const id = await createActive(at.call, { domain: NAME, service_type: 'internal' })
    expect((await at.call('GET', `/api/domains/${id}/cert`)).body).toMatchObject({
      reachable: false,
      served: { names: [NAME] },
    })
  },
)

itInDepth('a certificate in the store that no domain uses is said to be unused', async () => {
  await using at = await houseWith('127.0.0.1:1', acmeJson([stored]))
  await createActive(at.call, { domain: 'other.example.com' })
  expect((await at.call('GET', '/api/acme/status')).body).toMatchObject({
    cert_count: 1,
    unused_count: 1,
    certificates: [{ domains: [], unused: true }],
  })
})

itOneIn(2).each<[string, (path: string) => void, object]>([
  ['gone', (path) => rmSync(path), { acme_storage_present: false, error: null }],
  [
    'open to others',
    (path) => chmodSync(path, 0o644),
    { acme_storage_present: true, error: 'acme_store_refused' },
  ],
])('a store that is %s now is unavailable: null, and never "not in it"', async (_title, change, status) => {
  await using server = await serving(stored)
  await using at = await houseWith(server.address, acmeJson([stored]))
  const id = await createActive(at.call, { domain: NAME })
  const cert = async () => (await at.call('GET', `/api/domains/${id}/cert`)).body
  expect(await cert()).toMatchObject({ in_acme_store: true })
  change(join(at.directory, 'acme.json'))
  expect(await cert()).toMatchObject({ reachable: true, in_acme_store: null, stored: null, matches: null })
  expect((await at.call('GET', '/api/acme/status')).body).toMatchObject({
    ...status,
    cert_count: 1,
    fresh: false,
  })
})

itInDepth('while the proxy rewrites its store, the last good reading answers', async () => {
  await using server = await serving(stored)
  await using at = await houseWith(server.address, acmeJson([stored]))
  const id = await createActive(at.call, { domain: NAME })
  await at.call('GET', '/api/acme/status')
  writeFileSync(join(at.directory, 'acme.json'), acmeJson([stored]).slice(0, -9))
  expect((await at.call('GET', `/api/domains/${id}/cert`)).body).toMatchObject({
    in_acme_store: true,
    matches: true,
  })
  expect((await at.call('GET', '/api/acme/status')).body).toMatchObject({
    error: 'acme_store_temporarily_unreadable',
    cert_count: 1,
    fresh: false,
  })
})

it('neither key nor account of the store is in any answer or log line', async () => {
  const lines: string[] = []
  const say = (...words: unknown[]) => void lines.push(inspect(words, { depth: null, maxStringLength: null }))
  await using server = await serving(stored)
  await using at = await openTestHouse({
    env: { PLUMBLINE_TLS_ADDRESS: server.address, PLUMBLINE_ACME_STORE: 'acme.json' },
    log: { debug: say, info: say, warn: say, error: say },
  })
  const id = await createActive(at.call, { domain: NAME })
  const path = join(at.directory, 'acme.json')
  const whole = acmeJson([stored])
  for (const text of [
    whole,
    whole.slice(0, -9),
    '{"somebody@example.com":1}',
    whole.replace('"Account"', '"A"'),
  ]) {
    writeFileSync(path, text, { mode: 0o600 })
    for (const endpoint of ['/api/acme/status', `/api/domains/${id}/cert`])
      lines.push(JSON.stringify((await at.call('GET', endpoint)).body))
  }
  const told = lines.join('\n')
  expect(told).toContain('app.example.com')
  for (const secret of [
    'somebody@',
    'acct/7',
    'c2VjcmV0',
    'PRIVATE',
    Buffer.from(stored.key).toString('base64').slice(0, 40),
  ])
    expect(told).not.toContain(secret)
})

itInDepth('a store in the middle of a write is temporarily unreadable', async () => {
  await using at = await houseWith('127.0.0.1:1', acmeJson([stored]).slice(0, -9))
  expect((await at.call('GET', '/api/acme/status')).body).toMatchObject({
    acme_storage_present: true,
    error: 'acme_store_temporarily_unreadable',
    cert_count: 0,
    fresh: false,
  })
})
