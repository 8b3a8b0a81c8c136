/** What a stranger's routes file lets in beyond the released one: what cannot be told counts as open, what only closes does not. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { routesCodec } from '../../../../src/features/routes/target/codec.ts'
import { textOf } from '../../../../src/features/routes/render/text.ts'
import { renderRoutes } from '../../../../src/features/routes/target/desire.ts'
import { MAX_COMPARED_BYTES } from '../../../../src/features/routes/target/explain.ts'
import { opensRoutes } from '../../../../src/features/routes/opens/opens.ts'
import type { OwnMiddleware } from '../../../../src/features/routes/render/settings.ts'
import { anIntent } from '../../../fixtures.ts'
import { estateArbitrary } from './arbitrary-estate.ts'
import { fileOf } from './memory-file.ts'
import { someSettings } from './settings.ts'

const users: OwnMiddleware = {
  type: 'basicAuth',
  config: { usersFile: '/etc/users' },
  position: 'before_sso',
  since: [3, 0, 0],
  changes_path: false,
  unfit_for: {},
  description: '',
}
const settings = someSettings({
  own_middlewares: new Map([['users', users]]),
  open_paths: new Map([['wiki.example.com', ['/public/']]]),
})
const desired = renderRoutes(
  anIntent(
    { domain: 'admin.example.com', backend_host: '10.0.0.1', backend_port: 80 },
    { domain: 'api.example.com', service_type: 'api', backend_host: '10.0.0.2', auth_required: false },
    { domain: 'home.example.com', service_type: 'internal', backend_host: '10.0.0.3', auth_required: false },
    {
      domain: 'notes.example.com',
      backend_host: '10.0.0.4',
      auth_required: false,
      middleware_config: { extra_middlewares: ['users'] },
    },
    { domain: 'open.example.com', backend_host: '10.0.0.5', auth_required: false },
    { domain: 'twin.example.com', backend_host: '10.0.0.5' },
    { domain: 'wiki.example.com', backend_host: '10.0.0.7' },
    { domain: 'files.example.com', backend_host: 'nas.lan', backend_port: 8443 },
    { domain: 'six.example.com', backend_host: '2001:db8::5', backend_port: 9000 },
    { domain: 'here.example.com', backend_host: '127.0.0.1', backend_port: 9001 },
    { domain: 'db.example.com', service_type: 'tcp-proxy', backend_host: '10.0.0.6', backend_port: 5432 },
    {
      domain: 'pve.example.com',
      backend_host: '10.0.0.8',
      backend_scheme: 'https',
      backend_tls: { trust: 'system', server_name: 'pve.lan' },
    },
  ),
  settings,
)
const TEXT = textOf(desired.chunks)

/** Where a record's router stands in the file. */
function router(domain: string, edit: (text: string) => string, text = TEXT): string {
  const head = text.indexOf('  routers:\n')
  const start = text.indexOf(`    "plumbline-site_${domain}":\n`, head)
  const [block = ''] = /^ {4}.*\n(?: {5,}.*\n)*/.exec(text.slice(start)) ?? []
  expect(block, domain).toContain('rule:')
  return text.slice(0, start) + edit(block) + text.slice(start + block.length)
}
const replaced = (from: string | RegExp, to: string, text = TEXT): string => {
  const after = text.replace(from, to)
  expect(after, String(from)).not.toBe(text)
  return after
}
const deadEnd = (text: string) => replaced(/service: ".*"/, 'service: "noop@internal"', text)
const without = (line: string) => (text: string) => replaced(`        - "${line}"\n`, '', text)
const ADDED = '    "mine":\n      entryPoints:\n        - "websecure"\n'

it.each<[string, string]>([
  ['takes the SSO check away', router('admin.example.com', without('plumbline-sso'))],
  ['takes the list of addresses away', router('home.example.com', without('plumbline-internal-only'))],
  ['widens the open paths', replaced('PathRegexp(\\"^/public/', 'PathRegexp(\\"^/(?:')],
  ['opens all paths', replaced(/ && PathRegexp\(.*(?="\n)/, '')],
  ['ranks below the open paths', router('admin.example.com', (text) => text.replace('1000', '10'))],
  ['lets callers say who they are', router('open.example.com', without('plumbline-no-identity'))],
  ['takes the passwords away', router('notes.example.com', without('plumbline-extra-users'))],
  ['takes the security headers away', router('open.example.com', without('plumbline-security-headers'))],
  ['widens the list of addresses', replaced('- "10.0.0.0/8"', '- "0.0.0.0/0"')],
  ['trusts whoever answers for the backend', replaced('serverName: "pve.lan"', 'insecureSkipVerify: true')],
  ['trusts another name for the backend', replaced('serverName: "pve.lan"', 'serverName: "evil.example"')],
  [
    'trusts whoever answers for an API',
    replaced('"plumbline-api":\n', '"plumbline-api":\n      insecureSkipVerify: true\n'),
  ],
  [
    'trusts whoever answers for an API, in another spelling',
    replaced(
      '      forwardingTimeouts:\n',
      '      forwardingTimeouts:\n        "x": "1"\n      "insecureSkipVerify": true\n',
    ),
  ],
  ['asks somebody else', replaced('http://authelia:9091/', 'http://evil.example/')],
  ['names another file of passwords', replaced('/etc/users', '/tmp/users')],
  ['defines no SSO check any more', replaced(/ {4}"plumbline-sso":\n(?: {5,}.*\n)*/, '')],
  [
    'lets another name in',
    router('open.example.com', (text) => text.replaceAll('open.example', 'admin.example')),
  ],
  ['goes before another', router('open.example.com', (text) => text.replace('1000', '9000'))],
  [
    'leads to another service',
    router('open.example.com', (text) =>
      replaced('service: "plumbline-site_open.', 'service: "plumbline-site_admin.', text),
    ),
  ],
  ['opens plain http', router('admin.example.com', (text) => replaced('"websecure"', '"web"', text))],
  [
    'leads nowhere, for another host',
    router('admin.example.com', (text) =>
      deadEnd(text).replaceAll('Host(\\"admin.example', 'Host(\\"open.example'),
    ),
  ],
  [
    'leads nowhere, by another middleware',
    router('admin.example.com', (text) => deadEnd(text).replace('plumbline-sso', 'plumbline-extra-users')),
  ],
  ['goes without TLS', router('admin.example.com', (text) => replaced(/ {6}tls:\n(?: {7,}.*\n)*/, '', text))],
  [
    'says it in one line',
    router(
      'admin.example.com',
      () =>
        '    "plumbline-site_admin.example.com": {"rule": "Host(`admin.example.com`)", "service": "plumbline-site_admin.example.com"}\n',
    ),
  ],
  [
    'names it twice',
    router('admin.example.com', (text) => text + text.replace('plumbline-site', 'plumbline-site')),
  ],
  [
    'adds a router',
    replaced(
      '  routers:\n',
      `  routers:\n${ADDED}      rule: "Host(\`x.example\`)"\n      service: "plumbline-site_admin.example.com"\n`,
    ),
  ],
  ['leads an open name to a closed backend', replaced('http://10.0.0.5:8080', 'http://10.0.0.1:80')],
  ['leads it there by the usual port', replaced('http://10.0.0.5:8080', 'http://10.0.0.1/')],
  [
    'leads it there by its name',
    replaced(
      /(site_open\.example\.com":\n) {6}loadBalancer:\n(?: {7,}.*\n)*/,
      '$1      mirroring:\n        service: "plumbline-site_admin.example.com"\n',
    ),
  ],
  ['hides where it leads', replaced('http://10.0.0.5:8080', 'http://10.0.0.\\x31:80')],
  [
    'leaves a closed name to a star',
    replaced(/ {4}"plumbline-site_twin\.example\.com":\n {6}entry(?:.*\n)(?: {5,}.*\n)*/, ''),
  ],
  ['is JSON', '{"http": {"routers": {}}}'],
  ['is a template', `${TEXT}# {{ "\\n" }}http:\n`],
  ['has a line end that only Go knows', `${TEXT}# \u0085http: {}\n`],
  ['has another section', `${TEXT}tls:\n  options:\n    "default":\n      minVersion: "VersionTLS10"\n`],
  ['has a second document', `${TEXT}---\n`],
])('a file that %s opens', (_what, text) => {
  expect(opensRoutes(desired, fileOf(text))).toBe(true)
})

it.each<[string, string]>([
  ['is as released', TEXT],
  ['is empty', ''],
  ['holds a comment', `${TEXT}# by hand\n\n`],
  [
    'holds a comment inside',
    router('admin.example.com', (text) => replaced('      rule:', '      # mine\n      rule:', text)),
  ],
  ['leads nowhere', router('admin.example.com', deadEnd)],
  [
    'leads nowhere, with its check alone',
    router('admin.example.com', (text) =>
      without('plumbline-no-identity')(without('plumbline-security-headers')(deadEnd(text))),
    ),
  ],
  ['leads elsewhere', replaced('http://10.0.0.1:80', 'http://10.0.0.9:80')],
  [
    'asks how it is more often',
    replaced('http://10.0.0.1:80"', 'http://10.0.0.1:80"\n        healthCheck:\n          interval: "5s"'),
  ],
  ['leads an open name elsewhere', replaced('http://10.0.0.5:8080', 'http://10.0.0.9:8080')],
  ['has lost a router', router('admin.example.com', () => '')],
  ['has lost a router beside its open paths', router('wiki.example.com', () => '')],
  ['has lost its open paths', replaced(/ {4}"plumbline-open_wiki.*\n(?: {5,}.*\n)*/, '')],
  [
    'has another marker',
    replaced(/plumbline-generation-[0-9a-f]{16}/, 'plumbline-generation-0000000000000000'),
  ],
  ['waits longer for an API', replaced('dialTimeout: "5s"', 'dialTimeout: "9s"')],
  [
    'closes an open name',
    router('open.example.com', (text) =>
      replaced(
        '        - "plumbline-security-headers"\n',
        '        - "plumbline-security-headers"\n        - "plumbline-sso"\n',
        text,
      ),
    ),
  ],
  [
    'closes it to the outside',
    replaced(
      '  middlewares:\n',
      '  middlewares:\n    "mine":\n      ipAllowList:\n        sourceRange:\n          - "10.0.0.0/8"\n',
      router('open.example.com', (text) =>
        replaced('      middlewares:\n', '      middlewares:\n        - "mine"\n', text),
      ),
    ),
  ],
])('a file that %s does not', (_what, text) => {
  expect(opensRoutes(desired, fileOf(text))).toBe(false)
})

const STARRED = [
  { domain: 'admin.example.com', backend_host: '10.0.0.1' },
  { domain: 'deep.admin.example.com', backend_host: '10.0.0.2' },
  { domain: 'page.example.com', backend_host: '10.0.0.3', service_type: 'spa' },
  { domain: 'plain.example.com', backend_host: '10.0.0.4', ssl_enabled: false },
] as const
const OPEN_STAR = { domain: '*.example.com', backend_host: '10.0.0.9', auth_required: false } as const
const gone =
  (...names: readonly string[]) =>
  (text: string): string =>
    names.reduce(
      (rest, name) =>
        replaced(new RegExp(` {4}"plumbline-${name}":\\n {6}entry.*\\n(?: {5,}.*\\n)*`), '', rest),
      text,
    )

// Whoever asks for the name gets what the star leads to, and nobody asks them to sign in.
it.each<[string, object, (text: string) => string, boolean]>([
  ['an open star takes it', OPEN_STAR, gone('site_admin.example.com'), true],
  ['and its redirect', OPEN_STAR, gone('site_admin.example.com', 'redirect_admin.example.com'), true],
  ['with all its parts', OPEN_STAR, gone('site_page.example.com', 'assets_page.example.com'), true],
  ['only a part of it', OPEN_STAR, gone('assets_page.example.com'), false],
  ['the star is of another depth', OPEN_STAR, gone('site_deep.admin.example.com'), false],
  ['the star is at another door', OPEN_STAR, gone('site_plain.example.com'), false],
  ['the star is gone, too', OPEN_STAR, gone('site_admin.example.com', 'site_\\*.example.com'), false],
  ['the star asks to sign in', { ...OPEN_STAR, auth_required: true }, gone('site_admin.example.com'), false],
  ['the star is plain', { ...OPEN_STAR, ssl_enabled: false }, gone('site_plain.example.com'), true],
  [
    'the star is plain, and the redirect is gone',
    { ...OPEN_STAR, ssl_enabled: false },
    gone('redirect_admin.example.com'),
    true,
  ],
  ['the star only redirects there', OPEN_STAR, gone('redirect_admin.example.com'), false],
])('a protected router that is gone: %s', (_what, star, edit, expected) => {
  for (const traefik_version of [
    [3, 0, 0],
    [3, 7, 0],
  ] as const) {
    const whole = renderRoutes(anIntent(...STARRED, star), someSettings({ traefik_version }))
    const text = textOf(whole.chunks)
    expect(opensRoutes(whole, fileOf(text))).toBe(false)
    expect(opensRoutes(whole, fileOf(edit(text)))).toBe(expected)
  }
})

const led = (to: string): string => replaced('"http://10.0.0.5:8080"', to)

// One backend has many spellings, and whoever dials it takes more of them than we write.
it.each([
  '"http://NAS.lan:8443"',
  '"http://nas.lan.:8443"',
  '"http://nas.lan:08443"',
  '"https://nas.lan:8443/x?y"',
  '"HTTP://nas.lan:8443"',
  '"h2c://nas.lan:8443"',
  '"http://n%61s.lan:8443"',
  '"http://user@nas.lan:8443"',
  "'http://nas.lan:8443'",
  'http://nas.lan:8443',
  '"http://10.0.0.1"',
  '"http://10.0.0.1:080/"',
  '"http://[::ffff:10.0.0.1]:80"',
  '"http://[::FFFF:A00:1]:80"',
  '"http://[64:ff9b::10.0.0.1]:80"',
  '"http://0xa.1:80"',
  '"http://012.0.0.1:80"',
  '"http://167772161:80"',
  '"http://[2001:DB8:0:0::5]:9000"',
  '"http://localhost:9001"',
  '"http://127.1.2.3:9001"',
  '"http://[::1]:9001"',
  '"http://0.0.0.0:9001"',
  // A name may lead anywhere, also to an address that stands behind a check.
  '"http://another.lan:8443"',
  '"http://another.lan:80"',
  '"http://10.0.0.9:8443"',
  // What cannot be read.
  '"http://nas.lan:http"',
  '"http://[fe80::1%25eth0]:80"',
  '"gopher://10.0.0.9:8080"',
  '"http://10.0.0.9:8080',
  '&a "http://10.0.0.9:8080"',
  '"http://10.0.0.9:8080" # mine',
  '\n              http://10.0.0.9:8080',
])('an open name that is led to %s may be led behind a check', (to) => {
  expect(opensRoutes(desired, fileOf(led(to)))).toBe(true)
})

it.each<[string, string]>([
  [
    'in one line',
    replaced('servers:\n          - url: "http://10.0.0.5:8080"', 'servers: [{url: "http://10.0.0.1"}]'),
  ],
  ['by a key in quotes', replaced('url: "http://10.0.0.5:8080"', '"url": "http://10.0.0.1"')],
  [
    'beside its name',
    replaced(
      /(site_open\.example\.com":)\n {6}loadBalancer:\n(?: {7,}.*\n)*/,
      '$1 {loadBalancer: {servers: [{url: "http://10.0.0.1"}]}}\n',
    ),
  ],
  [
    'by a service of another provider',
    replaced(
      /(site_open\.example\.com":\n) {6}loadBalancer:\n(?: {7,}.*\n)*/,
      '$1      weighted:\n        services:\n          - name: "nas@docker"\n',
    ),
  ],
])('a service that is spelt otherwise may lead behind a check: %s', (_what, text) => {
  expect(opensRoutes(desired, fileOf(text))).toBe(true)
})

it.each([
  '"http://10.0.0.9:8080"',
  "'http://10.0.0.1:8080'",
  'https://10.0.0.9',
  '"http://[2001:db8::6]:9000"',
])('an open name that is led to %s is led behind no check', (to) => {
  expect(opensRoutes(desired, fileOf(led(to)))).toBe(false)
})

it('what nobody reads is closed; what cannot be read here may say anything', () => {
  const states = [
    [{ kind: 'absent' }, false],
    [{ kind: 'oversize', size: 1e9 }, true],
    [{ kind: 'intruder', what: 'fifo' }, true],
    [{ kind: 'intruder', what: 'closed file' }, true],
    [{ kind: 'intruder', what: 'symlink' }, true],
    [{ kind: 'intruder', what: 'directory' }, true],
    [fileOf('#'.repeat(MAX_COMPARED_BYTES + 1)), true],
    [{ ...fileOf(TEXT), access: { what: '', opens: true, mode: 0o644 } }, true],
    [{ ...fileOf(TEXT), access: { what: '', opens: false, mode: 0o644 } }, false],
  ] as const
  for (const [look, expected] of states) expect(opensRoutes(desired, look), look.kind).toBe(expected)
})

it('no rendering opens anything in comparison with itself, nor with fewer records', () => {
  fc.assert(
    fc.property(estateArbitrary, ({ settings: some, records }) => {
      const rows = records.map(({ fields, live }) => ({ ...fields, live }))
      const whole = renderRoutes(anIntent(...rows), some)
      const thawed = routesCodec(some).thaw(whole.chunks)
      expect(opensRoutes(thawed, fileOf(Buffer.concat(whole.chunks)))).toBe(false)
      for (const [i, row] of rows.entries())
        if (row.live && row.auth_required && row.protocol === 'http' && row.service_type !== 'manual') {
          const bare = renderRoutes(anIntent(...rows.with(i, { ...row, auth_required: false })), some)
          expect(opensRoutes(thawed, fileOf(Buffer.concat(bare.chunks))), row.domain).toBe(true)
        }
    }),
    { numRuns: 60 },
  )
})
