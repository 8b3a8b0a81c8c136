/** A proxy that takes the routes file later than somebody looked: nobody is told for long that it did not. */
import { expect, it } from 'vitest'
import { type FakeTraefik, startFakeTraefik } from '../fakes/traefik/traefik.ts'
import type { HealthAnswer } from '../../src/features/health/read-health.ts'
import { createActive, openTestHouse, type TestHouse } from './test-house.ts'
import { itInDepth } from '../kit/in-depth.ts'

/** A proxy that does not follow yet. */
async function openUnread(): Promise<{ at: TestHouse; traefik: FakeTraefik } & AsyncDisposable> {
  const traefik = await startFakeTraefik()
  const at = await openTestHouse({ env: { PLUMBLINE_TRAEFIK_API: traefik.origin } })
  return {
    at,
    traefik,
    [Symbol.asyncDispose]: async () => {
      await at[Symbol.asyncDispose]()
      await traefik.stop()
    },
  }
}

/** Asks the page alone: other endpoints look at the proxy themselves. */
const onThePage = async ({ call }: TestHouse) => {
  const { components } = (await call('GET', '/api/control-plane/health')).body as unknown as HealthAnswer
  const { ok, cause } = components.find(({ name }) => name === 'proxy')!
  return { ok, cause }
}

const MISSED = { ok: false, cause: 'not_loaded' }
const LOADED = { ok: true, cause: null }
const SOON = { timeout: 60_000, interval: 100 }

it('a fresh start: the page says that it is loaded when the proxy has read it, as the deploy status does', async () => {
  await using house = await openUnread()
  const { at, traefik } = house
  await expect.poll(() => onThePage(at), SOON).toEqual(MISSED)
  traefik.follow(at.house.routes_path)
  await expect.poll(() => onThePage(at), SOON).toEqual(LOADED)
  expect((await at.call('GET', '/api/deploy/status')).body).toMatchObject({ loaded: true, drift: false })
})

itInDepth('a release that was loaded once, and is again after a restart of the proxy', async () => {
  await using house = await openUnread()
  const { at, traefik } = house
  traefik.follow(at.house.routes_path)
  await createActive(at.call)
  await expect.poll(() => onThePage(at)).toEqual(LOADED)
  traefik.refuse(() => true)
  traefik.restart(new Date())
  await at.call('GET', '/api/control-plane/health?probe=true')
  await expect.poll(() => onThePage(at), SOON).toEqual(MISSED)
  traefik.refuse(() => false)
  traefik.restart(new Date())
  await expect.poll(() => onThePage(at), SOON).toEqual(LOADED)
})
