/**
 * Random and hostile Traefik configurations: nothing makes the import throw, nothing is dropped silently, every record
 * passes the rules, no name stands twice, and the SSO is claimed exactly where it was.
 */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { checkNew } from '../../../../src/model/domain/rules.ts'
import { reportLines } from '../../../../src/features/import/report.ts'
import { fromTraefik } from '../../../../src/features/import/traefik.ts'
import type { TraefikDocument } from '../../../../src/features/import/traefik/inventory.ts'
import { CONTEXT } from './context.ts'
import { unexplained } from './law.ts'
import { runs, share } from '../../../kit/tier.ts'

const junk = fc.oneof(
  fc.constantFrom<unknown>(null, true, 1, '', 'text', '{{ env }}', [], {}),
  fc.object({ maxDepth: 2 }),
)
/** Now and then something else. */
const mostly = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<unknown> =>
  fc.oneof({ weight: 60, arbitrary }, { weight: 1, arbitrary: junk })
/** Now and then with a key that does not belong there. */
const withSurprise = (arbitrary: fc.Arbitrary<object>, ...keys: readonly string[]): fc.Arbitrary<unknown> =>
  fc
    .tuple(arbitrary, fc.integer({ min: 0, max: 40 }), fc.constantFrom(...keys), junk)
    .map(([value, chance, key, surprise]) => (chance === 0 ? { ...value, [key]: surprise } : value))

const name = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'sso', 'ring', '__proto__', 'x.y', 'ü', '')
const reference = fc.oneof(
  { weight: 12, arbitrary: name },
  fc.constantFrom('a@file', 'a@docker', 'authelia@docker', 'api@internal', 'noop@internal'),
)
const host = fc.oneof(
  {
    weight: 9,
    arbitrary: fc.constantFrom(...'abcdefghijklmnop'.split('')).map((letter) => `${letter}.example.com`),
  },
  fc.constantFrom('*.example.com', '*.a.example.com', 'nas', 'ü.example', '{{ x }}', '*'),
)
const matcher = fc.oneof(
  { weight: 20, arbitrary: host.map((value) => `Host(\`${value}\`)`) },
  fc.constantFrom(
    'PathPrefix(`/api`)',
    'PathPrefix(`/`)',
    'HostRegexp(`^[a-z0-9-]+\\.example\\.com$`)',
    'HostRegexp(`.+`)',
    'ClientIP(`10.0.0.0/8`)',
    'Hots(`x`)',
    '',
  ),
)
const rule = fc.oneof(
  { weight: 6, arbitrary: matcher },
  fc
    .tuple(matcher, fc.constantFrom(' || ', ' || ', ' && ', ' ', '\n&& '), matcher)
    .map((parts) => parts.join('')),
  matcher.map((inner) => `!${inner}`),
)

const router = withSurprise(
  fc.record(
    {
      rule: mostly(rule),
      service: mostly(reference),
      entryPoints: mostly(
        fc.constantFrom<unknown>(['web'], ['websecure'], ['web', 'websecure'], 'websecure', ['lan']),
      ),
      middlewares: mostly(fc.array(reference, { maxLength: 2 })),
      tls: mostly(fc.constantFrom<unknown>({}, {}, { certResolver: 'le' }, { options: 'strict' })),
    },
    { requiredKeys: ['rule', 'service'] },
  ),
  'surprise',
  'priority',
  'observability',
  'TLS',
)
const prioritized = fc
  .tuple(
    router,
    fc.constantFrom<unknown>(undefined, undefined, undefined, 1, 30, 999, 1000, 5000, '-1', '010'),
  )
  .map(([value, priority]) =>
    priority === undefined || typeof value !== 'object' || value === null ? value : { ...value, priority },
  )

const url = fc.oneof(
  { weight: 9, arbitrary: fc.constantFrom('http://10.0.0.1:8080', 'http://backend/', 'https://10.0.0.2') },
  fc.constantFrom('https://10.0.0.2:8443', 'http://127.1', 'ftp://x', 'http://169.254.169.254', ''),
)
const servers = fc.oneof(
  { weight: 9, arbitrary: url.map((value) => [{ url: value }]) },
  fc.array(
    url.map((value) => ({ url: value })),
    { maxLength: 2 },
  ),
)
const service = fc.oneof(
  {
    weight: 9,
    arbitrary: withSurprise(
      fc.record({ servers: mostly(servers) }),
      'sticky',
      'serversTransport',
      'healthCheck',
      'passHostHeader',
    ).map((loadBalancer) => ({ loadBalancer })),
  },
  fc.record({
    weighted: fc.record({ services: fc.array(fc.record({ name: reference }), { maxLength: 2 }) }),
  }),
  fc.record({ failover: fc.record({ service: reference, fallback: reference }) }),
)
const middleware = fc.constantFrom<unknown>(
  { forwardAuth: { address: 'http://authelia:9091/api/authz/forward-auth' } },
  { forwardAuth: { address: 'http://gate:1/' } },
  { chain: { middlewares: ['a', 'b', 'ring'] } },
  { chain: { middlewares: ['sso'] } },
  { redirectScheme: { scheme: 'https' } },
  { redirectScheme: { scheme: 'http' } },
  { redirectRegex: { regex: '^https?://[^/]+/?$', replacement: '/x' } },
  { redirectRegex: { regex: '^(https?://[^/]+)/?$', replacement: '${1}/app' } },
  { compress: {} },
  { headers: { stsSeconds: 1 } },
  { headers: { customRequestHeaders: { 'X-A': 'b' } } },
  { headers: { accessControlAllowOriginList: ['https://a.example'] } },
  { ipAllowList: { sourceRange: ['10.0.0.0/8'] } },
  { ipWhiteList: { sourceRange: '10.0.0.0/8,192.168.0.0/16' } },
  { basicAuth: { users: ['a:b'] } },
  { compress: {}, retry: {} },
)
const named = (entry: fc.Arbitrary<unknown>, minKeys: number) =>
  mostly(fc.dictionary(name, mostly(entry), { minKeys, maxKeys: 9 }))
const http = withSurprise(
  fc.record({
    routers: named(prioritized, 1),
    services: named(service, 5),
    middlewares: named(middleware, 5),
  }),
  'serversTransports',
  'Services',
  'other',
)
const tcpRouter = withSurprise(
  fc.record(
    {
      rule: mostly(fc.oneof(host, fc.constant('*')).map((value) => `HostSNI(\`${value}\`)`)),
      service: mostly(name),
      entryPoints: mostly(fc.constantFrom<unknown>(['mqtt'], ['websecure'], 'ssh', ['lan'], ['ssh', 'mqtt'])),
      tls: fc.constantFrom<unknown>({}, {}, { passthrough: true }),
    },
    { requiredKeys: ['rule', 'service', 'entryPoints'] },
  ),
  'middlewares',
  'priority',
)
const tcpService = mostly(
  fc.constantFrom('10.0.0.3:5432', '[fd00::1]:22', 'db:5432', 'nowhere').map((address) => ({
    loadBalancer: { servers: [{ address }] },
  })),
)
const tcp = fc.record({ routers: named(tcpRouter, 0), services: named(tcpService, 4) })
const data = withSurprise(
  fc.record({ http: mostly(http), tcp: mostly(tcp) }, { requiredKeys: ['http'] }),
  'udp',
  'tls',
  'x-note',
  'HTTP',
)
const document = fc.oneof(
  { weight: 20, arbitrary: mostly(data).map((value) => ({ data: value })) },
  fc.constant({ unreadable: { line: 3, reason: 'is broken' } }),
)
const documents: fc.Arbitrary<TraefikDocument[]> = fc
  .oneof({ weight: 3, arbitrary: fc.tuple(document) }, fc.array(document, { maxLength: 3 }))
  .map((list) => list.map((entry, i) => ({ file: `${i}.yml`, ...entry })))

test('random configurations keep the law, and many of them make records', () => {
  let made = 0
  fc.assert(
    fc.property(documents, (files) => {
      const result = fromTraefik(files, CONTEXT)
      made += result.records.length
      expect(unexplained(files, result)).toEqual([])
      for (const { input } of result.records)
        expect(checkNew({ ...input }, CONTEXT.offer)).toMatchObject({ ok: true })
      const domains = result.records.map(({ input }) => input.domain)
      expect(domains).toEqual([...new Set(domains)].toSorted())
      for (const leftover of result.leftovers) expect(leftover.reason).not.toBe('')
      reportLines(result)
    }),
    { numRuns: runs(5000) },
  )
  expect(made).toBeGreaterThan(share(5000, 500))
})

test('configurations of any shape are survived', () => {
  fc.assert(
    fc.property(
      fc.anything({ withNullPrototype: true, maxDepth: 5 }),
      fc.object({ key: fc.constantFrom('http', 'routers', 'a', 'rule') }),
      (one, two) => {
        reportLines(
          fromTraefik(
            [
              { file: 'one.yml', data: one },
              { file: 'two.yml', data: { http: two } },
            ],
            CONTEXT,
          ),
        )
      },
    ),
    { numRuns: runs(2000) },
  )
})

describe('the SSO', () => {
  const links: Readonly<Record<string, unknown>> = {
    authelia: { forwardAuth: { address: 'http://authelia:9091/api/verify?rd=https://auth.example/' } },
    gate: { forwardAuth: { address: 'http://gate:4181/' } },
    headers: { headers: { frameDeny: true } },
    squeeze: { compress: {} },
    closed: { chain: { middlewares: ['headers', 'authelia'] } },
    nested: { chain: { middlewares: ['closed', 'squeeze'] } },
    open: { chain: { middlewares: ['headers', 'squeeze'] } },
    passwords: { basicAuth: { users: ['a:b'] } },
    lan: { ipAllowList: { sourceRange: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16'] } },
  }
  const LOCKS: readonly string[] = [
    'authelia',
    'closed',
    'nested',
    'authelia@docker',
    'our-login@file',
    'authelia@file',
  ]
  const UNSAYABLE: readonly string[] = ['gate', 'passwords', 'gone', 'closed@docker', 'gate@file']

  test('is required exactly where a router had it, and a router with another lock stays', () => {
    const pick = fc.uniqueArray(fc.constantFrom(...Object.keys(links), ...LOCKS, ...UNSAYABLE), {
      maxLength: 4,
    })
    fc.assert(
      fc.property(pick, (middlewares) => {
        const http = {
          routers: {
            app: {
              rule: 'Host(`app.example.com`)',
              service: 'app',
              entryPoints: ['websecure'],
              tls: {},
              middlewares,
            },
          },
          services: { app: { loadBalancer: { servers: [{ url: 'http://10.0.0.1' }] } } },
          middlewares: links,
        }
        const { records } = fromTraefik([{ file: 'a.yml', data: { http } }], CONTEXT)
        const sayable = !middlewares.some((link) => UNSAYABLE.includes(link))
        expect(records.map(({ input }) => input.auth_required)).toEqual(
          sayable ? [middlewares.some((link) => LOCKS.includes(link))] : [],
        )
      }),
      { numRuns: runs(1000) },
    )
  })
})

test('a host is never taken while a router with another answer for it stays', () => {
  const answers = fc.uniqueArray(
    fc.record({
      host: fc.constantFrom('a.example.com', 'b.example.com'),
      tail: fc.constantFrom('', ' && PathPrefix(`/api`)', ' && ClientIP(`10.0.0.0/8`)'),
      service: fc.constantFrom('one', 'two'),
      priority: fc.constantFrom(0, 500, 2000),
    }),
    { maxLength: 5, selector: ({ host, tail, priority }) => `${host}${tail}${priority}` },
  )
  fc.assert(
    fc.property(answers, (list) => {
      const routers = Object.fromEntries(
        list.map(({ host, tail, service: target, priority }, i) => [
          `r${i}`,
          {
            rule: `Host(\`${host}\`)${tail}`,
            service: target,
            priority,
            entryPoints: ['websecure'],
            tls: {},
          },
        ]),
      )
      const balancer = (url: string) => ({ loadBalancer: { servers: [{ url }] } })
      const services = { one: balancer('http://10.0.0.1'), two: balancer('http://10.0.0.2') }
      const { records } = fromTraefik([{ file: 'a.yml', data: { http: { routers, services } } }], CONTEXT)
      const alone = ['a.example.com', 'b.example.com'].filter((host) => {
        const same = list.filter((entry) => entry.host === host)
        return same.length === 1 && same[0]!.tail === ''
      })
      expect(records.map(({ input }) => input.domain)).toEqual(alone)
    }),
    { numRuns: runs(1000) },
  )
})

test('chains of chains cannot be multiplied into work without end', () => {
  const links = Object.fromEntries(
    Array.from({ length: 60 }, (_, i) => [`m${i}`, { chain: { middlewares: [`m${i + 1}`, `m${i + 1}`] } }]),
  )
  const http = {
    routers: { app: { rule: 'Host(`app.example.com`)', service: 'app', middlewares: ['m0'] } },
    middlewares: { ...links, m60: { compress: {} } },
  }
  const { records, leftovers } = fromTraefik([{ file: 'a.yml', data: { http } }], CONTEXT)
  expect(records).toEqual([])
  expect(leftovers.find(({ where }) => where === 'http.routers.app')?.reason).toMatch(
    /more than 100 middlewares/,
  )
})
