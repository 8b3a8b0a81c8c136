/** A daemon that is killed between writing a file that its proxy refuses and the end of going back: afterwards all is one. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { type FakeTraefik, startFakeTraefik } from '../fakes/traefik/traefik.ts'
import type { GoBackOrder } from './children/go-back.ts'
import { hurriedClock } from './proxy-house.ts'
import { create, createActive, openTestHouse, type TestHouse } from './test-house.ts'
import { byTier } from '../kit/tier.ts'
import { programOf } from '../kit/programs.ts'
import { childsEnd } from '../kit/child.ts'

const CHILD = programOf(new URL('children/go-back.ts', import.meta.url))
/** All of them at night, else one in so many. */
const EVERY = byTier(48, 4, 1)

interface Life {
  readonly killed: boolean
  readonly points: readonly string[]
}

async function live(order: GoBackOrder): Promise<Life> {
  const { code, signal, out, err } = await childsEnd(CHILD, order)
  if (signal === 'SIGKILL') return { killed: true, points: [] }
  expect(code, `${order.dies_at}: ${err}`).toBe(0)
  const { status, points } = JSON.parse(out) as { status: number; points: readonly string[] }
  expect(status).toBe(502)
  return { killed: false, points }
}

it('killed at each write of the store and of the file', { timeout: 600_000 }, async () => {
  const whole = await trial(null)
  expect(whole.killed).toBe(false)
  expect(whole.points).toContain('file 2, after')
  let killed = 0
  const points = whole.points
    .filter((point) => /^(?:write|file)/.test(point))
    .filter((_, i) => i % EVERY === 0)
  for (const point of points) if ((await trial(point)).killed) killed++
  // What is written in the background (conditions, events) is not always in the same number of writes.
  expect(killed).toBeGreaterThanOrEqual(points.length - 2)
})

async function trial(dies_at: string | null): Promise<Life> {
  const traefik = await startFakeTraefik()
  const directory = mkdtempSync(join(tmpdir(), 'plumbline-killed-'))
  const env = {
    PLUMBLINE_LISTEN: '127.0.0.1:0',
    PLUMBLINE_DATA_DIR: directory,
    PLUMBLINE_DNS_PROVIDER: 'none',
    // As the houses of this process have them: another rendering would not go back.
    PLUMBLINE_CERT_RESOLVER: 'letsencrypt',
    PLUMBLINE_ENTRYPOINTS: 'web=80,websecure=443',
    PLUMBLINE_TRAEFIK_API: traefik.origin,
  }
  const options = { env, directory, clock: hurriedClock() }
  try {
    const before = await prepared(traefik, options)
    const life = await live({ env, path: `/api/domains/${before.bad}/activate`, dies_at })
    let at = await openTestHouse(options)
    try {
      await check(at, before, `${dies_at}`)
      at = await at.reopen()
      await check(at, before, `${dies_at}, started once more`)
    } finally {
      await at.house.close()
    }
    return life
  } finally {
    rmSync(directory, { recursive: true, force: true })
    await traefik.stop()
  }
}

interface Before {
  readonly routes: string
  readonly good: number
  readonly bad: number
}

/** One domain that is served, an edit of it that is saved, and another domain that the proxy will refuse. */
async function prepared(traefik: FakeTraefik, options: Parameters<typeof openTestHouse>[0]): Promise<Before> {
  const at = await openTestHouse(options)
  traefik.follow(at.house.routes_path)
  const good = await createActive(at.call, { domain: 'good.example.com' })
  await at.call('PUT', `/api/domains/${good}`, { body: { backend_port: 9999 } })
  const bad = await create(at.call, { domain: 'bad.example.com' })
  traefik.refuse((text) => text.includes('bad.example.com'))
  const before = { routes: at.routes(), good, bad }
  await at.house.close()
  return before
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
