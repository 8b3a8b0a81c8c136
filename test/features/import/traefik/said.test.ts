/** What changes its meaning by an import is said, and what is not at work today does not come alive unsaid. */
import { describe, expect, test } from 'vitest'
import { reportLines } from '../../../../src/features/import/report.ts'
import { fromTraefik } from '../../../../src/features/import/traefik.ts'
import type { TraefikDocument } from '../../../../src/features/import/traefik/inventory.ts'
import { CONTEXT } from './context.ts'

const site = (router: object = {}, more: object = {}) => ({
  routers: {
    app: { rule: 'Host(`app.example.com`)', service: 'app', entryPoints: ['websecure'], tls: {}, ...router },
  },
  services: { app: { loadBalancer: { servers: [{ url: 'http://10.0.0.1:80' }] } } },
  ...more,
})
const of = (http: object, more: object = {}): TraefikDocument => ({ file: 'a.yml', data: { http }, ...more })
const notes = (documents: readonly TraefikDocument[], context = CONTEXT): string =>
  fromTraefik(documents, context)
    .records.flatMap((record) => record.notes)
    .join('\n')

describe('the certificate resolver', () => {
  const bare = { ...CONTEXT, cert_resolver: null }
  test.each<[string, object, typeof CONTEXT, RegExp | null]>([
    [
      'that the installation lacks is dropped',
      { certResolver: 'le' },
      bare,
      /`le` is dropped.*PLUMBLINE_CERT_RESOLVER/,
    ],
    ['of another name', { certResolver: 'le' }, CONTEXT, /`le` becomes the installation's, `letsencrypt`/],
    ['of the same name', { certResolver: 'letsencrypt' }, CONTEXT, null],
    ['that was none', {}, CONTEXT, /named no certificate resolver.*obtained by `letsencrypt`/],
    ['that neither has', {}, bare, null],
  ])('%s', (_name, tls, context, said) => {
    const text = notes([of(site({ tls }))], context)
    if (said === null) expect(text).not.toContain('resolver')
    else expect(text).toMatch(said)
  })

  test('of a TCP route is said alike', () => {
    const tcp = {
      routers: {
        mail: {
          rule: 'HostSNI(`mail.example.com`)',
          service: 'mail',
          entryPoints: ['imaps'],
          tls: { certResolver: 'le', domains: [{ main: '*.example.com' }] },
        },
      },
      services: { mail: { loadBalancer: { servers: [{ address: '10.0.0.2:143' }] } } },
    }
    const text = notes([{ file: 'a.yml', data: { tcp } }], bare)
    expect(text).toMatch(/`le` is dropped/)
    expect(text).toContain('not for tls.domains')
  })

  test('of an internal service is none', () => {
    const lan = { ipAllowList: { sourceRange: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16'] } }
    const http = site({ tls: { certResolver: 'le' }, middlewares: ['lan'] }, { middlewares: { lan } })
    const text = notes([of(http)])
    expect(text).toMatch(/`le` is dropped: an internal service/)
    expect(text).toContain('besides `lan`, an internal service lets in 127.0.0.0/8, fc00::/7, ::1/128')
  })
})

describe('a rule of version 2', () => {
  test.each<[string, RegExp | null]>([
    ['HostRegexp(`{sub:[a-z0-9-]+}.example.com`)', /the pattern `\{sub:.*comes alive/],
    ['Host(`a.example.com`, `b.example.com`)', /several values in `Host`.*comes alive/],
    ['HostHeader(`a.example.com`)', /`HostHeader` of Traefik 2/],
    ['Host(`a.example.com`)', null],
    ['HostRegexp(`^[a-z0-9-]+\\.example\\.com$`)', null],
  ])('%s', (rule, said) => {
    const text = notes([of(site({ rule }))])
    if (said === null) expect(text).not.toContain('Traefik 2')
    else expect(text).toMatch(said)
    // Whoever says which syntax it is knows that it is served.
    expect(notes([of(site({ rule, ruleSyntax: 'v2' }))])).not.toContain('Traefik 2')
  })
})

test('a file that Traefik refuses whole does not come alive unsaid', () => {
  const refused = 'line 3: field not found, node: x'
  expect(notes([of(site(), { refused })])).toMatch(/Traefik refuses a\.yml whole \(line 3: .*comes alive/)
})

describe('two definitions of one name', () => {
  const gzip = (config: object) => ({ middlewares: { gzip: { compress: config } } })
  const user = of(site({ middlewares: ['gzip'] }, gzip({})))

  test('are one where they say the same', () => {
    const result = fromTraefik([user, { file: 'b.yml', data: { http: gzip({}) } }], CONTEXT)
    expect(result.records).toHaveLength(1)
    expect(result.leftovers).toEqual([
      { file: 'b.yml', where: 'http.middlewares.gzip', reason: 'says the same as in a.yml' },
    ])
  })

  test('are none where they do not', () => {
    const other = { file: 'b.yml', data: { http: gzip({ minResponseBodyBytes: 1 }) } }
    expect(fromTraefik([user, other], CONTEXT).records).toEqual([])
  })
})

test('what is no longer needed is said of the files given, and of no others', () => {
  const lines = reportLines(
    fromTraefik([of(site({}, { middlewares: { x: { compress: {} } } }))], CONTEXT),
  ).join('\n')
  expect(lines).toContain('is used by no router of these files')
  expect(lines).toMatch(/No longer needed by these files .*labels and files that were not given/)
})

describe('the headers of answers', () => {
  const built_in = [
    'Strict-Transport-Security',
    'Content-Security-Policy',
    'Permissions-Policy',
    'Referrer-Policy',
    'X-Content-Type-Options',
    'X-Frame-Options',
  ]
  const lines = (headers: object | null, router: object = {}) => {
    const more = headers === null ? {} : { middlewares: { sec: { headers } } }
    const http = site({ ...(headers === null ? {} : { middlewares: ['sec'] }), ...router }, more)
    return fromTraefik([of(http)], CONTEXT).records.flatMap(({ notes: said }) =>
      said.filter((one) => one.startsWith('the header')),
    )
  }

  test('that a record adds replace the backend’s own, and each is said, the gravest first', () => {
    const said = lines(null)
    expect(said.map((line) => line.split(' ')[2])).toEqual(built_in)
    for (const line of said) expect(line).toContain('in place of whatever the backend says')
    expect(said[0]).toContain(
      'max-age=31536000`, in place of whatever the backend says; browsers then refuse plain HTTP',
    )
    expect(said[1]).toContain("`frame-ancestors 'self'`")
  })

  test('that a record changes or drops are said with both values', () => {
    const said = lines({
      stsSeconds: '63072000',
      stsPreload: 'true',
      stsIncludeSubdomains: 'true',
      frameDeny: 'true',
      contentTypeNosniff: 'true',
      browserXssFilter: 'true',
    })
    expect(said[0]).toBe(
      'the header Strict-Transport-Security `max-age=63072000; includeSubDomains; preload` becomes `max-age=31536000`, without preload and includeSubDomains',
    )
    expect(said).toContain('the header X-Frame-Options `DENY` becomes `SAMEORIGIN`')
    expect(said).toContain(
      "the header X-XSS-Protection is no longer set to `1; mode=block`, and the backend's own passes",
    )
    expect(said.join('\n')).not.toContain('X-Content-Type-Options')
  })

  test('over plain HTTP have no HSTS', () => {
    expect(lines(null, { entryPoints: ['web'], tls: undefined }).join('\n')).not.toContain('Strict-Transport')
  })

  test('that are taken from the backend’s answers pass again', () => {
    expect(lines({ customResponseHeaders: { Server: '' } })).toContain(
      "the header Server is no longer taken from the backend's answers",
    )
  })

  test('stand first in the report, whichever record says them', () => {
    const other = { app: { rule: 'Host(`a.example.com`)', service: 'app', entryPoints: ['web'] } }
    const http = site({ middlewares: ['sec'] }, { middlewares: { sec: { headers: { stsSeconds: '600' } } } })
    const report = reportLines(
      fromTraefik([of({ ...http, routers: { ...http.routers, other: other.app } })], CONTEXT),
    )
    const at = report.indexOf('What differs under the records')
    expect(report[at + 1]).toMatch(/^ {2}the header Strict-Transport-Security `max-age=600` becomes/)
    expect(report[at + 2]).toMatch(/^ {2}the header Content-Security-Policy/)
  })
})

test('a star that the Traefik of the installation does not match is at work only as a record', () => {
  const star = [of(site({ rule: 'Host(`*.example.com`)' }))]
  expect(notes(star)).not.toContain('comes alive')
  expect(notes(star, { ...CONTEXT, traefik_version: [3, 6, 9] })).toMatch(/before Traefik 3\.7.*comes alive/)
})

describe('a second entrypoint of a kind', () => {
  const context = {
    ...CONTEXT,
    entrypoints: [...CONTEXT.entrypoints, { name: 'lan', port: 8443, kind: 'https' as const }],
  }
  test('alone keeps its router: a record would be reached by others', () => {
    const { records, leftovers } = fromTraefik([of(site({ entryPoints: ['lan'] }))], context)
    expect(records).toEqual([])
    expect(leftovers.map(({ reason }) => reason).join()).toMatch(
      /is on `lan`, and records stand on `websecure`/,
    )
  })
  test('beside the first is said to be left', () => {
    expect(notes([of(site({ entryPoints: ['websecure', 'lan'] }))], context)).toContain(
      'it no longer answers on `lan`',
    )
  })
})

test('a TCP router for every name that is asked first keeps the names behind it', () => {
  const tcp = (priority: object) => ({
    routers: {
      guard: { rule: 'HostSNI(`*`)', service: 'db', entryPoints: ['imaps'], ...priority },
      db: { rule: 'HostSNI(`db.example.com`)', service: 'db', entryPoints: ['imaps'], tls: {} },
    },
    services: { db: { loadBalancer: { servers: [{ address: '10.0.0.2:5432' }] } } },
  })
  const names = (priority: object) =>
    fromTraefik([{ file: 'a.yml', data: { tcp: tcp(priority) } }], CONTEXT).records.map(
      ({ input }) => input['domain'],
    )
  expect(names({})).toContain('db.example.com')
  expect(names({ priority: 500 })).not.toContain('db.example.com')
})

describe("the SSO's own rules, which ours stand instead of", () => {
  const sso = { forwardAuth: { address: 'http://authelia:9091/api/authz/forward-auth' } }
  const shut = of(site({ middlewares: ['sso'] }, { middlewares: { sso } }))
  const writing = (default_policy: string, ...named: string[]) => ({
    ...CONTEXT,
    access_rules: { default_policy, named: new Set(named) },
  })
  const said = /^(.*): what the SSO's own rules say of this host is not taken over/m
  test.each<[string, TraefikDocument, typeof CONTEXT, string | undefined]>([
    ['of a protected record', shut, writing('one_factor'), 'everybody who signs in gets in (one_factor)'],
    ['where nobody gets in', shut, writing('deny'), 'nobody gets in (deny)'],
    ['not of one with a policy of its own', shut, writing('one_factor', 'app.example.com'), undefined],
    ['not of an open one', of(site()), writing('one_factor'), undefined],
    ['not where no rules are written', shut, CONTEXT, undefined],
  ])('are said to be gone: %s', (_, document, context, who) => {
    expect(said.exec(notes([document], context))?.[1]).toBe(who)
  })
})
