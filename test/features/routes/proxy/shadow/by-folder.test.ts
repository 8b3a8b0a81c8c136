/** Whom the proxy would ask before our routers, by the other files of the routes folder alone: its API is not set. */
import { describe, expect, it } from 'vitest'
import { middlewaresIn, routesInFile } from '../../../../../src/features/routes/traefik/file-routes.ts'
import {
  type FolderFacts,
  rivalsByFolder,
} from '../../../../../src/features/routes/proxy/shadow/by-folder.ts'
import { treeOf } from '../../../../../src/features/routes/routes-folder-wiring.ts'
import { renderRoutes } from '../../../../../src/features/routes/target/desire.ts'
import type { ProxyEntrypoint } from '../../../../../src/features/routes/traefik/port.ts'
import { anIntent } from '../../../../fixtures.ts'
import { someSettings } from '../../target/settings.ts'

const WIKI = 'wiki.example.com'
const SITE = `http.routers.plumbline-site_${WIKI}`
const REDIRECT = `http.routers.plumbline-redirect_${WIKI}`

const objects = renderRoutes(
  anIntent(
    { domain: WIKI, auth_required: true },
    { domain: 'open.example.com', auth_required: false },
    { domain: '*.apps.example.com', auth_required: true },
  ),
  someSettings(),
).objects()

const entrypoint = (name: string, more: Partial<ProxyEntrypoint> = {}): ProxyEntrypoint => ({
  name,
  address: '',
  middlewares: [],
  believes: [],
  ...more,
})

const FACTS: FolderFacts = {
  version: '3.7.9',
  entrypoints: null,
  own_entrypoints: ['web', 'websecure'],
  https_entrypoint: 'websecure',
  objects,
  own_middlewares: middlewaresIn(objects),
}

const rivals = (text: string, facts: Partial<FolderFacts> = {}, file = 'other.yml') =>
  rivalsByFolder([{ file, routes: routesInFile(treeOf(file, text)) }], { ...FACTS, ...facts })

const http = (router: string, more = ''): string => `http:
  routers:
    foo:
      service: foo
      ${router.replaceAll('\n', '\n      ')}
  services: { foo: { loadBalancer: { servers: [{ url: "http://10.0.0.9" }] } } }
${more}`

const itemsOf = async (text: string, facts: Partial<FolderFacts> = {}) =>
  (await rivals(text, facts)).in_the_way.map(({ item }) => item)

describe('a router of another file that takes a protected host over', () => {
  it('is told with its file, its name, the host and what helps', async () => {
    const { in_the_way } = await rivals(
      http('rule: Host(`wiki.example.com`)\npriority: 5000\nentryPoints: [websecure]\ntls: {}'),
    )
    expect(in_the_way).toEqual([
      {
        item: SITE,
        cause: 'shadowed',
        domains: [WIKI],
        detail: expect.stringMatching(
          /^On websecure, foo@file \(Host\(`wiki\.example\.com`\), priority 5000\) takes every request before plumbline-site_wiki.*Remove it, or give it a lower priority.*It is in other\.yml\.$/,
        ) as string,
      },
    ])
  })

  it.each<[string, string, readonly string[]]>([
    [
      'names no entry point and has no TLS',
      'rule: Host(`wiki.example.com`)\npriority: 5000',
      [REDIRECT, SITE],
    ],
    ['has TLS alone', 'rule: Host(`wiki.example.com`)\npriority: 5000\ntls: true', [SITE]],
    ['is for plain http', 'rule: Host(`wiki.example.com`)\npriority: 5000\nentryPoints: web', [REDIRECT]],
    ['has the same priority', 'rule: Host(`wiki.example.com`)\npriority: 1000\ntls: {}', [SITE]],
    ['spells the keys otherwise', 'RULE: HOST(`wiki.example.com`)\nPriority: 5000\nTLS: {}', [SITE]],
    ['says the host by a pattern', 'rule: HostRegexp(`^wiki[.].+$`)\npriority: 5000\ntls: {}', [SITE]],
    [
      'takes a part of it and has what is ours but the sign-in',
      'rule: Host(`wiki.example.com`) && PathPrefix(`/admin`)\npriority: 5000\ntls: {}\nmiddlewares: [plumbline-security-headers]',
      [SITE],
    ],
    [
      'takes a part of it, behind a check that the proxy does not take',
      'rule: Host(`wiki.example.com`) && PathPrefix(`/admin`)\npriority: 5000\ntls: {}\nmiddlewares: [twice]',
      [SITE],
    ],
    [
      'takes a part of every name of a star',
      'rule: HostRegexp(`^.+[.]apps[.]example[.]com$`) && PathPrefix(`/x`)\npriority: 5000\ntls: {}',
      ['http.routers.plumbline-site_*.apps.example.com'],
    ],
    [
      'takes a part of it and asks nobody',
      'rule: Host(`wiki.example.com`) && PathPrefix(`/admin`)\npriority: 5000\ntls: {}',
      [SITE],
    ],
  ])('where it %s', async (_what, router, expected) => {
    const first = '  middlewares: { twice: { headers: {} } }\n'
    const second = 'http: { middlewares: { twice: { basicAuth: { users: ["a:b"] } } } }\n'
    const files = [http(router, first), second].map((text, i) => ({
      file: `${i}.yml`,
      routes: routesInFile(treeOf(`${i}.yml`, text)),
    }))
    const items = (await rivalsByFolder(files, FACTS)).in_the_way.map(({ item }) => item)
    expect(items.toSorted()).toEqual([...expected].toSorted())
  })

  it('is told of TOML, too', async () => {
    const text =
      '[http.routers.foo]\nrule = "Host(`wiki.example.com`)"\npriority = 5000\nservice = "foo"\n[http.routers.foo.tls]\n'
    expect((await rivals(text, {}, 'other.toml')).in_the_way[0]).toMatchObject({ item: SITE })
  })

  it('is told where a TCP router without TLS takes whatever comes', async () => {
    const text = 'tcp:\n  routers:\n    all: { rule: HostSNI(`*`), service: a, entryPoints: [web] }\n'
    expect(await itemsOf(text)).toContain(REDIRECT)
  })
})

describe('no alarm is raised by a router of another file', () => {
  it.each<[string, string]>([
    ['with a lower priority', 'rule: Host(`wiki.example.com`)\npriority: 999\ntls: {}'],
    ['with the priority of its rule', 'rule: Host(`wiki.example.com`)\ntls: {}'],
    ['on another entry point', 'rule: Host(`wiki.example.com`)\npriority: 5000\nentryPoints: [lan]\ntls: {}'],
    ['of another host', 'rule: Host(`other.example.com`)\npriority: 5000\ntls: {}'],
    ['for everything that nobody else takes', 'rule: HostRegexp(`.+`)\npriority: 1\ntls: {}'],
    ['of one name below a star of ours', 'rule: Host(`x.apps.example.com`)\npriority: 5000\ntls: {}'],
    [
      'that takes a part and asks for a password',
      'rule: Host(`wiki.example.com`) && PathPrefix(`/admin`)\npriority: 5000\ntls: {}\nmiddlewares: [lock]',
    ],
    [
      'that takes a part and asks our own sign-in',
      'rule: Host(`wiki.example.com`) && PathPrefix(`/admin`)\npriority: 5000\ntls: {}\nmiddlewares: [plumbline-sso]',
    ],
    [
      'that redirects to https by our own middleware',
      'rule: Host(`wiki.example.com`)\npriority: 5000\nentryPoints: [web]\nmiddlewares: [plumbline-redirect-https]',
    ],
    [
      'that takes a part of a host which is open to all',
      'rule: Host(`open.example.com`) && PathPrefix(`/admin`)\npriority: 5000\ntls: {}',
    ],
    [
      'that answers a challenge over plain http',
      'rule: PathPrefix(`/.well-known/acme-challenge/`)\npriority: 5000\nentryPoints: [web]',
    ],
    [
      'that redirects to https as ours does',
      'rule: Host(`wiki.example.com`)\npriority: 5000\nentryPoints: [web]\nmiddlewares: [go]',
    ],
  ])('%s', async (_what, router) => {
    const middlewares =
      '  middlewares: { lock: { basicAuth: { users: ["a:b"] } }, go: { redirectScheme: { scheme: https } } }\n'
    expect(await rivals(http(router, middlewares))).toEqual({
      in_the_way: [],
      unevaluated: [],
      perhaps_open: [],
    })
  })

  it('that bears a name of ours, which is told of by itself', async () => {
    const text =
      'http:\n  routers:\n    plumbline-x: { rule: Host(`wiki.example.com`), priority: 5000, service: s }\n'
    expect(await itemsOf(text)).toEqual([])
  })
})

describe('what the static file of the proxy says counts', () => {
  const plain = http('rule: Host(`wiki.example.com`)\npriority: 5000')

  it('an entry point without TLS gives none', async () => {
    const entrypoints = [entrypoint('web'), entrypoint('websecure')]
    expect(await itemsOf(plain, { entrypoints })).toEqual([REDIRECT])
  })

  it('one that sends every request on lets nobody come to a router', async () => {
    const entrypoints = [entrypoint('web', { redirects: true }), entrypoint('websecure')]
    expect(await itemsOf(plain, { entrypoints })).toEqual([])
  })

  it('default ones are those of a router that names none', async () => {
    const entrypoints = [
      entrypoint('web'),
      entrypoint('websecure', { tls: {} }),
      entrypoint('lan', { as_default: true }),
    ]
    expect(await itemsOf(plain, { entrypoints })).toEqual([])
  })

  it('a check at the entry point stands before a router that takes a part', async () => {
    const part = http('rule: Host(`wiki.example.com`) && Path(`/a`)\npriority: 5000\ntls: {}')
    const entrypoints = [entrypoint('websecure', { tls: {}, middlewares: ['lock@file'] })]
    expect(await itemsOf(part, { entrypoints })).toEqual([])
  })
})

describe('what nobody here can judge, and asks nobody to sign in', () => {
  const why = 'holds a Go template ("{{")'
  const perhapsOpen = async (text: string) =>
    (await rivalsByFolder([], FACTS, [{ file: 'evil.yml', text, why }])).perhaps_open

  it.each([
    'rule: Host(`wiki.example.com`)',
    'rule: Host(`WIKI.Example.Com`)',
    'rule: HostRegexp(`^wiki\\.example\\.com$`)',
    'rule: "HostRegexp(`^wiki\\\\.example\\\\.com$`)"',
    'rule: HostRegexp(`^wiki[.]example[.]com$`)',
    'rule: HostRegexp(`^[a-z]+[.]example[.]com$`)',
    'rule: Host(`*.example.com`)',
    'rule: Host(`{{ $name }}.example.com`)',
  ])('a file that is not read and names a host that asks to sign in may take it over: %s', async (text) => {
    expect(await perhapsOpen(text)).toEqual([
      'evil.yml holds a Go template ("{{") and names wiki.example.com or names around it',
    ])
  })

  it.each(['rule: Host(`{{ $x }}.apps.example.com`)', 'rule: HostRegexp(`^.+[.]apps[.]example[.]com$`)'])(
    'names of a star of ours are meant, too: %s',
    async (text) => {
      expect(await perhapsOpen(text)).toEqual([
        'evil.yml holds a Go template ("{{") and names *.apps.example.com or names around it',
      ])
    },
  )

  it.each([
    'rule: Host(`other.example.com`)',
    'rule: Host(`open.example.com`)',
    'rule: Host(`awiki.example.com`)',
    'rule: Host(`{{ $x }}.example.net`)',
    'rule: PathPrefix(`/`) # {{ "" }}',
  ])('one that names none of them is left a note: %s', async (text) => {
    expect(await perhapsOpen(text)).toEqual([])
  })

  it('a router whose pattern cannot be told may take it over, where it asks nobody', async () => {
    const pattern = 'rule: HostRegexp(`^(?P<a>w).{1,3}[[:alpha:]]`)\npriority: 5000\ntls: {}'
    expect((await rivals(http(pattern))).perhaps_open).toEqual([
      expect.stringMatching(
        /^other\.yml has foo@file \(HostRegexp.*may take requests of (?:wiki|\*\.apps)\.example\.com$/,
      ),
    ])
    const lock = '  middlewares: { lock: { basicAuth: { users: ["a:b"] } } }\n'
    expect((await rivals(http(`${pattern}\nmiddlewares: [lock]`, lock))).perhaps_open).toEqual([])
  })
})

describe('patterns that take more work than is done', () => {
  const hard = `HostRegexp(\`${'(.|.)'.repeat(5)}${'.*'.repeat(27)}[q]x?\`)`
  const rule = Array.from({ length: 40 }, () => hard).join(' || ')

  it('are named as not judged, and hold up nobody', async () => {
    const started = performance.now()
    let longest = 0
    let last = started
    const beat = setInterval(() => {
      longest = Math.max(longest, performance.now() - last)
      last = performance.now()
    }, 5)
    const { in_the_way, unevaluated } = await rivals(
      http(`rule: ${JSON.stringify(rule)}\npriority: 5000\ntls: {}`),
    ).finally(() => clearInterval(beat))
    expect(in_the_way).toEqual([])
    expect(unevaluated).toEqual([expect.stringMatching(/^other\.yml with foo@file .*is asked before/)])
    expect(unevaluated[0]!.length).toBeLessThan(600)
    expect(longest).toBeLessThan(5000)
  })

  it('are not judged of any of many hosts once the look has done all that it does', async () => {
    const intent = anIntent(
      ...Array.from({ length: 60 }, (_, i) => ({ domain: `a${i}.example.com`, auth_required: true })),
    )
    const many = renderRoutes(intent, someSettings()).objects()
    const text = http(`rule: ${JSON.stringify(rule)}\npriority: 5000\ntls: {}`)
    const { in_the_way, unevaluated } = await rivals(text, { objects: many })
    expect(in_the_way).toEqual([])
    expect(unevaluated).toHaveLength(1)
  })
})

it('a router that is asked first, and of which nobody can tell what it takes, is named as such', async () => {
  const { in_the_way, unevaluated } = await rivals(
    http('rule: HostRegexp(`^(?P<a>w).{1,3}[[:alpha:]]`)\npriority: 5000\ntls: {}'),
  )
  expect(in_the_way).toEqual([])
  expect(unevaluated).toEqual([
    expect.stringMatching(/^other\.yml with foo@file \(HostRegexp.*which is asked before plumbline-/),
  ])
})
