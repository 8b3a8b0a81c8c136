/** Routers that the proxy took apart are whole again; others are left as they are. */
import { describe, expect, it } from 'vitest'
import { createHttpClient } from '../../../../src/io/http-client/create-client.ts'
import { joinedRouters } from '../../../../src/features/routes/traefik/joined-routers.ts'
import { traefikApi } from '../../../../src/features/routes/traefik/traefik-api.ts'
import { systemClock } from '../../../../src/kernel/clock.ts'
import type { ProxyRouter } from '../../../../src/features/routes/traefik/port.ts'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { startFakeTraefik } from '../../../fakes/traefik/traefik.ts'
import { newFolder } from '../../../kit/new-folder.ts'

const router = (
  name: string,
  entrypoints: readonly string[],
  more: Partial<ProxyRouter> = {},
): ProxyRouter => ({
  kind: 'http',
  name,
  provider: 'file',
  rule: 'Host("a.example")',
  entrypoints,
  middlewares: [],
  service: 'a@file',
  tls: false,
  cert_resolver: null,
  priority: null,
  status: 'enabled',
  errors: [],
  ...more,
})

const entrypoint = (name: string, middlewares: readonly string[] = []) => ({
  name,
  address: '',
  middlewares,
  believes: [],
})

describe('joined routers', () => {
  it('the parts of one router are one again, on all entrypoints', () => {
    const parts = [
      router('websecure-app@file', ['websecure'], { middlewares: ['sso@file', 'own@file'], tls: true }),
      router('app@file', ['web'], { middlewares: ['own@file'] }),
    ]
    expect(joinedRouters(parts, [entrypoint('web'), entrypoint('websecure', ['sso@file'])])).toEqual([
      router('app@file', ['web', 'websecure'], { middlewares: ['own@file'], tls: true, plain_on: ['web'] }),
    ])
  })

  it('the worst of the parts is what the whole is', () => {
    const parts = [
      router('web-app@file', ['web'], { status: 'disabled', errors: ['no service'] }),
      router('websecure-app@file', ['websecure'], { status: 'warning' }),
    ]
    expect(joinedRouters(parts, [])).toMatchObject([
      { name: 'app@file', status: 'disabled', errors: ['no service'], entrypoints: ['web', 'websecure'] },
    ])
  })

  it('a conflict of TLS options does not change the name', () => {
    expect(joinedRouters([router('websecure-conflicted-app@file', ['websecure'])], [])).toMatchObject([
      { name: 'app@file' },
    ])
  })

  it.each([
    ['a name that begins like its entrypoint', [router('web-app@file', ['web'])]],
    [
      'two that only look related',
      [router('web-app@file', ['web']), router('app@file', ['websecure'], { rule: 'Host("b.example")' })],
    ],
    [
      'two with other middlewares',
      [router('web-app@file', ['web'], { middlewares: ['x@file'] }), router('app@file', ['websecure'])],
    ],
    ['one on two entrypoints', [router('app@file', ['web', 'websecure'])]],
  ])('%s: left as it is', (_what, routers) => {
    expect(joinedRouters(routers, [entrypoint('web'), entrypoint('websecure')])).toEqual(routers)
  })

  it('a list that does not begin with the entrypoint’s middlewares is kept whole', () => {
    const [one] = joinedRouters(
      [router('app@file', ['web'], { middlewares: ['own@file', 'sso@file'] })],
      [entrypoint('web', ['sso@file'])],
    )
    expect(one!.middlewares).toEqual(['own@file', 'sso@file'])
  })
})

it('what an entrypoint with middlewares of its own makes of a file is read as the file', async () => {
  const folder = newFolder('traefik')
  const http = createHttpClient({ clock: systemClock })
  const traefik = await startFakeTraefik({
    entrypoints: [
      { name: 'web', address: ':80' },
      { name: 'websecure', address: ':443', middlewares: ['compress@file'] },
    ],
  })
  try {
    const path = join(folder, 'routes.yml')
    writeFileSync(
      path,
      [
        'http:',
        '  routers:',
        '    both: { entryPoints: [web, websecure], middlewares: [own], rule: Host(`a`), service: s }',
        '  middlewares:',
        '    own: { headers: { frameDeny: true } }',
        '    compress: { compress: { minResponseBodyBytes: 1 } }',
        '  services:',
        '    s: { loadBalancer: { servers: [{ url: "http://10.0.0.1" }] } }',
      ].join('\n'),
    )
    traefik.follow(path)
    expect(traefik.running.http.routers.map(({ name }) => name)).toEqual(['both@file', 'websecure-both@file'])
    const { routers, entrypoints } = await traefikApi({
      url: traefik.origin,
      http,
      clock: systemClock,
    }).snapshot(new AbortController().signal)
    expect(routers).toMatchObject([
      { name: 'both@file', entrypoints: ['web', 'websecure'], middlewares: ['own@file'] },
    ])
    expect(entrypoints[1]).toMatchObject({ middlewares: ['compress@file'] })
  } finally {
    await traefik.stop()
    await http.close()
  }
})
