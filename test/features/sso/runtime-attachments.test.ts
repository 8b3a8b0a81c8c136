/** Which routers of the running proxy ask the SSO provider: chains expanded, entrypoints counted, names not believed. */
import { expect, it } from 'vitest'
import { evaluateProxy } from '../../../src/features/sso/sign-in/evaluate-attachments.ts'
import { runtimeRouters } from '../../../src/features/sso/sign-in/runtime-attachments.ts'
import type {
  ProxyMiddleware,
  ProxyRouter,
  ProxySnapshot,
} from '../../../src/features/routes/traefik/port.ts'

const URL_OF_SSO = 'http://authelia:9091/api/authz/forward-auth'

const ASKED = { forward_auth_url: URL_OF_SSO, mayOpen: () => false }

const middleware = (name: string, over: Partial<ProxyMiddleware> = {}): ProxyMiddleware => ({
  name,
  provider: 'file',
  type: 'forwardAuth',
  status: 'enabled',
  errors: [],
  members: [],
  forward_auth_address: null,
  forward_auth_believes: false,
  ...over,
})
const router = (over: Partial<ProxyRouter> = {}): ProxyRouter => ({
  kind: 'http',
  name: 'plumbline-site_app.example.com@file',
  provider: 'file',
  rule: 'Host("app.example.com")',
  entrypoints: ['websecure'],
  middlewares: [],
  service: 'plumbline-site_app.example.com',
  tls: true,
  cert_resolver: null,
  priority: 1000,
  status: 'enabled',
  errors: [],
  ...over,
})
const SSO = middleware('plumbline-sso@file', {
  forward_auth_address: URL_OF_SSO,
  forward_auth_believes: true,
})
const CHAIN = (name: string, ...members: string[]) => middleware(name, { type: 'chain', members })

const snapshot = (
  routers: readonly ProxyRouter[],
  middlewares: readonly ProxyMiddleware[] = [SSO],
  before: readonly string[] = [],
  believes: readonly string[] = [],
): ProxySnapshot => ({
  at: 0,
  version: '3.6.2',
  started_at: null,
  entrypoints: [
    { name: 'web', address: ':80', middlewares: [], believes: [] },
    { name: 'websecure', address: ':443', middlewares: before, believes },
  ],
  routers,
  middlewares,
  services: [],
})

const attached = { middlewares: ['plumbline-security-headers@file', 'plumbline-sso@file'] }

it.each<[string, ProxySnapshot, boolean]>([
  ['listed by the router', snapshot([router(attached)]), true],
  ['not listed', snapshot([router()]), false],
  [
    'within a chain in a chain',
    snapshot(
      [router({ middlewares: ['a@file'] })],
      [SSO, CHAIN('a@file', 'b@file'), CHAIN('b@file', SSO.name)],
    ),
    true,
  ],
  [
    'a chain that holds itself',
    snapshot(
      [router({ middlewares: ['a@file'] })],
      [SSO, CHAIN('a@file', 'b@file'), CHAIN('b@file', 'a@file')],
    ),
    false,
  ],
  ['before all routes of the entrypoint', snapshot([router()], [SSO], [SSO.name]), true],
  [
    'before only one of its entrypoints',
    snapshot([router({ entrypoints: ['web', 'websecure'] })], [SSO], [SSO.name]),
    false,
  ],
  [
    'a middleware of that name asks somebody else',
    snapshot([router(attached)], [{ ...SSO, forward_auth_address: 'http://evil/ok' }]),
    false,
  ],
  [
    'a middleware of that name asks nobody',
    snapshot([router(attached)], [{ ...SSO, type: 'headers', forward_auth_address: null }]),
    false,
  ],
  ['it is disabled', snapshot([router(attached)], [{ ...SSO, status: 'disabled' }]), false],
  ['it is missing', snapshot([router(attached)], []), false],
  [
    'another name asks the provider',
    snapshot([router({ middlewares: ['auth@docker'] })], [{ ...SSO, name: 'auth@docker' }]),
    true,
  ],
  [
    'the address is written otherwise',
    snapshot(
      [router(attached)],
      [{ ...SSO, forward_auth_address: 'http://AUTHELIA:9091/api/authz/forward-auth?x=1' }],
    ),
    true,
  ],
])('%s: %o', (_, seen, is_protected) => {
  expect(runtimeRouters(seen, ASKED).map((one) => one.is_protected)).toEqual([is_protected])
})

it('redirects, the proxy’s own services and disabled routers lead to no backend', () => {
  const routers = [
    router({ service: 'noop@internal' }),
    router({ status: 'disabled' }),
    router({ kind: 'tcp' }),
  ]
  expect(runtimeRouters(snapshot(routers), ASKED)).toEqual([])
})

it.each<[string, readonly string[]]>([
  ['Host("a.example.com") || Host(`B.example.com`)', ['a.example.com', 'b.example.com']],
  ['Host("a.example.com", "b.example.com") && PathPrefix("/x")', ['a.example.com', 'b.example.com']],
  ['HostRegexp("^[a-z0-9-]+[.]example[.]com$")', ['*.example.com']],
  ['Host("*.example.com")', ['*.example.com']],
  ['HostRegexp(`^(www|app)[.]example[.]net$`)', ['^(www|app)[.]example[.]net$']],
  ['Host("a.example.com.") && !Host("b.example.com")', ['a.example.com']],
  ['Host("a.ex\\x61mple.com")', ['a.example.com']],
  ['Path("/Host(`b.example.com`)")', []],
  ['PathPrefix("/api")', []],
])('%s is for %j', (rule, hosts) => {
  expect(runtimeRouters(snapshot([router({ rule })]), ASKED)[0]!.hosts).toEqual(hosts)
})

const flag = (auth_required: boolean, released: boolean | null = auth_required) => ({
  domain: 'app.example.com',
  auth_required,
  released,
})

it('a second router without the check is what is told, whoever made it', async () => {
  const other = router({ name: 'app@docker', provider: 'docker' })
  const { entries } = await evaluateProxy([flag(true)], snapshot([router(attached), other]), ASKED)
  expect(entries).toMatchObject([
    { list: 'missing_middleware', cause: 'proxy_differs', domain: 'app.example.com' },
  ])
  expect(entries[0]!.detail).toContain('app@docker')
})

it('a check before an open route is too much; a saved change waits for its deploy', async () => {
  const seen = snapshot([router(attached)])
  expect((await evaluateProxy([flag(false)], seen, ASKED)).entries).toMatchObject([
    { list: 'extra_middleware' },
  ])
  expect((await evaluateProxy([flag(false, true)], seen, ASKED)).entries).toMatchObject([
    { cause: 'pending_deploy' },
  ])
})

it('a route that the proxy does not run, a router for any host, and a proxy that does not answer are unknown', async () => {
  const any = router({ name: 'all@file', rule: 'PathPrefix("/")' })
  const { unknown, entries } = await evaluateProxy([flag(true)], snapshot([any]), ASKED)
  expect(entries).toEqual([])
  expect(unknown.map(({ domain, detail }) => [domain, detail])).toEqual([
    [null, expect.stringContaining('all@file')],
    ['app.example.com', expect.stringContaining('runs no route')],
  ])
  expect((await evaluateProxy([flag(true)], null, ASKED)).unknown).toMatchObject([{ cause: 'unreadable' }])
})

const OURSELVES = middleware('own@file', { forward_auth_address: URL_OF_SSO })

it.each<[string, ProxyRouter, readonly string[], boolean]>([
  ['nobody', router(attached), [], false],
  [
    'the proxies in front of it',
    router(attached),
    ['192.168.1.3', '10.0.0.0/8', 'fc00::/7', '104.16.0.0/13'],
    false,
  ],
  ['everybody', router(attached), ['0.0.0.0/0', '::/0'], true],
  ['half of everybody', router(attached), ['128.0.0.0/1'], true],
  ['whoever has an assigned IPv6 address', router(attached), ['2000::/3'], true],
  [
    'everybody, and the route is elsewhere',
    router({ ...attached, entrypoints: ['web'] }),
    ['0.0.0.0/0'],
    false,
  ],
  [
    'everybody, and a check looks for itself',
    router({ middlewares: [...attached.middlewares, OURSELVES.name] }),
    ['0.0.0.0/0'],
    false,
  ],
])('an entrypoint that believes %s', async (_, one, believes, is_weak) => {
  const { entries } = await evaluateProxy(
    [flag(true)],
    snapshot([one], [SSO, OURSELVES], [], believes),
    ASKED,
  )
  expect(entries.map(({ list, cause }) => `${list} ${cause}`)).toEqual(
    is_weak ? ['weaker_policy believes_everybody'] : [],
  )
  // An open route has nothing to forge.
  const open = await evaluateProxy([flag(false)], snapshot([router()], [SSO], [], believes), ASKED)
  expect(open.entries).toEqual([])
})

it('a router of open paths of ours is no hole, and one of our name that opens more is', async () => {
  const name = 'plumbline-open_app.example.com'
  const rule = 'Host("app.example.com") && PathRegexp("^/healthz$")'
  const mayOpen = (one: { name: string; rule: string }) => one.name === name && one.rule === rule
  const entriesWith = async (over: Partial<ProxyRouter>) => {
    const seen = snapshot([router(attached), router({ name: `${name}@file`, rule, ...over })])
    return (await evaluateProxy([flag(true)], seen, { ...ASKED, mayOpen })).entries
  }
  expect(await entriesWith({})).toEqual([])
  expect(await entriesWith({ rule: 'Host("app.example.com") && PathRegexp("^/.*$")' })).toMatchObject([
    { list: 'missing_middleware', domain: 'app.example.com' },
  ])
  expect(await entriesWith({ name: `${name}@docker` })).toMatchObject([{ list: 'missing_middleware' }])
})

/** A router of somebody's beside our protected one. */
const beside = async (rule: string, over: Partial<ProxyRouter> = {}) => {
  const other = router({ name: 'x@docker', provider: 'docker', rule, priority: 5000, ...over })
  const seen = { ...snapshot([router(attached), other]), version: '3.7.9' }
  const flag = { domain: 'app.example.com', auth_required: true, released: true }
  return (await evaluateProxy([flag], seen, ASKED)).entries.map(({ domain, cause }) => [domain, cause])
}

it.each([
  'Host(`app.example.com`) && PathPrefix(`/admin`)',
  'Host(`app.example.com.`) && PathPrefix(`/admin`)',
  'Host("app.ex\\x61mple.com") && PathPrefix("/admin")',
  'Host(`*.example.com`) && PathPrefix(`/admin`)',
  'HostRegexp(`^app[.]example[.]com$`) && PathPrefix(`/admin`)',
  'HostRegexp(`(?i)^APP[.]example[.]com$`) && PathPrefix(`/admin`)',
  'HostRegexp(`^[a-z]+[.]example[.]com$`)',
  'Host(`other.example.com`) || HostRegexp(`^app[.]example`) && !Path(`/`)',
])('a router around our check is told however it spells the host: %s', async (rule) => {
  expect(await beside(rule)).toEqual([['app.example.com', 'proxy_differs']])
})

it.each<[string, Partial<ProxyRouter>]>([
  ['HostRegexp(`^app[.]example[.]com$`)', { priority: 10 }],
  ['HostRegexp(`^app[.]example[.]com$`)', { entrypoints: ['inside'] }],
  ['HostRegexp(`^app[.]example[.]com$`)', attached],
  ['HostRegexp(`^other[.]example[.]com$`)', {}],
  ['Host(`other.example.com`)', {}],
  ['HostRegexp(`.+`) && PathPrefix(`/.well-known/`)', {}],
])(
  'one that is asked later, elsewhere, for others or for all, or that asks to sign in, is not: %s %j',
  async (rule, over) => {
    expect(await beside(rule, over)).toEqual([])
  },
)

const unknownBeside = async (rule: string, over: Partial<ProxyRouter> = {}) => {
  const other = router({ name: 'x@docker', provider: 'docker', rule, ...over })
  const seen = { ...snapshot([router(attached), other]), version: '3.7.9' }
  return (await evaluateProxy([flag(true)], seen, ASKED)).unknown.map(({ detail }) => detail)
}

it.each<[string, number]>([
  ['HostRegexp(`^(www|shop)[.]example[.]net$`)', 5000],
  ['HostRegexp(`^(.+[.])?example[.]net$`) && PathPrefix(`/`)', 5000],
  // The usual page for what nobody serves.
  ['HostRegexp(`(.+)`)', 1],
  ['HostRegexp(`.+`)', 1],
])('a pattern with a group is a host like any other: %s', async (rule, priority) => {
  expect(await unknownBeside(rule, { priority })).toEqual([])
})

it.each<[string, number]>([
  ['PathPrefix(`/`)', 1],
  ['!Host(`other.example.com`)', 1],
  ['HostRegexp(`.+`) && PathPrefix(`/admin`)', 5000],
  ['HostRegexp(`(.+)`) && PathPrefix(`/admin`)', 5000],
])(
  'a router for any host is unknown, before the check also where it says so by a pattern: %s',
  async (rule, priority) => {
    expect(await unknownBeside(rule, { priority })).toEqual([
      expect.stringContaining('x@docker is for any host'),
    ])
  },
)
