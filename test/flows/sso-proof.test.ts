/** Protected routes are asked without signing in: closed is proven, open is told and, where it is set, taken out. */
import { expect, it } from 'vitest'
import { parse } from 'yaml'
import { edgeRoutes } from './edge-routes.ts'
import { openProven, report } from './proven-house.ts'
import { createActive, openTestHouse } from './test-house.ts'
import type { SsoHouse } from './sso-house.ts'
import { itInDepth } from '../kit/in-depth.ts'

/** Where a route is out, its router leads nowhere. */
const SERVED = 'service: "plumbline-site_app.example.com"'

const conditions = async ({ call }: SsoHouse): Promise<string> =>
  JSON.stringify((await call('GET', '/api/conditions')).body)

itInDepth('a protected route is proven closed, asked by its own name in TLS and HTTP', async () => {
  await using proven = await openProven()
  const { at, proxy, look } = proven
  await createActive(at.call)
  await createActive(at.call, { domain: 'open.example.com', auth_required: false })
  await look()
  expect(await report(at)).toMatchObject({ ok: true, open_route: [] })
  expect(proxy.kinds).toEqual([{ host: 'app.example.com', sni: 'app.example.com', path: '/' }])
})

itInDepth(
  'content is a critical condition of the domain, once it is seen twice some time apart',
  async () => {
    await using proven = await openProven()
    const { at, proxy, look } = proven
    await createActive(at.call)
    await createActive(at.call, { domain: 'other.example.com' })
    await look()
    proxy.clash.add('app.example.com')
    await at.house.engine.converge('open', { records: 'all', component: 'routes' })
    for (let i = 0; i < 7; i++) await look()
    const body = await report(at)
    expect(body).toMatchObject({
      ok: false,
      open_route: [{ domain: 'app.example.com', cause: 'answers_without_sign_in' }],
    })
    const all = await conditions(at)
    expect(all).toContain('app.example.com is meant to be protected and stands open')
    expect(all).not.toContain('other.example.com is meant')
    // Only told: the route is where it was.
    expect(at.routes()).toContain(SERVED)
    proxy.clash.clear()
    for (let i = 0; i < 7; i++) await look()
    expect(await report(at)).toMatchObject({ ok: true })
  },
)

it('one sighting proves nothing, and is not called closed', async () => {
  await using proven = await openProven({ env: { PLUMBLINE_SSO_QUARANTINE: 'on' } })
  const { at, proxy, look } = proven
  await createActive(at.call)
  proxy.clash.add('app.example.com')
  // It ends before a second look could.
  const probed = await at.call('GET', '/api/control-plane/health?probe=true')
  expect(probed.body).toMatchObject({ ok: false, drift: null })
  expect(JSON.stringify(probed.body)).toContain('an anonymous request got content')
  proxy.clash.clear()
  await look()
  expect(await report(at)).toMatchObject({ ok: true })
  expect(at.routes()).toContain(SERVED)
})

it('with the quarantine set the route is taken out, stays out across a restart, and comes back only by a person', async () => {
  await using proven = await openProven({ env: { PLUMBLINE_SSO_QUARANTINE: 'on' } })
  const { at, proxy, look } = proven
  proxy.clash.add('app.example.com')
  const id = await createActive(at.call)
  await createActive(at.call, { domain: 'other.example.com' })
  await look()
  await look()
  expect(at.routes()).not.toContain(SERVED)
  expect(at.routes()).toContain('plumbline-site_other.example.com')
  expect(await edgeRoutes(at.call), 'edges serve it as little').toEqual(parse(at.routes()))
  expect(await report(at)).toMatchObject({ quarantine: [{ domain: 'app.example.com', domain_id: id }] })
  // A deploy says why, and does not bring it back.
  const deployed = await at.call('POST', `/api/domains/${id}/deploy`)
  expect(deployed.body['detail']).toContain('app.example.com is in quarantine')
  await at.call('POST', '/api/deploy-all')
  expect(at.routes()).not.toContain(SERVED)
  const { body: trail } = await at.call('GET', '/api/audit?action=quarantine')
  expect(trail).toMatchObject([{ actor: 'reconciler', domain: 'app.example.com' }])

  const lift = () => at.call('POST', '/api/sso/quarantine/app.example.com/lift')
  expect((await lift()).status).toBe(200)
  expect(at.routes()).toContain(SERVED)
  expect(await edgeRoutes(at.call)).toEqual(parse(at.routes()))
  expect((await lift()).status).toBe(404)
  // It still stands open, so it goes out again; then the reason is found.
  await look()
  await look()
  expect(at.routes()).not.toContain(SERVED)
  proxy.clash.clear()
  expect((await lift()).status).toBe(200)
  for (let i = 0; i < 7; i++) await look()
  expect(await report(at)).toMatchObject({ ok: true, quarantine: [] })

  proxy.clash.add('app.example.com')
  await look()
  await look()
  await using again = await at.reopen()
  await again.call('POST', '/api/deploy-all')
  expect(again.routes()).toContain('plumbline-site_other.example.com')
  expect(again.routes()).not.toContain(SERVED)
  await again.house.close()

  // Nor does a start without any setting of single sign-on bring it back.
  await using bare = await openTestHouse({ directory: at.directory, opened: false })
  await bare.call('POST', '/api/deploy-all')
  expect(bare.routes()).toContain('plumbline-site_other.example.com')
  expect(bare.routes()).not.toContain(SERVED)
  expect(await bare.call('POST', '/api/sso/quarantine/app.example.com/lift')).toMatchObject({ status: 200 })
  expect(bare.routes()).toContain(SERVED)
})

itInDepth('a backend that shows its own sign-in page stands open', async () => {
  await using proven = await openProven()
  const { at, proxy, look } = proven
  proxy.clash.add('app.example.com')
  proxy.backend = { status: 302, location: '/login' }
  await createActive(at.call)
  await look()
  await look()
  expect(await report(at)).toMatchObject({ open_route: [{ domain: 'app.example.com' }] })
})

itInDepth('a proxy that does not answer leaves everything unknown, and nothing is taken out', async () => {
  await using proven = await openProven({ env: { PLUMBLINE_SSO_QUARANTINE: 'on' } })
  const { at, proxy, look } = proven
  await createActive(at.call)
  proxy.silent = true
  await look()
  const body = await report(at)
  expect(body).toMatchObject({ ok: false, drift: null, open_route: [], quarantine: [] })
  expect(body['unknown']).toContainEqual(
    expect.objectContaining({ part: 'proof', domain: 'app.example.com' }),
  )
  const all = await conditions(at)
  expect(all).toContain('nothing is proven')
})
