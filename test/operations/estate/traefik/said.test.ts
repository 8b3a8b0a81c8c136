/** What changes its meaning by an import is said, and what is not at work today does not come alive unsaid. */
import { describe, expect, test } from 'vitest'
import { reportLines } from '../../../../src/operations/estate/report.ts'
import { fromTraefik } from '../../../../src/operations/estate/traefik.ts'
import type { TraefikDocument } from '../../../../src/operations/estate/traefik/inventory.ts'
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
