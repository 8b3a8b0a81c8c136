/** The answer of a deploy knows whether the protected routes that it brought are closed, and names what nobody has proven. */
import { expect, it } from 'vitest'
import { describeInDepth, itInDepth } from '../kit/in-depth.ts'
import { openProven, type Proven } from './proven-house.ts'
import { openSsoHouse } from './sso-house.ts'
import { create, createActive } from './test-house.ts'

const APP = 'app.example.com'
const OTHER = 'other.example.com'

/** A record that is saved, and how a call deploys it. */
async function saved({ at: { call } }: Proven, what: string): Promise<string> {
  const is_new = what === 'activate'
  const id = await (is_new ? create(call) : createActive(call))
  if (!is_new) await call('PUT', `/api/domains/${id}`, { body: { backend_port: 8123 } })
  return what.startsWith('deploy-') ? `/api/${what}` : `/api/domains/${id}/${what}`
}

const CALLS = ['activate', 'deploy', 'deploy-all', 'deploy-proxy']

describeInDepth.each([true, false])('with the API of the proxy: %s', (api) => {
  it.each(CALLS)('a route that is closed is proven by the answer of %s', async (what) => {
    await using proven = await openProven({ api })
    const path = await saved(proven, what)
    const { status, body } = await proven.at.call('POST', path)
    expect(status, JSON.stringify(body)).toBe(200)
    expect(body).toMatchObject({ success: true, open_routes: [], not_proven: [], unfinished: [] })
  })
})

it('a route that is open is named by the answer, by the page and by explain', async () => {
  await using proven = await openProven({ api: true })
  const { at, proxy } = proven
  await createActive(at.call, { domain: OTHER })
  const id = await create(at.call)
  proxy.clash.add(APP)
  const { status, body } = await at.call('POST', `/api/domains/${id}/activate`)
  expect(status).toBe(200)
  expect(body).toMatchObject({ success: false, open_routes: [{ domain_id: id, domain: APP }] })
  expect(body['message']).toContain(`${APP} answers whoever has not signed in`)
  expect(body['warnings']).toContain(
    `${APP} answers without signing in: an anonymous request got content (200). Deactivate it until the reason is found: GET /api/sso/drift.`,
  )
  const health = (await at.call('GET', '/api/control-plane/health')).body
  expect(JSON.stringify(health['components'])).toContain(`open_route ${APP}`)
  const conditions = (await at.call('GET', '/api/conditions')).body
  expect(JSON.stringify(conditions)).toContain(`${APP} is meant to be protected and stands open`)
  // A deploy of its neighbour is none of it; one of everything is.
  const other = (await at.call('POST', `/api/domains/${id - 1}/deploy`)).body
  expect(other).toMatchObject({ success: true, open_routes: [] })
  const all = (await at.call('POST', '/api/deploy-all')).body
  expect(all).toMatchObject({ success: false, open_routes: [{ domain: APP }], refused: [] })
})

itInDepth(
  'content that the earlier file may have served is not proven closed, and not called open',
  async () => {
    await using proven = await openProven({ api: false })
    const { at, proxy } = proven
    const id = await create(at.call)
    proxy.clash.add(APP)
    const { body } = await at.call('POST', `/api/domains/${id}/activate`)
    expect(body).toMatchObject({
      success: false,
      open_routes: [],
      not_proven: [{ domain: APP, cause: 'not_seen' }],
    })
    const [seen] = body['not_proven'] as unknown as readonly { readonly detail: string }[]
    const evidence = /^Not proven yet: (an anonymous request got content.*)\.$/.exec(seen!.detail)?.[1]
    expect(body['unfinished']).toMatchObject([
      {
        message: `Nobody has proven yet that ${APP} is closed to whoever has not signed in: ${evidence}.`,
      },
    ])
  },
)

itInDepth.each(['activate', 'deploy-all'])(
  '%s ends where the proxy answers nothing, and calls nothing closed',
  async (what) => {
    await using proven = await openProven()
    const path = await saved(proven, what)
    proven.proxy.silent = true
    const { status, body } = await proven.at.call('POST', path)
    expect(status, JSON.stringify(body)).toBe(200)
    expect(body).toMatchObject({
      success: false,
      open_routes: [],
      not_proven: [{ domain: APP, cause: 'not_seen' }],
      unfinished: [{ component: 'sso-proof' }],
    })
    expect(JSON.stringify(body['warnings'])).toContain(`Nobody has proven yet that ${APP} is closed`)
  },
)

itInDepth('a reconcile of everything proves afresh as well', async () => {
  await using proven = await openProven({ api: true })
  const { at, proxy } = proven
  await createActive(at.call)
  proxy.clash.add(APP)
  const { body } = await at.call('POST', '/api/reconcile')
  const id = String(body['operation_id'] ?? body['id'])
  await expect
    .poll(async () => JSON.stringify((await at.call('GET', `/api/operations/${id}`)).body), {
      timeout: 60_000,
    })
    .toContain('"open_routes":[{')
})

itInDepth('a deploy of many routes asks them side by side, in a few seconds in all', async () => {
  await using proven = await openProven({ api: true })
  const { at, proxy } = proven
  for (let i = 0; i < 60; i++) await create(at.call, { domain: `d${i}.example.com` })
  for (let i = 1; i <= 60; i++) await at.call('POST', `/api/domains/${i}/activate`)
  const before = proxy.asked.length
  const { body } = await at.call('POST', '/api/deploy-all')
  expect(body).toMatchObject({ success: true, not_proven: [], open_routes: [] })
  expect(proxy.asked.length - before).toBeLessThanOrEqual(120)
})

itInDepth(
  'with the quarantine set, what is found open is taken out before the answer, which says so',
  async () => {
    await using proven = await openProven({ api: true, env: { PLUMBLINE_SSO_QUARANTINE: 'on' } })
    const { at, proxy } = proven
    const id = await create(at.call)
    proxy.clash.add(APP)
    const { body } = await at.call('POST', `/api/domains/${id}/activate`)
    expect(body).toMatchObject({ success: false, open_routes: [{ domain: APP }] })
    expect(body['warnings']).toContain(
      `${APP} answers without signing in: an anonymous request got content (200). Its route was taken out: find the reason (GET /api/sso/drift), then "plumbline access lift DOMAIN" puts it back.`,
    )
    expect(at.routes()).not.toContain(`service: "plumbline-site_${APP}"`)
    // The proxy runs what stands there: nobody else has the name by now.
    proxy.clash.clear()
    await at.call('GET', '/api/control-plane/health?probe=true')
    const drift = (await at.call('GET', '/api/drift')).body as unknown as {
      readonly components: readonly { readonly component: string; readonly differences: readonly object[] }[]
    }
    expect(drift.components.find(({ component }) => component === 'proxy')!.differences).toEqual([])
    expect((await at.call('GET', `/api/domains/${id}/effective-config`)).body).not.toMatchObject({
      sync_status: 'shadowed',
    })
  },
)

itInDepth('where nobody asks, the answer says so and goes on', async () => {
  await using at = await openSsoHouse({ opened: false, env: { PLUMBLINE_SSO_UNPROVEN: 'warn' } })
  const id = await create(at.call)
  const { body } = await at.call('POST', `/api/domains/${id}/activate`)
  expect(body).toMatchObject({ success: true, not_proven: [{ domain: APP, cause: 'not_configured' }] })
  expect(JSON.stringify(body['warnings'])).toContain('PLUMBLINE_SSO_PROBE')
})
