/** Single middlewares in the words of a record, or the reason why there are none. */
import { describe, expect, test } from 'vitest'
import { allowListEffect } from '../../../../src/features/import/traefik/middlewares/middlewares.ts'
import { catalogueEffect } from '../../../../src/features/import/traefik/middlewares/catalogue-match.ts'
import { headersEffect } from '../../../../src/features/import/traefik/middlewares/headers.ts'
import { takeInventory } from '../../../../src/features/import/traefik/inventory.ts'
import {
  landingEffect,
  redirectSchemeEffect,
} from '../../../../src/features/import/traefik/routers/redirects.ts'
import { forwardAuthEffect } from '../../../../src/features/import/traefik/middlewares/sso.ts'
import { CONTEXT } from './context.ts'

const landing = (regex: string, replacement: string, tls = true) => {
  const read = landingEffect('x', { regex, replacement }, tls)
  return read.ok ? read.value.landing : null
}

describe('a redirect of the bare root', () => {
  test.each([
    [
      '^https?://app\\.example\\.com/?$',
      'https://app.example.com/app',
      { path: '/app', host: 'app.example.com' },
    ],
    [
      '^https://app.example.com/$',
      'https://app.example.com/app/',
      { path: '/app/', host: 'app.example.com' },
    ],
    [
      '^https?:\\/\\/app\\.example\\.com\\/?$',
      'https://app.example.com/a',
      { path: '/a', host: 'app.example.com' },
    ],
    ['^(https?://[^/]+)/?$', '${1}/web', { path: '/web', host: null }],
    ['^(https?://[^/]+)/?$', '$1/web', { path: '/web', host: null }],
    ['^https?://([^/]+)/?$', 'https://${1}/web', { path: '/web', host: null }],
    ['^(https?://App.Example.com)/?$', '${1}/web', { path: '/web', host: 'app.example.com' }],
    ['^http[s]?://[^/]+/?$', 'https://other.example/x', null], // leads to another host
    ['^https?://app.example.com/?$', 'https://other.example/x', null],
    ['^https?://[^/]+/?$', '/x', null], // a relative address
    ['https?://app.example.com/?$', 'https://app.example.com/app', null], // also inside a query
    ['^https?://app.example.com/?', 'https://app.example.com/app', null], // every path
    ['^https?://app.example.com/(.*)$', 'https://app.example.com/x/${1}', null],
    ['^https?://app.example.com/old/?$', 'https://app.example.com/new', null],
    ['^(https?://[^/]+)/?$', 'https://${1}/web', null], // the group is the whole origin
    ['^https?://([^/]+)/?$', '${1}/web', null],
    ['^(https?://[^/]+)/?$', '${1}/web?x=1', null], // no path that a record can hold
    ['^(https?://[^/]+)/?$', '${1}/', null], // to itself
    ['^(https?://[^/]+)/?$', '${1}/a/../b', null],
    ['^(https?://[^/]+)/?$', '$12/web', null],
    ['', '', null],
  ])('%s to %s', (regex, replacement, expected) => {
    expect(landing(regex, replacement)).toEqual(expected)
  })

  test('an expression for the other scheme never matches, so it is none', () => {
    expect(landing('^http://[^/]+/?$', 'https://a.example/x', true)).toBeNull()
    expect(landing('^https://(a.example)/?$', 'https://${1}/x', false)).toBeNull()
    expect(landing('^http://(a.example)/?$', 'http://${1}/x', false)).toEqual({
      path: '/x',
      host: 'a.example',
    })
  })

  test('a hostile expression is looked at, never run', () => {
    expect(landing(`^(${'(a+)+'.repeat(5000)})$`, '/x')).toBeNull()
    expect(landing(`^https?://${'a.'.repeat(30_000)}example/?$`, 'https://x/y')).toBeNull()
  })
})

test.each([
  [{ scheme: 'https' }, true],
  [{ scheme: 'https', permanent: 'true', port: '443' }, true],
  [{ SCHEME: 'https', Port: 443 }, true],
  [{ scheme: 'https', port: '8443' }, false],
  [{ scheme: 'http' }, false],
  [{ scheme: 'https', ports: '1' }, false],
  [{}, false],
  ['https', false],
])('redirectScheme %j leads to HTTPS: %s', (config, expected) => {
  const read = redirectSchemeEffect('x', config, CONTEXT)
  expect(read.ok && read.value.redirects_to_https).toBe(expected)
})

test.each([
  [{ scheme: 'https', port: '8443' }, true],
  [{ scheme: 'https' }, false],
  [{ scheme: 'https', port: '443' }, false],
])('redirectScheme %j leads to the entrypoint of HTTPS on port 8443: %s', (config, expected) => {
  const entrypoints = [{ name: 'websecure', port: 8443, kind: 'https' } as const]
  const read = redirectSchemeEffect('x', config, { ...CONTEXT, entrypoints })
  expect(read.ok && read.value.redirects_to_https).toBe(expected)
})

test.each<[string, unknown, boolean]>([
  ['Authelia before 4.38', 'http://authelia:9091/api/verify?rd=https://auth.example.com/', true],
  ['Authelia', 'http://10.0.0.2:9091/api/authz/forward-auth', true],
  ['Authelia by its host', 'https://authelia.example.com/x', true],
  ['authentik', 'http://outpost:9000/outpost.goauthentik.io/auth/traefik', true],
  ['authentik by its host', 'http://authentik-server:9000/x', true],
  ['one that the installation names', 'http://login.internal/check', true],
  ['a host that only sounds alike', 'http://notauthelia2:9091/', false],
  ['a path that only sounds alike', 'http://x/api/verifyemail', false],
  ['a host in the query', 'http://x/?u=http://authelia:9091/', false],
  ['another gate', 'http://oauth2-proxy:4180/oauth2/auth', false],
  ['no address', undefined, false],
  ['no text', { a: 1 }, false],
])('forwardAuth, %s', (_name, address, expected) => {
  const context = { ...CONTEXT, sso_addresses: ['http://login.internal/check'] }
  const read = forwardAuthEffect('gate', { address }, context)
  expect(read.ok && read.value.auth).toBe(expected)
})

describe('what a sign-in hands on', () => {
  const read = (more: object) =>
    forwardAuthEffect('gate', { address: 'http://authelia:9091/api/authz/forward-auth', ...more }, CONTEXT)

  test.each<[string, object, RegExp]>([
    [
      'authentik’s',
      { authResponseHeaders: ['X-authentik-username', 'X-authentik-groups'] },
      /X-authentik-username/,
    ],
    ['one beside Authelia’s', { authResponseHeaders: 'Remote-User, X-Email' }, /X-Email/],
    ['the credentials', { authResponseHeaders: ['Authorization'] }, /Authorization/],
    ['by a pattern', { authResponseHeadersRegex: '^X-' }, /pattern .\^X-/],
    ['no list', { authResponseHeaders: { a: 1 } }, /no list/],
  ])('keeps the router where it is: %s', (_name, more, reason) => {
    const effect = read(more)
    expect(effect.ok ? null : effect.msg).toMatch(reason)
  })

  test.each<[string, object, string[]]>([
    [
      'all four',
      { authResponseHeaders: ['remote-user', 'Remote-Groups', 'Remote-Name', 'Remote-Email'] },
      [],
    ],
    ['two', { authResponseHeaders: 'Remote-User,Remote-Groups' }, ['Remote-Name, Remote-Email of']],
    [
      'none, with cookies',
      { addAuthCookiesToResponse: ['x'] },
      ['Remote-User', 'addAuthCookiesToResponse is'],
    ],
  ])('is told where it differs: %s', (_name, more, told) => {
    const effect = read(more)
    const [first, ...others] = effect.ok ? effect.value.notes : []
    expect(first).toContain('taken for this installation’s SSO'.replace('’', "'"))
    expect(others).toEqual(told.map((part) => expect.stringContaining(part) as string))
  })
})

test.each<[unknown, 'internal' | 'told' | 'refused']>([
  [['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '127.0.0.0/8', 'fc00::/7', '::1/128'], 'internal'],
  [['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16'], 'told'],
  ['10.0.0.0/8, 172.16.0.0/12, 192.168.0.0/16', 'told'],
  [['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '127.0.0.1', '::1', 'fd12:3456::/48'], 'told'],
  [['192.168.1.0/24'], 'refused'],
  [['192.168.1.7'], 'refused'],
  [['10.0.0.0/8', '192.168.0.0/16'], 'refused'],
  [['10.0.0.0/7'], 'refused'],
  [['172.16.0.0/11'], 'refused'],
  [['192.168.0.0/16', '0.0.0.0/0'], 'refused'],
  [['100.64.0.0/10'], 'refused'],
  [['203.0.113.0/24'], 'refused'],
  [['fe80::/10'], 'refused'],
  [['10.0.0.0/33'], 'refused'],
  [['10.0.0.0/'], 'refused'],
  [['10.0.0.0/8/8'], 'refused'],
  [['::ffff:10.0.0.1/128'], 'refused'],
  [['nonsense'], 'refused'],
  [[], 'refused'],
  [undefined, 'refused'],
])('the ranges %j are %s', (sourceRange, expected) => {
  const read = allowListEffect('lan', { sourceRange }, CONTEXT)
  const outcome = !read.ok ? 'refused' : read.value.notes.length > 0 ? 'told' : 'internal'
  expect(outcome).toBe(expected)
  if (read.ok) expect(read.value.internal).toBe(true)
})

test('an allow list with a strategy or a status of its own stays', () => {
  const sourceRange = ['10.0.0.0/8']
  expect(allowListEffect('lan', { sourceRange, ipStrategy: { depth: 1 } }, CONTEXT).ok).toBe(false)
  expect(allowListEffect('lan', { sourceRange, rejectStatusCode: 404 }, CONTEXT).ok).toBe(false)
})

describe('headers', () => {
  const setting = { context: CONTEXT, inventory: takeInventory([]), tls: true }
  const read = (config: unknown, tls = true) => headersEffect('x', config, { ...setting, tls })

  test.each<[string, unknown, object]>([
    ['security headers', { stsSeconds: '1', frameDeny: 'true' }, { extras: [], cors: null }],
    ['field names in any case', { STSSECONDS: 1 }, { extras: [] }],
    [
      'one CORS origin',
      { accessControlAllowOriginList: 'https://A.example/' },
      { cors: { origin: 'https://a.example' } },
    ],
    ['any origin', { accessControlAllowOriginList: ['*'] }, { cors: { origin: null } }],
    [
      'a WebSocket upgrade',
      { customRequestHeaders: { Connection: 'upgrade', Upgrade: 'WebSocket' } },
      { websocket: true },
    ],
    [
      'what Traefik sends anyway',
      { customRequestHeaders: { 'X-Forwarded-Proto': 'https' } },
      { websocket: false },
    ],
    [
      'what the catalogue has',
      { customResponseHeaders: { 'Cache-Control': 'no-store' } },
      { extras: ['no-store'] },
    ],
    ['robots kept out', { customResponseHeaders: { 'X-Robots-Tag': 'none' } }, { extras: ['no-index'] }],
    ['a header removed', { customResponseHeaders: { Server: '' } }, { extras: [] }],
  ])('%s', (_name, config, expected) => {
    const effect = read(config)
    expect(effect.ok ? effect.value : effect.msg).toMatchObject(expected)
  })

  test.each<[string, unknown, RegExp]>([
    ['nothing', {}, /sets nothing/],
    [
      'two origins',
      { accessControlAllowOriginList: ['https://a.example', 'https://b.example'] },
      /several CORS origins/,
    ],
    ['an origin pattern', { accessControlAllowOriginListRegex: ['.*'] }, /cannot say/],
    ['an origin with a path', { accessControlAllowOriginList: ['https://a.example/x'] }, /CORS origin/],
    [
      'credentials for all',
      { accessControlAllowOriginList: ['*'], accessControlAllowCredentials: true },
      /every origin send credentials/,
    ],
    ['a policy', { contentSecurityPolicy: "default-src 'self'" }, /Content-Security-Policy/],
    ['allowed hosts', { allowedHosts: ['a'] }, /allowedhosts/],
    ['a request header', { customRequestHeaders: { 'X-Token': 'abc' } }, /x-token/],
    [
      'a request header that is taken away',
      { customRequestHeaders: { 'Remote-User': '' } },
      /keeps the request header .remote-user. from the backend/,
    ],
    ['a response header', { customResponseHeaders: { 'X-Token': 'abc' } }, /X-Token/],
    ['no mapping', { customResponseHeaders: 'x' }, /no mapping/],
  ])('%s stays', (_name, config, reason) => {
    const effect = read(config)
    expect(effect.ok ? null : effect.msg).toMatch(reason)
  })

  test('the scheme of a plain request is not claimed to be https', () => {
    expect(read({ customRequestHeaders: { 'X-Forwarded-Proto': 'https' } }, false).ok).toBe(false)
  })
})

test.each<[string, unknown, string[] | null]>([
  ['retry', { attempts: '3', initialInterval: '100ms' }, ['retry']],
  ['Retry', { Attempts: 3, initialinterval: '100ms' }, ['retry']],
  ['retry', { attempts: 4, initialInterval: '100ms' }, null],
  ['compress', {}, ['compress']],
  ['compress', { minResponseBodyBytes: 5000 }, null],
  ['rateLimit', {}, null], // two entries of that type: which?
  ['rateLimit', { average: 100, burst: 200, period: '1s' }, ['rate-limit']],
  ['stripPrefix', { prefixes: ['/x'] }, null],
])('the catalogue answers %s %j with %j', (type, config, extras) => {
  const read = catalogueEffect({ name: 'x', type, config }, CONTEXT)
  expect(read.ok ? read.value.extras : null).toEqual(extras)
})
