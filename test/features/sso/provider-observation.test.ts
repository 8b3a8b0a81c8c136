/** What is known of the provider: one look for all who ask at the same time, and none while the last one holds. */
import { expect, it } from 'vitest'
import { ProviderObservation } from '../../../src/features/sso/provider/observation.ts'
import type { ProviderHealth } from '../../../src/ports/sso-provider.ts'
import { handClock } from '../../fakes/hand-clock.ts'

const DOWN: ProviderHealth = { ok: null, why: 'It refused the connection.' }

function observation() {
  const clock = handClock()
  const looks: PromiseWithResolvers<ProviderHealth>[] = []
  const health = () => {
    const look = Promise.withResolvers<ProviderHealth>()
    looks.push(look)
    return look.promise
  }
  return { clock, looks, observation: new ProviderObservation({ provider: { health }, clock }) }
}

it('all who ask at the same time share one look', async () => {
  const at = observation()
  const asked = Promise.all([at.observation.fault(), at.observation.fault(), at.observation.fault()])
  at.looks[0]!.resolve(DOWN)
  expect(await asked).toEqual(Array.from({ length: 3 }, () => DOWN.why))
  expect(at.looks).toHaveLength(1)
})

it('what was found holds, well longer than not', async () => {
  const at = observation()
  const after = async (ms: number, found: ProviderHealth) => {
    at.clock.pass(ms)
    const asked = at.observation.fault()
    at.looks.at(-1)!.resolve(found)
    return [await asked, at.looks.length]
  }
  expect(await after(0, { ok: true })).toEqual([null, 1])
  expect(await after(9_000, DOWN)).toEqual([null, 1])
  expect(await after(2_000, DOWN)).toEqual([DOWN.why, 2])
  expect(await after(1_000, { ok: true })).toEqual([DOWN.why, 2])
  expect(await after(2_000, { ok: true })).toEqual([null, 3])
})

it('who asks waits no longer than a second; what is known stands meanwhile, and before the first look nothing is', async () => {
  const at = observation()
  expect(await at.observation.fault()).toBeNull()
  at.looks[0]!.resolve(DOWN)
  expect(await at.observation.fault()).toBe(DOWN.why)
  at.clock.pass(3_000)
  expect(await at.observation.fault()).toBe(DOWN.why)
  expect(at.looks).toHaveLength(2)
  at.looks[1]!.resolve({ ok: true })
  expect(await at.observation.fault()).toBeNull()
})

it('the look of the health page is one for the others, too', async () => {
  const at = observation()
  const looked = at.observation.health(new AbortController().signal)
  at.looks[0]!.resolve(DOWN)
  expect(await looked).toBe(DOWN)
  expect(await at.observation.fault()).toBe(DOWN.why)
  expect(at.looks).toHaveLength(1)
})
