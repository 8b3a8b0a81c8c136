/**
 * What a route does to headers on their way, as the routes file says it and a proxy that is not ours carries it out: nobody
 * says who they are but the SSO provider, and what the proxy says of caching stands where it does no harm.
 */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it } from 'vitest'
import { atTraefik, type Wish } from '../fakes/traefik/at-traefik.ts'
import { someSettings, textOfRows } from '../features/routes/target/settings.ts'
import type { RowWish } from '../fixtures.ts'
import { create, createActive, openTestHouse } from './test-house.ts'

const HOST = 'app.example.com'
const FORGED = {
  'Remote-User': 'ana',
  'remote-groups': 'admins',
  'REMOTE-NAME': 'Ana',
  'Remote-Email': 'ana@example.com',
  Remote_User: 'ana',
  remote_groups: 'admins',
  REMOTE_NAME: 'Ana',
  ReMoTe_EmAiL: 'ana@example.com',
}

/** What a request meets on routes of this record, over plain http or TLS as the record says. */
async function through(row: RowWish, wish: Wish, { headers = {} }: { readonly headers?: object } = {}) {
  const seen: Record<string, unknown>[] = []
  const backend = createServer((request, response) => {
    seen.push(request.headers)
    response.writeHead(200, { ...headers }).end('content')
  })
  const asked: Record<string, unknown>[] = []
  const provider = createServer((request, response) => {
    asked.push(request.headers)
    response.writeHead(200, { 'remote-user': 'bob', 'remote-groups': 'staff' }).end()
  })
  const urls = await Promise.all(
    [backend, provider].map(async (server) => {
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
      return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    }),
  )
  await using at = await atTraefik({
    dial: (origin) => (origin.includes('authelia') ? urls[1]! : urls[0]!),
  })
  const settings = someSettings({ open_paths: new Map([[HOST, ['/public/']]]) })
  const fields = { domain: HOST, ssl_enabled: false, ...row }
  at.traefik.follow(at.write('routes.yml', textOfRows([fields], settings)))
  const entrypoint = fields.ssl_enabled ? 'websecure' : 'web'
  try {
    return { answer: await at.get({ entrypoint, host: HOST, ...wish }), seen, asked }
  } finally {
    for (const server of [backend, provider]) {
      server.closeAllConnections()
      server.close()
    }
  }
}

const identities = (headers: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => /^remote[-_]/.test(name)))

describe('the identity that a caller claims', () => {
  it.each<[string, RowWish, string]>([
    ['an open route', { auth_required: false }, '/'],
    ['an api that is open', { auth_required: false, service_type: 'api' }, '/x'],
    ['the documents of an spa that is open', { auth_required: false, service_type: 'spa' }, '/'],
    [
      'the assets of an spa that is open',
      { auth_required: false, service_type: 'spa' },
      '/a-0123456789abcdef.js',
    ],
    ['the other paths of an spa that is open', { auth_required: false, service_type: 'spa' }, '/settings'],
    ['an open path of a protected route', { ssl_enabled: true }, '/public/x'],
    ['an open path of an spa', { ssl_enabled: true, service_type: 'spa' }, '/public/x-0123456789abcdef.js'],
  ])('reaches no backend at %s', async (_, row, path) => {
    const { seen } = await through(row, { path, headers: FORGED })
    expect(seen.map(identities)).toEqual([{}])
  })

  it('reaches neither the provider nor the backend of a protected route, which gets the provider’s word alone', async () => {
    const { seen, asked } = await through({}, { headers: FORGED })
    expect(asked.map(identities)).toEqual([{}])
    expect(seen.map(identities)).toEqual([{ 'remote-user': 'bob', 'remote-groups': 'staff' }])
  })

  it('nor does another path than the open one, said in headers', async () => {
    const headers = { 'X-Original-URL': '/admin', 'X-Rewrite-Url': '/admin', 'x-original-uri': '/admin' }
    const { seen, asked } = await through({ ssl_enabled: true }, { path: '/public/x', headers })
    expect(asked).toEqual([])
    expect(Object.keys(seen[0]!).filter((name) => /^x-(?:original|rewrite)/.test(name))).toEqual([])
  })
})

describe('what the proxy says of caching for an spa', () => {
  const cached = async (path: string, said: string) =>
    (
      await through(
        { service_type: 'spa', auth_required: false },
        { path },
        { headers: { 'cache-control': said } },
      )
    ).answer.headers['cache-control']

  it.each([
    ['/', 'max-age=600', 'no-cache'],
    ['/index.html', 'max-age=600', 'no-cache'],
    ['/assets/index-B3kR9x_a.js', 'no-store', 'private, max-age=60'],
    ['/assets/app.js', 'no-store', 'no-store'],
    ['/static/report.pdf', 'private', 'private'],
    ['/assets/missing', 'no-store', 'no-store'],
    ['/settings', 'private', 'private'],
  ])('%s, of which the backend says %s', async (path, said, answered) => {
    expect(await cached(path, said)).toBe(answered)
  })
})

it('the redirect to https leads to the port at which https is reached', async () => {
  const row = { domain: HOST }
  for (const [https_port, location] of [
    [443, `https://${HOST}/x`],
    [8443, `https://${HOST}:8443/x`],
  ] as const) {
    await using at = await atTraefik()
    at.traefik.follow(at.write('routes.yml', textOfRows([row], someSettings({ https_port }))))
    expect((await at.get({ host: HOST, path: '/x' })).headers['location']).toBe(location)
  }
})

it('the port that a record tells is the one to which the redirect leads', async () => {
  await using at = await openTestHouse({ env: { PLUMBLINE_ENTRYPOINTS: 'web=8080,websecure=8443' } })
  const id = await createActive(at.call)
  expect((await at.call('GET', `/api/domains/${id}`)).body).toMatchObject({ external_port: 8443 })
  expect(at.routes()).toContain('        port: "8443"\n')
})

it('the plan of an spa says that the proxy replaces what the backend said of caching, and that of others does not', async () => {
  await using at = await openTestHouse()
  const warningsOf = async (fields: object) => {
    const id = await create(at.call, { ...fields })
    return JSON.stringify((await at.call('POST', `/api/domains/${id}/activate?dry_run=true`)).body)
  }
  const words = 'the proxy replaces what the backend says in Cache-Control'
  expect(await warningsOf({ domain: 'spa.example.com', service_type: 'spa' })).toContain(words)
  expect(await warningsOf({ domain: 'app.example.com' })).not.toContain(words)
})
