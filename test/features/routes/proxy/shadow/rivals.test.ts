/** Whom the proxy asks first where HTTP and TCP routers meet at one entry point: over TLS a name goes before the kind. */
import { describe, expect, it } from 'vitest'
import type { Door } from '../../../../../src/features/routes/render/doors.ts'
import { Rivals } from '../../../../../src/features/routes/proxy/shadow/rivals.ts'
import { workOfLook } from '../../../../../src/features/routes/proxy/shadow/work.ts'
import type { ProxyRouter } from '../../../../../src/features/routes/traefik/port.ts'

const APP = 'app.example.com'
const STAR = '*.example.com'
const NEWEST = '3.7.9'

const router = (kind: 'http' | 'tcp', rule: string, more: Partial<ProxyRouter> = {}): ProxyRouter => ({
  kind,
  name: 'theirs@docker',
  provider: 'docker',
  rule,
  entrypoints: ['websecure'],
  middlewares: [],
  service: 'theirs@docker',
  tls: true,
  cert_resolver: null,
  priority: null,
  status: 'enabled',
  errors: [],
  ...more,
})

const rivalsOf = (theirs: ProxyRouter, version = NEWEST): Rivals =>
  new Rivals({ version, routers: [theirs], middlewares: [] }, () => false)

interface Meeting {
  readonly domain?: string
  readonly version?: string
}

/** Of a router of ours with this rule. */
function stance(own: ProxyRouter, theirs: ProxyRouter, { domain = APP, version }: Meeting = {}) {
  return rivalsOf(theirs, version).of({ router: own, domain }, workOfLook())[0]?.stance ?? null
}

const http = (rule: string): ProxyRouter => router('http', rule, { name: 'ours@file', priority: 1000 })
const tcp = (rule: string): ProxyRouter => router('tcp', rule, { name: 'ours@file', priority: 1000 })

describe('over TLS, before an HTTP router of ours', () => {
  it.each<[string, string, string, string | null]>([
    ['Host("app.example.com")', APP, 'HostSNI(`app.example.com`)', null],
    ['Host("app.example.com")', APP, 'HostSNIRegexp(`.*`)', null],
    ['Host("app.example.com")', APP, 'HostSNI(`*`)', null],
    ['Host("app.example.com")', APP, 'ClientIP(`10.0.0.0/8`)', null],
    ['Host("*.example.com")', STAR, 'HostSNI(`app.example.com`)', null],
    ['HostRegexp("^[a-z0-9-]+[.]example[.]com$")', STAR, 'HostSNI(`app.example.com`)', 'takes_some'],
    ['HostRegexp("^[a-z0-9-]+[.]example[.]com$")', STAR, 'HostSNIRegexp(`.*`)', 'takes_all'],
    ['HostRegexp("^[a-z0-9-]+[.]example[.]com$")', STAR, 'HostSNI(`*`)', null],
  ])('%s of %s, %s says %s', (rule, domain, theirs, expected) => {
    for (const priority of [null, 5000])
      expect(stance(http(rule), router('tcp', theirs, { priority }), { domain })).toBe(expected)
  })

  it('what a star is worth is not known of an unknown version', () => {
    const theirs = router('tcp', 'HostSNI(`app.example.com`)')
    expect(stance(http('Host("*.example.com")'), theirs, { domain: STAR, version: 'dev' })).toBe('not_judged')
  })
})

describe('over TLS, before a TCP router of ours', () => {
  it.each<[string, string, string | null]>([
    ['Host(`app.example.com`)', APP, 'takes_all'],
    ['Host(`app.example.com`) && PathPrefix(`/api`)', APP, 'takes_all'],
    ['Host(`other.example.com`) || Host(`app.example.com`)', APP, 'takes_all'],
    ['Host(`app.example.com`) || PathPrefix(`/api`)', APP, 'takes_all'],
    ['Host(`*.example.com`)', APP, 'takes_all'],
    ['Host(`app.example.com`)', STAR, 'takes_some'],
    ['Host(`other.example.com`)', APP, null],
    ['HostRegexp(`.+`)', APP, null],
    ['PathPrefix(`/`)', APP, null],
    ['Host(`*`)', APP, null],
    ['HostHeader(`app.example.com`)', APP, null],
    // Before Traefik's #13725 it was taken for named.
    ['PathPrefix(`/`) && !Host(`app.example.com`)', APP, 'not_judged'],
    ['!(Method(`GET`) && !Host(`app.example.com`))', APP, 'takes_all'],
  ])('%s over %s says %s', (rule, domain, expected) => {
    const own = tcp(domain === STAR ? 'HostSNI("*.example.com")' : 'HostSNI("app.example.com")')
    for (const priority of [null, 5000])
      expect(stance(own, router('http', rule, { priority }), { domain })).toBe(expected)
  })

  it.each<[string, string | null]>([
    ['3.6.9', null],
    ['dev', 'not_judged'],
  ])('a star of version %s says %s', (version, expected) => {
    const theirs = router('http', 'Host(`*.example.com`)')
    expect(stance(tcp('HostSNI("app.example.com")'), theirs, { version })).toBe(expected)
  })

  it('the redirect of the proxy itself names nobody', () => {
    const theirs = router('http', 'HostRegexp(`^.+$`)', { provider: 'internal', priority: 9e15 })
    expect(stance(tcp('HostSNI("app.example.com")'), theirs)).toBeNull()
  })
})

it.each<['http' | 'tcp', string | null]>([
  ['http', 'takes_all'],
  ['tcp', null],
])('without TLS a TCP router is asked first, whatever the %s one of ours names', (kind, expected) => {
  const own = router(kind, kind === 'http' ? 'Host("app.example.com")' : 'HostSNI("*")', { tls: false })
  const theirs = router(
    kind === 'http' ? 'tcp' : 'http',
    kind === 'http' ? 'HostSNI(`*`)' : 'Host(`app.example.com`)',
    { tls: false },
  )
  expect(stance(own, theirs)).toBe(expected)
})

describe('what loses its requests to a new router of ours', () => {
  const door = (more: Partial<Door>): Door => ({
    kind: 'http',
    entrypoint: 'websecure',
    tls: true,
    priority: 1000,
    any_name: false,
    names_host: true,
    redirects: false,
    ...more,
  })
  const HTTPS = door({})
  const PATTERN = door({ names_host: false })
  const TCP = door({ kind: 'tcp', names_host: false })
  it.each<[string, Door, string, ProxyRouter, string | null]>([
    ['HTTPS', HTTPS, APP, router('tcp', 'HostSNI(`app.example.com`)'), 'all'],
    ['HTTPS', HTTPS, APP, router('tcp', 'HostSNI(`app.example.com`)', { priority: 5000 }), 'all'],
    ['HTTPS', HTTPS, APP, router('tcp', 'HostSNI(`*`)'), 'all'],
    ['HTTPS', HTTPS, APP, router('tcp', 'HostSNI(`other.example.com`)'), null],
    ['a named star', HTTPS, STAR, router('tcp', 'HostSNI(`app.example.com`)'), 'some'],
    ['a pattern', PATTERN, STAR, router('tcp', 'HostSNI(`app.example.com`)'), null],
    ['a pattern', PATTERN, STAR, router('tcp', 'HostSNI(`*`)'), 'all'],
    ['TCP', TCP, APP, router('http', 'Host(`app.example.com`)'), null],
    ['TCP', TCP, APP, router('http', 'Host(`*.example.com`)'), null],
    ['TCP', TCP, APP, router('http', 'PathPrefix(`/`)'), 'all'],
    ['TCP', TCP, APP, router('http', 'HostRegexp(`^app[.]example[.]com$`) && Path(`/x`)'), 'some'],
    ['a TCP star', TCP, STAR, router('http', 'Host(`app.example.com`)'), null],
    ['plain HTTP', door({ tls: false }), APP, router('tcp', 'HostSNI(`*`)', { tls: false }), null],
  ])('%s: %o', (_, at, domain, theirs, expected) => {
    expect(rivalsOf(theirs).outranked(at, domain, workOfLook())[0]?.reach ?? null).toBe(expected)
  })
})
