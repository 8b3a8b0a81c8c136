/** A file that is loaded is not a route that is served: what the API says of routers, and what they answer (§5, §13). */
import { fetch } from 'undici'
import { expect, it } from 'vitest'
import { atTraefik, type AtTraefik, routed } from './at-traefik.ts'

type More = Parameters<typeof routed>[1]

async function routerWith(at: AtTraefik, more: More) {
  at.traefik.follow(at.write('routes.yml', routed(at.backend, more)))
  const answer = await fetch(`${at.traefik.origin}/api/http/routers/a%40file`)
  const { status, error } = (await answer.json()) as { status: string; error?: string[] }
  return { status, error, answers: (await at.get()).status }
}

const middleware = (config: object, names: readonly string[] = ['m']): More => ({
  router: { middlewares: names },
  http: { middlewares: { m: config } },
})

it.each<[string, More, string, number]>([
  [
    'an entry point that is not there',
    { router: { entryPoints: ['https'] } },
    'entryPoint "https" doesn\'t exist',
    404,
  ],
  [
    'a chain that names a missing middleware',
    { router: { middlewares: ['x'] } },
    'middleware "x@file" does not exist',
    404,
  ],
  [
    'a chain to nowhere',
    middleware({ chain: { middlewares: ['x'] } }),
    'middleware "x@file" does not exist',
    404,
  ],
  [
    'a chain to itself',
    middleware({ chain: { middlewares: ['m'] } }),
    'could not instantiate middleware m@file: recursion detected in m@file->m@file',
    404,
  ],
  [
    'a usersFile that is missing',
    middleware({ basicAuth: { usersFile: '/nowhere/users' } }),
    'open /nowhere/users: no such file or directory',
    404,
  ],
  ['an unknown plugin', middleware({ plugin: { geo: { a: 1 } } }), 'plugin: unknown plugin type: geo', 404],
  [
    'a bad network',
    middleware({ ipAllowList: { sourceRange: ['10.0.0.0/99'] } }),
    'cannot parse CIDRs [10.0.0.0/99]: parsing CIDR trusted IPs <nil>: invalid CIDR address: 10.0.0.0/99',
    404,
  ],
  [
    'a bad expression',
    middleware({ redirectRegex: { regex: '(', replacement: 'x' } }),
    'error parsing regexp: missing closing ): `(`',
    404,
  ],
  ['a service that is not there', { router: { service: 'x' } }, 'the service "x@file" does not exist', 404],
  [
    'a transport that is not there',
    {
      http: {
        services: { s: { loadBalancer: { servers: [{ url: 'http://127.0.0.1' }], serversTransport: 't' } } },
      },
    },
    'servers transport not found t@file',
    404,
  ],
  [
    'TLS options that are not there',
    { router: { tls: { options: 'x' } } },
    'building router handler: unknown TLS options: x@file',
    404,
  ],
  [
    '§1.1 a service of two types',
    { http: { services: { s: { loadBalancer: { servers: [] }, weighted: { services: [] } } } } },
    'multi-types service not supported',
    404,
  ],
  ['§1.4 a service without a type', { http: { services: { s: {} } } }, 'does not have any type defined', 404],
  [
    '§1.4 a middleware without a type',
    middleware({}),
    'invalid middleware type or middleware does not exist',
    404,
  ],
  [
    '§4 an empty headers middleware',
    middleware({ headers: { frameDeny: false } }),
    'headers configuration not valid',
    404,
  ],
  ['§4 basicAuth without a user', middleware({ basicAuth: { realm: 'x' } }), 'no users', 404],
  ['§3 a bad rule', { router: { rule: 'Host(`a`' } }, 'error while parsing rule Host(`a`', 404],
])('§13 %s disables the router, which says why, and nothing answers', async (_what, more, words, status) => {
  await using at = await atTraefik()
  const found = await routerWith(at, more)
  expect(found).toMatchObject({ status: 'disabled', answers: status })
  expect(found.error!.join()).toContain(words)
})

it('§5 one entry point of two that is not there is a warning, and the other serves', async () => {
  await using at = await atTraefik()
  expect(await routerWith(at, { router: { entryPoints: ['web', 'https'] } })).toEqual({
    status: 'warning',
    error: ['entryPoint "https" doesn\'t exist'],
    answers: 200,
  })
})

it('§13 a certResolver that is not there is in no list: the default certificate answers', async () => {
  await using at = await atTraefik()
  const router = { entryPoints: ['websecure'], tls: { certResolver: 'nobody' } }
  expect(await routerWith(at, { router })).toMatchObject({ status: 'enabled', error: undefined })
  expect(await at.get({ entrypoint: 'websecure' })).toMatchObject({
    status: 200,
    certificate: 'TRAEFIK DEFAULT CERT',
  })
})

it('§5 a broken middleware that nobody uses shows no error', async () => {
  await using at = await atTraefik()
  await routerWith(at, { http: { middlewares: { m: { ipAllowList: { sourceRange: ['x'] } } } } })
  expect(at.traefik.running.http.middlewares.map(({ name, status }) => [name, status])).toEqual([
    ['m@file', 'enabled'],
  ])
})

it('§13 a router of another provider with our host and a higher priority takes the requests; ours stays enabled', async () => {
  await using at = await atTraefik()
  await routerWith(at, middleware({ redirectScheme: { scheme: 'https' } }))
  expect((await at.get()).status).toBe(302)
  at.traefik.provide('docker', {
    http: {
      routers: { theirs: { rule: 'Host(`a.example`)', service: 's@file', priority: 10_000 } },
    },
  })
  expect((await at.get()).status).toBe(200)
  expect(at.traefik.running.http.routers.map(({ name, status }) => [name, status])).toEqual([
    ['a@file', 'enabled'],
    ['theirs@docker', 'enabled'],
  ])
})

it('§2 a name without a provider is of its own provider', async () => {
  await using at = await atTraefik()
  at.traefik.provide('docker', { http: { middlewares: { m: { compress: {} } } } })
  expect((await routerWith(at, { router: { middlewares: ['m'] } })).error).toEqual([
    'middleware "m@file" does not exist',
  ])
  expect((await routerWith(at, { router: { middlewares: ['m@docker'] } })).status).toBe('enabled')
})

it('§3 without a priority the longer rule wins, whatever it says', async () => {
  await using at = await atTraefik()
  const rules = { a: 'Host(`a.example`)', b: 'Host(`a.example`) || Host(`b.example`)' }
  at.traefik.follow(
    at.write(
      'routes.yml',
      JSON.stringify({
        http: {
          routers: {
            a: { rule: rules.a, service: 's' },
            b: { rule: rules.b, service: 's', middlewares: ['away'] },
          },
          services: { s: { loadBalancer: { servers: [{ url: at.backend }] } } },
          middlewares: { away: { redirectScheme: { scheme: 'https' } } },
        },
      }),
    ),
  )
  expect((await at.get()).status).toBe(302)
  expect(at.traefik.running.http.routers.map(({ priorityStr }) => priorityStr)).toEqual(['17', '38'])
})

it('§2 an entry point with TLS and middlewares of its own gives them to its routers, under another name', async () => {
  await using at = await atTraefik({
    entrypoints: [
      { name: 'web', address: ':80' },
      { name: 'websecure', address: ':443', tls: { certResolver: 'le' }, middlewares: ['m@file'] },
    ],
  })
  await routerWith(at, {
    router: { entryPoints: ['web', 'websecure'] },
    http: { middlewares: { m: { addPrefix: { prefix: '/x' } } } },
  })
  expect(at.traefik.running.http.routers).toMatchObject([
    { name: 'a@file', using: ['web'] },
    { name: 'websecure-a@file', middlewares: ['m@file'], tls: { certResolver: 'le', options: 'default' } },
  ])
  expect((await at.get({ entrypoint: 'websecure' })).seen?.url).toBe('/x/')
  expect((await at.get()).seen?.url).toBe('/')
})

it('§13 the redirect of an entry point is a router of its own, before all others, to the port of the other', async () => {
  await using at = await atTraefik({
    entrypoints: [
      { name: 'web', address: ':80', redirections: { to: 'websecure' } },
      { name: 'websecure', address: ':8443' },
    ],
  })
  await routerWith(at, { router: { priority: 1_000_000 } })
  const redirected = await at.get({ path: '/x?y=1' })
  expect(redirected).toMatchObject({ status: 301, headers: { location: 'https://a.example:8443/x?y=1' } })
  expect(at.traefik.running.http.routers.map(({ name }) => name)).toEqual([
    'a@file',
    'web-to-websecure@internal',
  ])
})

it('§5 the API shows details, raw data, totals with errors, filters, and 404 for what is not there', async () => {
  await using at = await atTraefik()
  await routerWith(at, { router: { middlewares: ['x'] } })
  const json = async (path: string) => {
    const answer = await fetch(at.traefik.origin + path)
    return {
      status: answer.status,
      next: answer.headers.get('x-next-page'),
      body: (await answer.json()) as never,
    }
  }
  expect((await json('/api/overview')).body).toMatchObject({
    http: { routers: { total: 1, warnings: 0, errors: 1 } },
    providers: ['File'],
  })
  expect((await json('/api/rawdata')).body).toMatchObject({ routers: { 'a@file': { status: 'disabled' } } })
  expect(await json('/api/http/routers?status=enabled')).toMatchObject({ body: [], next: '1' })
  expect(await json('/api/http/services?per_page=1')).toMatchObject({ next: '2' })
  expect(await json('/api/http/services?per_page=1&page=9')).toMatchObject({ status: 400 })
  expect(await json('/api/http/services/s%40file')).toMatchObject({
    body: { type: 'loadbalancer', usedBy: ['a@file'], loadBalancer: { passHostHeader: true } },
  })
  expect(await json('/api/http/services/none%40file')).toMatchObject({ status: 404 })
})
