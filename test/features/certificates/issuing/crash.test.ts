/** Killed at any call: the next process ends with exactly one certificate and nothing else. */
import { expect, test } from 'vitest'
import type { CertificateWish } from '../../../../src/features/certificates/issuing/port.ts'
import { createIssuer } from '../../../../src/features/certificates/issuing/create-issuer.ts'
import { dyingAt, mortal } from './killing.ts'
import { newWorld, PLAIN, tidyRemains, WHY, WILD, type World } from './world.ts'
import { byTier } from '../../../kit/tier.ts'
import { describeOneIn, itInDepth } from '../../../kit/in-depth.ts'
import { certificateRecords } from '../../../../src/features/certificates/records.ts'

type Prepare = (world: World) => Promise<void>
const asItIs: Prepare = () => Promise.resolve()

/** After a failure in production, with a staging authority: a rehearsal comes first. */
const toBeRehearsed: Prepare = ({ store, clock, acme }) =>
  store.write((tx) =>
    tx.of(certificateRecords).saveFailure({
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
  const script = dyingAt(Infinity, 'before')
  await createIssuer(mortal(world.parts({ staging: world.staging }), script)).issue(wish, WHY)
  return script.calls
}

async function killedAt(world: World, wish: CertificateWish, script: ReturnType<typeof dyingAt>) {
  const first = createIssuer(mortal(world.parts({ staging: world.staging }), script))
  await expect(first.issue(wish, WHY)).rejects.toThrow(/before|after/)
  const [installed] = await world.store.of(certificateRecords).certificates()
  // After the very last call nobody has a reason to ask.
  if (installed !== undefined && (await world.store.of(certificateRecords).certificateOrders()).length === 0)
    return installed
  return world.issuer({ staging: world.staging }).issue(wish, WHY)
}

/** In the gate one call in so many, others at each test. */
const GATE_NTH = 7
const tried = (calls: readonly string[], from = 0): readonly (readonly [index: number, call: string])[] =>
  [...calls.entries()].filter(([index]) => byTier(index % GATE_NTH === from, true))

describeOneIn(3).each([
  ['one name', PLAIN, asItIs],
  ['a wildcard, its apex and a third name', WILD, asItIs],
  ['one name that is rehearsed first', PLAIN, toBeRehearsed],
])('%s', (_what, wish, prepare) => {
  test.each(['before', 'after'] as const)(
    'killed %s each of its calls, it is obtained once, by one order, and nothing is left',
    async (when) => {
      const calls = await callsOf(wish, prepare)
      expect(calls.length).toBeGreaterThan(25)
      for (const [index, call] of tried(calls, when === 'before' ? 2 : 5)) {
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

itInDepth(
  'with an authority that makes a new order each time, only the one whose address a crash lost stays pending',
  async () => {
    const calls = await callsOf(WILD, asItIs)
    const lost = calls.indexOf('acme.newOrder')
    const orders = new Map<number, number>()
    for (const [index] of tried(calls, lost % GATE_NTH)) {
      const world = await newWorld()
      world.acme.reuses_orders = false
      const installed = await killedAt(world, WILD, dyingAt(index + 1, 'after'))
      expect(await world.remains()).toEqual(tidyRemains(installed.fingerprint))
      expect(world.acme.issued).toHaveLength(1)
      orders.set(index, world.acme.orders.length)
    }
    for (const [index, count] of orders) expect(count, calls[index]).toBe(index === lost ? 2 : 1)
  },
)

test('killed while the staging authority is at it, and the setting is gone afterwards: its traces go, and the order is a real one', async () => {
  const calls = await callsOf(PLAIN, toBeRehearsed)
  expect(calls).toContain('staging.answer')
  expect(calls).not.toContain('staging.finalize')
  for (const [index, call] of tried(calls.slice(0, calls.indexOf('acme.newOrder')))) {
    const world = await newWorld()
    await toBeRehearsed(world)
    const script = dyingAt(index + 1, 'after')
    const first = createIssuer(mortal(world.parts({ staging: world.staging }), script))
    await expect(first.issue(PLAIN, WHY)).rejects.toThrow(/before|after/)
    const installed = await world.issuer().issue(PLAIN, WHY)
    expect(await world.remains(), call).toEqual(tidyRemains(installed.fingerprint))
  }
})
