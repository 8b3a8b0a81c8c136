/**
 * The order of lock and door. At every write of either file and at every restart somebody tries the doors: no route that is
 * deployed as protected is ever open, and nobody ever gets in whom its own rule keeps out.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import type { ManagedFile } from '../../src/ports/files.ts'
import { decideBy } from '../fakes/sso/rules.ts'
import { APP, create, createActive } from './test-house.ts'
import { openSsoHouse, type SsoHouse } from './sso-house.ts'
import { itInDepth, itOneIn } from '../kit/in-depth.ts'

const POLICIES = `
policies:
  - domain: admin.example.com
    access: [{ groups: [admins], policy: two_factor }]
`

const WIKI = 'wiki.example.com'
const STRICT = "policies: [{ domain: '*.example.com', access: [{ groups: [admins], policy: two_factor }] }]"

interface Moment {
  readonly at: 'routes written' | 'restarting'
  readonly routes: string
  /** What the provider runs; null while it is down. */
  readonly policyFor: (host: string, groups?: readonly string[]) => string | null
}

async function watchedHouse(
  mode = 'repair',
  policies = POLICIES,
): Promise<{ at: SsoHouse; moments: Moment[] }> {
  const moments: Moment[] = []
  let house: SsoHouse | null = null
  const note = (when: Moment['at'], routes: string) => {
    const running = house?.authelia.running ?? null
    const question = { uri: '/', method: 'GET', user: 'bob' }
    moments.push({
      at: when,
      routes,
      policyFor: (host, groups = []) => running && decideBy(running, { ...question, host, groups }),
    })
  }
  const watched = (file: ManagedFile): ManagedFile => ({
    ...file,
    async replace(chunks, options, signal) {
      await file.replace(chunks, options, signal)
      note('routes written', Buffer.concat(chunks).toString())
    },
  })
  const env = { PLUMBLINE_MODE: mode }
  house = await openSsoHouse({ opened: false, policies, wrap: { file: watched }, env })
  const { authelia, house: inner } = house
  authelia.onRestart = () => note('restarting', textOf(inner.routes_path))
  return { at: house, moments }
}

const textOf = (path: string): string => {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

/** The router of a host in the routes file, or null. */
const routerOf = (routes: string, host: string): string | null =>
  new RegExp(
    `    "plumbline-site_${host.replaceAll('.', '[.]').replace('*', '[*]')}":\n(?:      .*\n)+entry`.replace(
      'entry',
      '',
    ),
  ).exec(routes.slice(routes.indexOf('\n  routers:\n')))?.[0] ?? null

/** It leads to the backend, and not nowhere. */
const isServed = (routes: string, host: string): boolean =>
  routerOf(routes, host)?.includes('service: "plumbline-') === true

const isOpen = ({ routes }: Moment, host: string): boolean =>
  routerOf(routes, host)?.includes('"plumbline-sso"') === false

it('a new domain: its rule is loaded and its middleware stands; nobody gets in on the rule of a star above it', async () => {
  const { at, moments } = await watchedHouse()
  await using _ = at
  await createActive(at.call, { domain: '*.example.com' })
  moments.splice(0)
  await createActive(at.call, { domain: 'admin.example.com' })
  expect(moments.length).toBeGreaterThan(1)
  for (const moment of moments) {
    expect(isOpen(moment, 'admin.example.com')).toBe(false)
    // Before its own rule runs, the star would let in whoever signs in: then there must be no route.
    if (isServed(moment.routes, 'admin.example.com'))
      expect(moment.policyFor('admin.example.com')).toBe('deny')
  }
  expect(routerOf(at.routes(), 'admin.example.com')).toContain('plumbline-sso')
  expect(
    decideBy(at.authelia.running!, {
      host: 'admin.example.com',
      uri: '/',
      method: 'GET',
      user: 'eve',
      groups: ['admins'],
    }),
  ).toBe('two_factor')
})

it.each([
  'repair',
  // What is asked for is done in the same order.
  'observe',
])(
  'protection goes on in %s: the middleware stands before the provider is restarted with the rule',
  async (mode) => {
    const { at, moments } = await watchedHouse(mode)
    await using _ = at
    const id = await createActive(at.call, { auth_required: false })
    expect(isOpen({ at: 'restarting', routes: at.routes(), policyFor: () => null }, 'app.example.com')).toBe(
      true,
    )
    moments.splice(0)
    await at.call('PUT', `/api/domains/${id}`, { body: { auth_required: true } })
    await at.call('POST', `/api/domains/${id}/deploy`)
    expect(moments.map(({ at: when }) => when)).toEqual(['routes written', 'restarting'])
    expect(moments.map((moment) => isOpen(moment, 'app.example.com'))).toEqual([false, false])
    expect(at.authelia.running?.rules[0]?.domain).toEqual(['app.example.com'])
  },
)

itInDepth('protection goes off: the rule goes before the middleware', async () => {
  const { at, moments } = await watchedHouse()
  await using _ = at
  const id = await createActive(at.call)
  moments.splice(0)
  await at.call('PUT', `/api/domains/${id}`, { body: { auth_required: false } })
  await at.call('POST', `/api/domains/${id}/deploy`)
  const opened = moments.find((moment) => isOpen(moment, 'app.example.com'))
  expect(opened?.policyFor('app.example.com')).toBe('deny')
  expect(isOpen({ at: 'restarting', routes: at.routes(), policyFor: () => null }, 'app.example.com')).toBe(
    true,
  )
})

const KEPT = { ...APP, domain: '*.example.com', status: 'active' }

itOneIn(3).each([
  ['deactivate', null],
  ['disable', null],
  ['deleted by an estate', { domains: [KEPT], deletes: ['admin.example.com'] }],
])('%s: the route goes before its rule, so that no star above it lets anybody in', async (verb, estate) => {
  const { at, moments } = await watchedHouse()
  await using _ = at
  await createActive(at.call, { domain: '*.example.com' })
  const id = await createActive(at.call, { domain: 'admin.example.com' })
  moments.splice(0)
  if (estate === null) await at.call('POST', `/api/domains/${id}/${verb}`)
  else expect(await at.call('POST', '/api/estate', { body: estate })).toMatchObject({ status: 200 })
  expect(moments.map(({ at: when }) => when)).toEqual(['routes written', 'restarting'])
  for (const { routes } of moments) expect(routerOf(routes, 'admin.example.com')).toBeNull()
  expect(at.rules()).not.toContain('admin.example.com')
})

it('a name with a laxer policy than the star above it: plans say what becomes of its host', async () => {
  await using at = await openSsoHouse({ policies: STRICT })
  await createActive(at.call, { domain: '*.example.com' })
  const id = await create(at.call, { domain: WIKI })
  const warned = async (verb: string) =>
    JSON.stringify((await at.call('POST', `/api/domains/${id}/${verb}`)).body)
  expect(await warned('activate?dry_run=true')).toContain(`${WIKI} has a laxer policy than *.example.com`)
  await warned('activate')
  // It was so before.
  expect(await warned('deploy?dry_run=true')).not.toContain('laxer policy')
  const leaves = `${WIKI} goes, and *.example.com takes its host`
  expect(await warned('deactivate?dry_run=true')).toContain(leaves)
  // Without the star nobody takes it.
  const other = await createActive(at.call, { domain: 'a.other.example' })
  expect(JSON.stringify((await at.call('POST', `/api/domains/${other}/deactivate`)).body)).not.toContain(
    'laxer',
  )
})

it('below a stricter star, a tightened name gives its host to nobody until its new rule is loaded', async () => {
  const { at, moments } = await watchedHouse('repair', STRICT)
  await using _ = at
  await createActive(at.call, { domain: '*.example.com' })
  await createActive(at.call, { domain: WIKI })
  for (const moment of moments)
    if (routerOf(moment.routes, WIKI) === null) expect(moment.policyFor(WIKI) ?? 'deny').toBe('deny')
  const access = '{ domain: wiki.example.com, access: [{ groups: [staff], policy: two_factor }] }'
  writeFileSync(at.policies_path, `${STRICT.slice(0, -1)}, ${access}]`)
  await using again = await at.reopen()
  const written: string[] = []
  at.authelia.onRestart = () => written.push(again.routes())
  const running = () =>
    decideBy(at.authelia.running!, { host: WIKI, uri: '/', method: 'GET', user: 'bob', groups: [] })
  expect(running()).toBe('one_factor')
  expect((await again.call('POST', '/api/deploy-all')).body).toMatchObject({ success: true })
  expect(written.length).toBeGreaterThan(0)
  for (const routes of written) {
    expect(routerOf(routes, WIKI)).toContain('service: "noop@internal"')
    expect(routerOf(routes, WIKI)).toContain('tls:')
  }
  expect(running()).toBe('deny')
  expect(isServed(again.routes(), WIKI)).toBe(true)
})

it('a policy that was tightened leaves the route where it is until a deploy, as it leaves the rule', async () => {
  await using at = await openSsoHouse({ policies: '{}' })
  await createActive(at.call, { domain: '*.example.com' })
  await createActive(at.call, { domain: 'admin.example.com' })
  writeFileSync(at.policies_path, POLICIES)
  const again = await at.reopen()
  await again.house.engine.converge('open')
  expect(routerOf(again.routes(), 'admin.example.com')).not.toBeNull()
  expect((await again.call('POST', '/api/deploy-all')).body).toMatchObject({ success: true })
  expect(routerOf(again.routes(), 'admin.example.com')).not.toBeNull()
  expect(readFileSync(at.rules_path, 'utf8')).toContain('two_factor')
  await again.house.close()
})
