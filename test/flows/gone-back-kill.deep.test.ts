/** A daemon that is killed between writing a file that its proxy refuses and the end of going back: afterwards all is one. */
import { expect, it } from 'vitest'
import type { FakeTraefik } from '../fakes/traefik/traefik.ts'
import { killedAt, killedAtEach, type Prepared } from './killed-daemon.ts'
import { create, createActive, type TestHouse } from './test-house.ts'
import { TIER } from '../kit/tier.ts'

/** The file that the proxy loads is back, and nobody has recorded it yet. */
const GOING_BACK = 'file 2, after'
/** All of them at night, else one in so many. */
const EVERY = TIER === 'nightly' ? 1 : 4
const TRIAL = { env: { PLUMBLINE_DNS_PROVIDER: 'none' }, prepare }

it('killed at each write of the store and of the file', { timeout: 600_000 }, async () => {
  const whole = await killedAt(null, TRIAL)
  expect(whole.killed).toBe(false)
  expect(whole.points).toContain(GOING_BACK)
  const points = whole.points.filter((point) => /^(?:write|file)/.test(point))
  await killedAtEach(
    points.filter((_, i) => i % EVERY === 0),
    TRIAL,
  )
})

/** One domain that is served, an edit of it that is saved, and another domain that the proxy will refuse. */
async function prepare(at: TestHouse, traefik: FakeTraefik): Promise<Prepared> {
  const good = await createActive(at.call, { domain: 'good.example.com' })
  await at.call('PUT', `/api/domains/${good}`, { body: { backend_port: 9999 } })
  const bad = await create(at.call, { domain: 'bad.example.com' })
  traefik.refuse((text) => text.includes('bad.example.com'))
  const before = { routes: at.routes(), good, bad }
  return {
    path: `/api/domains/${bad}/activate`,
    check: (after, message) => check(after, before, message),
  }
}

interface Before {
  readonly routes: string
  readonly good: number
  readonly bad: number
}

async function check(at: TestHouse, { routes, good, bad }: Before, message: string): Promise<void> {
  const releases = async () =>
    (await at.call('GET', '/api/releases')).body as unknown as {
      reason: string
      results: Record<string, string>
    }[]
  const newest = async () => (await releases())[0]?.results['proxy']
  await expect.poll(newest, { message }).toBe('loaded')
  await expect.poll(() => at.routes(), { message }).toBe(routes)
  // What is released is what is on disk, and what the proxy runs.
  const { body } = await at.call('POST', '/api/plans', { body: { component: 'routes' } })
  expect(body, message).toMatchObject({ plan: { rows: [], actions: [], complete: true } })
  expect((await at.call('GET', '/api/deploy/status')).body, message).toMatchObject({ loaded: true })
  const all = await releases()
  const was_released = all.some(({ reason }) => reason === 'activate bad.example.com')
  const reasons = all.filter(({ reason }) => reason.includes('was not loaded by the proxy'))
  expect(reasons.length, message).toBe(was_released ? 1 : 0)
  expect((await at.call('GET', `/api/domains/${bad}`)).body, message).toMatchObject({
    status: was_released ? 'error' : 'inactive',
    backend_host: '10.0.0.5',
  })
  expect((await at.call('GET', `/api/domains/${good}`)).body, message).toMatchObject({
    status: 'active',
    backend_port: 9999,
  })
}
