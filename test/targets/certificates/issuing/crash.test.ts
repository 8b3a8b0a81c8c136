/** Killed at any call: the next process ends with exactly one certificate and nothing else. */
import { describe, expect, test } from 'vitest'
import type { CertificateWish } from '../../../../src/targets/certificates/issuing/issuer.ts'
import { createIssuer } from '../../../../src/targets/certificates/issuing/create-issuer.ts'
import { dyingAt, mortal } from './killing.ts'
import { newWorld, PLAIN, tidyRemains, WHY, WILD, type World } from './world.ts'

type Prepare = (world: World) => Promise<void>
const asItIs: Prepare = () => Promise.resolve()

/** After a failure in production, with a staging authority: a rehearsal comes first. */
const toBeRehearsed: Prepare = ({ store, clock, acme }) =>
  store.write((tx) =>
    tx.saveTrouble({
      name: PLAIN.name,
      failures: 1,
      directory: acme.directory,
      code: 'provider_refused',
      message: 'It said no.',
      failed_at: clock.now() - 2,
      next_try_at: clock.now() - 1,
      rehearse: true,
    }),
  )

/** The calls of an undisturbed attempt. */
async function callsOf(wish: CertificateWish, prepare: Prepare): Promise<readonly string[]> {
  const world = await newWorld()
  await prepare(world)
  const fate = dyingAt(Infinity, 'before')
  await createIssuer(mortal(world.parts({ staging: world.staging }), fate)).obtain(wish, WHY)
  return fate.calls
}

async function killedAt(world: World, wish: CertificateWish, fate: ReturnType<typeof dyingAt>) {
  const first = createIssuer(mortal(world.parts({ staging: world.staging }), fate))
  await expect(first.obtain(wish, WHY)).rejects.toThrow(/before|after/)
  const [installed] = await world.store.certificates()
  // After the very last call nobody has a reason to ask.
  if (installed !== undefined && (await world.store.certificateOrders()).length === 0) return installed
  return world.issuer({ staging: world.staging }).obtain(wish, WHY)
}

describe.each([
  ['one name', PLAIN, asItIs],
  ['a wildcard, its apex and a third name', WILD, asItIs],
  ['one name that is rehearsed first', PLAIN, toBeRehearsed],
])('%s', (_what, wish, prepare) => {
  test.each(['before', 'after'] as const)(
    'killed %s each of its calls, it is obtained once, by one order, and nothing is left',
    { timeout: 120_000 },
    async (when) => {
      const calls = await callsOf(wish, prepare)
      expect(calls.length).toBeGreaterThan(25)
      for (const [index, call] of calls.entries()) {
        const world = await newWorld()
        await prepare(world)
        const installed = await killedAt(world, wish, dyingAt(index + 1, when))
        const at = `${when} call ${index + 1}, ${call}`
        expect(await world.remains(), at).toEqual(tidyRemains(installed.fingerprint))
        expect(world.acme.issued, at).toHaveLength(1)
        expect(world.acme.orders, at).toHaveLength(1)
        expect(world.staging.issued, at).toHaveLength(0)
      }
    },
  )
})

test('with an authority that makes a new order each time, only the one whose address a crash lost stays pending', async () => {
  const calls = await callsOf(WILD, asItIs)
  const orders: number[] = []
  for (const index of calls.keys()) {
    const world = await newWorld()
    world.acme.reuses_orders = false
    const installed = await killedAt(world, WILD, dyingAt(index + 1, 'after'))
    expect(await world.remains()).toEqual(tidyRemains(installed.fingerprint))
    expect(world.acme.issued).toHaveLength(1)
    orders.push(world.acme.orders.length)
  }
  expect(orders.filter((count) => count === 2)).toHaveLength(1)
  expect(calls[orders.indexOf(2)]).toBe('acme.newOrder')
  expect(Math.max(...orders)).toBe(2)
})

test('killed while the staging authority is at it, and the setting is gone afterwards: its traces go, and the order is a real one', async () => {
  const calls = await callsOf(PLAIN, toBeRehearsed)
  expect(calls).toContain('staging.answer')
  expect(calls).not.toContain('staging.finalize')
  for (const [index, call] of calls.slice(0, calls.indexOf('acme.newOrder')).entries()) {
    const world = await newWorld()
    await toBeRehearsed(world)
    const fate = dyingAt(index + 1, 'after')
    const first = createIssuer(mortal(world.parts({ staging: world.staging }), fate))
    await expect(first.obtain(PLAIN, WHY)).rejects.toThrow(/before|after/)
    const installed = await world.issuer().obtain(PLAIN, WHY)
    expect(await world.remains(), call).toEqual(tidyRemains(installed.fingerprint))
  }
})
