/** What a router means stands in part in Traefik's static configuration: without it such a router stays, with it it is read. */
import { describe, expect, test } from 'vitest'
import { treeOf } from '../../../../src/features/routes/routes-folder-wiring.ts'
import { fromTraefik } from '../../../../src/features/import/traefik.ts'
import { staticSetup } from '../../../../src/features/routes/grammar/static-config.ts'
import { CONTEXT } from './context.ts'

const site = (router: object = {}, middlewares: object = {}) => ({
  http: {
    routers: { app: { rule: 'Host(`app.example.com`)', service: 'app', ...router } },
    services: { app: { loadBalancer: { servers: [{ url: 'http://10.0.0.1:80' }] } } },
    middlewares,
  },
})
/** As people write it. */
const SPLIT = {
  entryPoints: {
    web: { address: ':80', http: { redirections: { entryPoint: { to: 'websecure', scheme: 'https' } } } },
    websecure: {
      address: ':443',
      asDefault: 'true',
      http: { tls: { certResolver: 'le' }, middlewares: ['secure@file'] },
    },
  },
}
const imported = (router: object, setup: object | null = null) =>
  fromTraefik([{ file: 'a.yml', data: site(router) }], { ...CONTEXT, static_setup: staticSetup(setup) })
const record = (router: object, setup: object | null = null) => {
  const [found] = imported(router, setup).records
  return found === undefined ? null : { tls: found.input.ssl_enabled, notes: found.notes.join('\n') }
}

describe('a router that names neither entryPoints nor tls', () => {
  test('stays while nobody knows where it listens', () => {
    const { records, leftovers } = imported({})
    expect(records).toEqual([])
    expect(leftovers.map(({ reason }) => reason)).toContainEqual(expect.stringMatching(/--static FILE/))
  })

  test('has the TLS of its default entrypoint, its resolver and its middlewares', () => {
    const found = record({}, SPLIT)!
    expect(found.tls).toBe(true)
    expect(found.notes).toContain("`le` becomes the installation's")
    expect(found.notes).toContain('the entrypoint `websecure` puts `secure@file` before the record, too')
    expect(found.notes).not.toContain('now redirects to it')
  })

  test('answers plain HTTP too where no default is chosen and nothing redirects', () => {
    const { websecure } = SPLIT.entryPoints
    const setup = {
      entryPoints: {
        web: { address: ':80' },
        websecure: { ...websecure, asDefault: null },
        metrics: { address: ':9100' },
        dns: { address: ':53/udp' },
      },
    }
    const found = record({}, setup)!
    expect(found.tls).toBe(true)
    expect(found.notes).toContain('now redirects to it')
    expect(found.notes).toContain('no longer answers on `metrics`')
    expect(found.notes).not.toContain('dns')
  })

  test('is plain HTTP where no entrypoint has TLS', () => {
    const setup = {
      entryPoints: { web: { address: ':80', asDefault: true }, websecure: { address: ':443' } },
    }
    expect(record({}, setup)).toMatchObject({ tls: false })
  })

  test('stays where its default entrypoints are not ours', () => {
    const setup = { entryPoints: { lan: { address: ':8443', http: { tls: {} } } } }
    expect(imported({}, setup).leftovers[0]!.reason).toMatch(/default entrypoints \(`lan`\), of which none/)
  })

  test('has that of ours where its own is for the same', () => {
    const { web, websecure } = SPLIT.entryPoints
    const found = record({}, { entryPoints: { http: web, https: websecure } })!
    expect(found.tls).toBe(true)
    expect(found.notes).toContain('it is on `https`, which this installation calls `websecure`')
    expect(found.notes).toContain('the entrypoint `https` puts `secure@file` before the record, too')
  })

  test('stays where the entrypoint has TLS options', () => {
    const setup = {
      entryPoints: { websecure: { address: ':443', http: { tls: { options: 'mutual@file' } } } },
    }
    expect(imported({}, setup).leftovers[0]!.reason).toMatch(/TLS options `mutual@file` from its entrypoint/)
  })
})

test('an entrypoint for HTTPS without TLS serves plain HTTP there, which no record does', () => {
  const setup = { entryPoints: { web: { address: ':80' }, websecure: { address: ':443' } } }
  expect(imported({ entryPoints: ['websecure'] }, setup).leftovers[0]!.reason).toMatch(
    /plain HTTP on an entrypoint for HTTPS/,
  )
})

test('rules of version 2 are read as such where the static configuration says so', () => {
  const rule = 'Host(`a.example.com`, `b.example.com`)'
  const setup = { ...SPLIT, core: { defaultRuleSyntax: 'v2' } }
  expect(record({ rule }, setup)!.notes).not.toContain('Traefik 2')
  expect(record({ rule }, SPLIT)!.notes).toContain('Traefik 2')
})

test('what may answer HTTPS holds back what it could be in the way of', () => {
  const http = site({ entryPoints: ['websecure'], tls: {} }).http
  const broad = { rule: 'PathPrefix(`/admin`)', service: 'app', priority: 500 }
  const data = { http: { ...http, routers: { ...http.routers, broad } } }
  expect(fromTraefik([{ file: 'a.yml', data }], CONTEXT).records).toEqual([])
})

test('a middleware that an entrypoint puts before everything is needed', () => {
  const secure = { headers: { stsSeconds: '1' } }
  const data = site(
    { entryPoints: ['websecure'], middlewares: ['secure'] },
    { secure, alone: { compress: {} } },
  )
  const { leftovers } = fromTraefik([{ file: 'a.yml', data }], {
    ...CONTEXT,
    static_setup: staticSetup(SPLIT),
  })
  expect(leftovers.map(({ where, reason }) => `${where} ${reason}`)).toEqual([
    'http.middlewares.alone is used by no router of these files',
    'http.middlewares.secure is needed by the entrypoint `websecure` too',
  ])
})

describe('the file', () => {
  test('is read as YAML and as TOML', () => {
    const yaml =
      'entryPoints:\n  web:\n    address: ":80"\n  websecure:\n    address: ":443"\n    http:\n      tls: {}\n'
    const toml =
      '[entryPoints]\n[entryPoints.web]\naddress = ":80"\n[entryPoints.websecure]\naddress = ":443"\n[entryPoints.websecure.http.tls]\n'
    for (const [file, text] of [
      ['traefik.yml', yaml],
      ['traefik.toml', toml],
    ] as const)
      expect(staticSetup(treeOf(file, text))).toMatchObject({
        defaults: ['web', 'websecure'],
        entrypoints: [
          { name: 'web', port: 80, tls: undefined },
          { name: 'websecure', port: 443, tls: {} },
        ],
      })
  })

  test('without entrypoints is none', () => {
    expect(staticSetup({ http: {} })).toBeNull()
    expect(staticSetup('x')).toBeNull()
    expect(() => treeOf('a.toml', '[')).toThrow(/a\.toml, line 1/)
  })
})
