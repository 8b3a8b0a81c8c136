/** A daemon that is killed between its proxy's loading a new name, which it does not serve, and the end of going back to the old one. */
import { expect, it } from 'vitest'
import type { FakeTraefik } from '../fakes/traefik/traefik.ts'
import { disablesRouter } from './disabled-router.ts'
import { killedAt, killedAtEach, type Prepared } from './killed-daemon.ts'
import { createActive, type TestHouse } from './test-house.ts'
import { TIER } from '../kit/tier.ts'

const OLD = 'old.example.com'
const FRESH = 'fresh.example.com'
/** In the transaction that takes the name back: the proxy has loaded the new one by then. */
const GOING_BACK = 'release 2'
/** All of them at night, else one in so many. */
const EVERY = TIER === 'nightly' ? 1 : 5
const TRIAL = {
  env: { PLUMBLINE_DNS_PROVIDER: 'zonefile', PLUMBLINE_PUBLIC_IP: '203.0.113.10' },
  prepare,
}

it('killed while it goes back to the old name', { timeout: 600_000 }, async () => {
  expect((await killedAt(GOING_BACK, TRIAL)).killed).toBe(true)
  const whole = await killedAt(null, TRIAL)
  expect(whole.points).toContain(GOING_BACK)
  await killedAtEach(
    whole.points.filter((_point, i) => i % EVERY === 0),
    TRIAL,
  )
})

/** A name that is served, and another for it that the proxy loads and does not serve. */
async function prepare(at: TestHouse, traefik: FakeTraefik): Promise<Prepared> {
  const id = await createActive(at.call, { domain: OLD })
  const routes = at.routes()
  await at.call('PUT', `/api/domains/${id}`, { body: { domain: FRESH } })
  disablesRouter(traefik, FRESH)
  return {
    path: `/api/domains/${id}/deploy`,
    check: (after, message) => check(after, { id, routes }, message),
  }
}

/** The old name is served as before, and the record says why. */
async function check(
  at: TestHouse,
  { id, routes }: { readonly id: number; readonly routes: string },
  message: string,
): Promise<void> {
  const released = async () =>
    ((await at.call('GET', '/api/releases')).body as unknown as readonly { readonly reason: string }[]).some(
      ({ reason }) => reason.startsWith('rename'),
    )
  const record = async () => {
    const { domain, status, status_reason } = (await at.call('GET', `/api/domains/${id}`)).body
    return { domain, status, status_reason }
  }
  const refused = { status: 'error', status_reason: expect.stringContaining('no such thing') as string }
  const names = async () => {
    const { body } = await at.call('GET', '/api/dns/records?zone=example.com')
    const { records } = body as unknown as {
      readonly records: readonly { readonly name: string; readonly type: string }[]
    }
    return records.filter(({ type }) => type === 'A').map(({ name }) => name)
  }
  await expect
    .poll(record, { message, timeout: 60_000 })
    .toEqual({ domain: FRESH, ...((await released()) ? refused : { status: 'active', status_reason: null }) })
  await expect.poll(() => at.routes(), { message, timeout: 60_000 }).toBe(routes)
  await expect.poll(names, { message, timeout: 60_000 }).toEqual([OLD])
}
