/**
 * What an import does to requests. A small model of Traefik's routing (highest priority wins, by entrypoint and TLS) is
 * asked before and after: with the records' routers beside the files, and again with everything taken out of the files
 * that the report calls no longer needed. Every request must reach the same place behind the same lock.
 */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { importReport } from '../../../../src/features/import/report.ts'
import { fromTraefik } from '../../../../src/features/import/traefik.ts'
import type { TraefikImport } from '../../../../src/features/import/traefik/result.ts'
import { CONTEXT } from './context.ts'
import { runs, share } from '../../../kit/tier.ts'

interface Router {
  readonly name: string
  readonly hosts: readonly string[]
  readonly path: string | null
  readonly tls: boolean
  readonly priority: number
  /** Where requests end up: `redirect`, or a backend and its lock. */
  readonly outcome: string
}

interface Request {
  readonly host: string
  readonly path: string
  readonly tls: boolean
}

const HOSTS = ['a.example.com', 'b.example.com', 'c.example.com', '*.example.com', '*']
const REQUESTS: readonly Request[] = [
  'a.example.com',
  'b.example.com',
  'c.example.com',
  'd.example.com',
  'other.test',
].flatMap((host) => ['/', '/api/x'].flatMap((path) => [true, false].map((tls) => ({ host, path, tls }))))

/** The outcomes that are possible: one, or those of routers that tie, since Traefik's choice among them is not stable. */
function route(routers: readonly Router[], request: Request): readonly string[] {
  const matching = routers.filter((router) => matches(router, request))
  const top = Math.max(...matching.map(({ priority }) => priority))
  const outcomes = matching.filter(({ priority }) => priority === top).map(({ outcome }) => outcome)
  return outcomes.length === 0 ? ['nothing'] : [...new Set(outcomes)]
}

const matches = (router: Router, { host, path, tls }: Request): boolean =>
  router.tls === tls &&
  (router.path === null || path.startsWith(router.path)) &&
  router.hosts.some(
    (name) =>
      name === '*' ||
      name === host ||
      (name.startsWith('*.') && name.slice(2) === host.slice(host.indexOf('.') + 1)),
  )

const drawn = fc.record({
  hosts: fc.uniqueArray(fc.constantFrom(...HOSTS), { minLength: 1, maxLength: 2 }),
  path: fc.option(fc.constantFrom('/api', '/x'), { nil: null, freq: 4 }),
  tls: fc.oneof({ weight: 3, arbitrary: fc.constant(true) }, fc.constant(false)),
  priority: fc.oneof({ weight: 4, arbitrary: fc.constant(0) }, fc.constantFrom(1, 30, 600, 1000, 1500, 5000)),
  service: fc.constantFrom('one', 'two'),
  auth: fc.boolean(),
  redirect: fc.boolean(),
})
type Drawn = typeof drawn extends fc.Arbitrary<infer T> ? T : never

const matcher = (host: string): string => (host === '*' ? 'HostRegexp(`.+`)' : `Host(\`${host}\`)`)
const ruleOf = ({ hosts, path }: Drawn): string =>
  `(${hosts.map(matcher).join(' || ')})${path === null ? '' : ` && PathPrefix(\`${path}\`)`}`
const isRedirect = ({ tls, redirect }: Drawn): boolean => redirect && !tls

const written = (entry: Drawn) => ({
  rule: ruleOf(entry),
  service: entry.service,
  entryPoints: [entry.tls ? 'websecure' : 'web'],
  priority: entry.priority,
  middlewares: isRedirect(entry) ? ['https'] : entry.auth ? ['authelia'] : [],
  ...(entry.tls ? { tls: {} } : {}),
})

const modelled = (entry: Drawn, index: number): Router => ({
  name: `r${index}`,
  hosts: entry.hosts,
  path: entry.path,
  tls: entry.tls,
  priority: entry.priority === 0 ? ruleOf(entry).length : entry.priority,
  outcome: isRedirect(entry) ? 'redirect' : outcomeOf(BACKENDS[entry.service], entry.auth),
})

const BACKENDS = { one: '10.0.0.1', two: '10.0.0.2' }
const outcomeOf = (backend: string, auth: boolean): string => `${backend} ${auth ? 'locked' : 'open'}`

/** The routers that the routes target renders for the records. */
const rendered = ({ records }: TraefikImport): Router[] =>
  records.flatMap(({ input }) => {
    const priority = input.domain.startsWith('*.') ? 500 : 1000
    const site = { name: input.domain, hosts: [input.domain], path: null, priority }
    const outcome = outcomeOf(input.backend_host ?? '', input.auth_required === true)
    return input.ssl_enabled === true
      ? [
          { ...site, tls: true, outcome },
          { ...site, tls: false, outcome: 'redirect' },
        ]
      : [{ ...site, tls: false, outcome }]
  })

test('every request reaches the same place behind the same lock, before and after', () => {
  let made = 0
  fc.assert(
    fc.property(fc.array(drawn, { maxLength: 6 }), (entries) => {
      const http = {
        routers: Object.fromEntries(entries.map((entry, i) => [`r${i}`, written(entry)])),
        services: Object.fromEntries(
          Object.entries(BACKENDS).map(([name, host]) => [
            name,
            { loadBalancer: { servers: [{ url: `http://${host}:80` }] } },
          ]),
        ),
        middlewares: {
          authelia: { forwardAuth: { address: 'http://authelia:9091/api/authz/forward-auth' } },
          https: { redirectScheme: { scheme: 'https' } },
        },
      }
      const result = fromTraefik([{ file: 'a.yml', data: { http } }], CONTEXT)
      made += result.records.length
      const before = entries.map(modelled)
      const removable = new Set(importReport(result).removable.map(({ where }) => where))
      const kept = before.filter(({ name }) => !removable.has(`http.routers.${name}`))
      for (const request of REQUESTS) {
        const was = route(before, request)
        if (was.length > 1) continue
        // A record with TLS brings a redirect where nothing answered, or where the same site answered in the clear.
        const mayRedirect = was[0] === 'nothing' || route(before, { ...request, tls: true }).includes(was[0]!)
        const fine = mayRedirect ? [...was, 'redirect'] : was
        for (const after of [
          [...before, ...rendered(result)],
          [...kept, ...rendered(result)],
        ]) {
          const other = route(after, request).filter((outcome) => !fine.includes(outcome))
          expect({ request, was, other }).toEqual({ request, was, other: [] })
        }
      }
    }),
    { numRuns: runs(10_000) },
  )
  expect(made).toBeGreaterThan(share(10_000, 500))
})
