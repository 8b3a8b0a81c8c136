/** A daemon that is killed between its proxy's loading a new name, which it does not serve, and the end of going back to the old one. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { startFakeTraefik } from '../fakes/traefik/traefik.ts'
import type { GoBackOrder } from './children/go-back.ts'
import { disablesRouter } from './disabled-router.ts'
import { hurriedClock } from './proxy-house.ts'
import { createActive, openTestHouse, type TestHouse } from './test-house.ts'
import { byTier } from '../kit/tier.ts'
import { programOf } from '../kit/programs.ts'
import { childsEnd } from '../kit/child.ts'

const CHILD = programOf(new URL('children/go-back.ts', import.meta.url))
const OLD = 'old.example.com'
const FRESH = 'fresh.example.com'
/** In the transaction that takes the name back: the proxy has loaded the new one by then. The gate takes this one alone. */
const GOING_BACK = 'release 2'
/** All of them at night, else one in so many. */
const EVERY = byTier(Infinity, 5, 1)

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

it('killed while it goes back to the old name', { timeout: 600_000 }, async () => {
  expect((await trial(GOING_BACK)).killed).toBe(true)
  if (EVERY === Infinity) return
  const whole = await trial(null)
  expect(whole.points).toContain(GOING_BACK)
  let killed = 0
  const points = whole.points.filter((_point, i) => i % EVERY === 0)
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
    PLUMBLINE_DNS_PROVIDER: 'zonefile',
    PLUMBLINE_PUBLIC_IP: '203.0.113.10',
    // As the houses of this process have them: another rendering would not go back.
    PLUMBLINE_CERT_RESOLVER: 'letsencrypt',
    PLUMBLINE_ENTRYPOINTS: 'web=80,websecure=443',
    PLUMBLINE_TRAEFIK_API: traefik.origin,
  }
  const options = { env, directory, clock: hurriedClock() }
  try {
    const before = await openTestHouse(options)
    traefik.follow(before.house.routes_path)
    const id = await createActive(before.call, { domain: OLD })
    const routes = before.routes()
    await before.call('PUT', `/api/domains/${id}`, { body: { domain: FRESH } })
    disablesRouter(traefik, FRESH)
    await before.house.close()
    const life = await live({ env, path: `/api/domains/${id}/deploy`, dies_at })
    let at = await openTestHouse(options)
    try {
      await check(at, { id, routes }, `${dies_at}`)
      at = await at.reopen()
      await check(at, { id, routes }, `${dies_at}, started once more`)
    } finally {
      await at.house.close()
    }
    return life
  } finally {
    rmSync(directory, { recursive: true, force: true })
    await traefik.stop()
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
