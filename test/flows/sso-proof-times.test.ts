/** When the proof knows: as soon as the proxy runs what was deployed, and within seconds of a route's own due time at rest. */
import { expect, it } from 'vitest'
import { openProven, report } from './proven-house.ts'
import type { SsoHouse } from './sso-house.ts'
import { createActive } from './test-house.ts'
import { describeOneIn, itInDepth } from '../kit/in-depth.ts'

/** Where a route is out, its router leads nowhere. */
const SERVED = 'service: "plumbline-site_app.example.com"'

const QUARANTINE = { PLUMBLINE_SSO_QUARANTINE: 'on' }
const obstacles = async ({ call }: SsoHouse): Promise<string> =>
  JSON.stringify((await call('GET', '/api/conditions')).body)

describeOneIn(2).each([true, false])('with the API of the proxy: %s', (api) => {
  itInDepth(
    'a fresh deploy that the proxy has not loaded yet is proven when it has, not a minute later',
    async () => {
      await using proven = await openProven({ opened: true, throttle_ms: 2_000, api })
      const { at } = proven
      for (const name of ['a', 'b', 'c']) await createActive(at.call, { domain: `${name}.example.com` })
      await expect.poll(async () => (await report(at))['ok']).toBe(true)
    },
  )

  itInDepth(
    'a route that opens at rest is taken out a minute after it was asked, by the daemon itself',
    async () => {
      await using proven = await openProven({ opened: true, api, env: QUARANTINE })
      const { at, proxy, pass } = proven
      await createActive(at.call)
      await expect.poll(async () => (await report(at))['ok']).toBe(true)
      pass(10_000)
      proxy.clash.add('app.example.com')
      pass(60_000)
      await expect.poll(() => at.routes()).not.toContain(SERVED)
    },
  )

  it('the quarantine of a route whose host somebody else takes says that it cannot close it, and what would', async () => {
    await using proven = await openProven({ api, env: QUARANTINE })
    const { at, proxy, look } = proven
    proxy.clash.add('app.example.com')
    await createActive(at.call)
    for (let i = 0; i < 5; i++) await look()
    expect(at.routes()).not.toContain(SERVED)
    const told = await report(at)
    expect(told).toMatchObject({ ok: false, quarantine: [{ domain: 'app.example.com' }] })
    const whole = `${JSON.stringify(told['open_route'])} ${await obstacles(at)}`
    expect(whole).toContain('in quarantine and answers without signing in all the same')
    expect(whole).toContain('app.example.com is in quarantine and stands open all the same')
    expect(whole).toContain('cannot close it')
    expect(whole).toContain('Take that router away where it is defined')
    expect(whole.includes('theirs-0@docker')).toBe(api)
    proxy.clash.clear()
    for (let i = 0; i < 7; i++) await look()
    expect(await report(at)).toMatchObject({ open_route: [] })
    expect(await obstacles(at)).not.toContain('all the same')
  })

  itInDepth(
    'a route that was open before its protection was deployed is not taken for open while the proxy runs the earlier file',
    async () => {
      await using proven = await openProven({ opened: true, throttle_ms: 4_000, api, env: QUARANTINE })
      const { at } = proven
      const id = await createActive(at.call, { auth_required: false })
      const { headers } = await at.call('GET', `/api/domains/${id}`)
      const saved = await at.call('PUT', `/api/domains/${id}`, {
        body: { auth_required: true },
        headers: { 'if-match': headers.get('etag') ?? '' },
      })
      expect(saved.status, JSON.stringify(saved.body)).toBe(200)
      expect((await at.call('POST', `/api/domains/${id}/deploy`)).status).toBe(200)
      await expect.poll(async () => (await report(at))['ok']).toBe(true)
      expect(await report(at)).toMatchObject({ quarantine: [] })
    },
  )
})
