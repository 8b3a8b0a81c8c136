/** A protected star over a sign-in page that is served elsewhere: which router wins is what the proxy says. */
import { expect, it } from 'vitest'
import { evaluateSignIn } from '../../../src/features/sso/sign-in/evaluate-sign-in.ts'
import type { ProxyRouter, ProxySnapshot } from '../../../src/features/routes/traefik/port.ts'
import type { SignIn } from '../../../src/features/sso/sign-in-port.ts'
import { rowOf } from './target/rows.ts'

const SIGN_IN: SignIn = {
  portals: ['auth.example.com'],
  cookie_domains: ['example.com'],
  has_second_factor: true,
  own_rules: null,
  sessions: { outlive_restarts: null, watches_users: null, refresh_interval: null },
  no_endpoint: null,
  place: null,
  fault: null,
}

const portalRouter = (over: Partial<ProxyRouter>): ProxyRouter => ({
  kind: 'http',
  name: 'authelia@docker',
  provider: 'docker',
  rule: 'Host(`auth.example.com`)',
  entrypoints: ['websecure'],
  middlewares: [],
  service: 'authelia@docker',
  tls: true,
  cert_resolver: null,
  priority: 24,
  status: 'enabled',
  errors: [],
  ...over,
})

const running = (...routers: ProxyRouter[]): ProxySnapshot => ({
  at: 0,
  version: '3.6.2',
  started_at: null,
  entrypoints: [{ name: 'websecure', address: ':443', middlewares: [], believes: [] }],
  routers,
  middlewares: [],
  services: [],
})

it.each<[string, ProxySnapshot | null, number, number]>([
  ['nobody can be asked', null, 0, 1],
  ['its router has the priority of a rule’s length', running(portalRouter({})), 1, 0],
  ['its router ranks above the star', running(portalRouter({ priority: 1000 })), 0, 0],
  ['its router is disabled', running(portalRouter({ priority: 1000, status: 'disabled' })), 1, 0],
  ['there is no router for it', running(), 1, 0],
])('%s', (_, snapshot, shut_out, unknown) => {
  const found = evaluateSignIn({
    working: { rows: [rowOf({ domain: '*.example.com' })] },
    sites: [],
    sign_in: SIGN_IN,
    snapshot,
    routers: { forward_auth_url: 'http://authelia:9091/api/authz/forward-auth', mayOpen: () => false },
  })
  expect([found.entries.length, found.unknown.length]).toEqual([shut_out, unknown])
})

it('a sign-in page outside its own cookie domains, and a configuration that cannot be read', () => {
  const sides = {
    working: { rows: [] },
    sites: [],
    snapshot: null,
    routers: { forward_auth_url: '', mayOpen: () => false },
  }
  const elsewhere = evaluateSignIn({ ...sides, sign_in: { ...SIGN_IN, portals: ['login.example.org'] } })
  expect(elsewhere.unknown.map(({ domain, cause }) => `${domain} ${cause}`)).toEqual([
    'login.example.org not_seen',
  ])
  const unread = evaluateSignIn({ ...sides, sign_in: { ...SIGN_IN, place: '/c.yml', fault: 'is a list' } })
  expect(unread.unknown).toMatchObject([{ cause: 'unreadable', domain: null }])
})
