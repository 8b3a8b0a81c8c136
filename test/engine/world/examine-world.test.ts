/** How far the world is, found out before anything is written there. */
import { expect, it } from 'vitest'
import { examineWorld } from '../../../src/engine/world/examine-world.ts'
import type { WorldGuard } from '../../../src/engine/world/guard.ts'
import type { AnyTarget } from '../../../src/engine/target.ts'
import { systemClock } from '../../../src/kernel/clock.ts'
import { fakeTarget, fakeWorld } from '../fake-target.ts'

const stampIn: AnyTarget['stampIn'] = () => null
const at = (key: string, content: string, over: Partial<AnyTarget> = {}) =>
  fakeTarget(fakeWorld(content), { key, ...over })

it('the holders come first, then what each target that tells it has found, then the start', async () => {
  const told: unknown[] = []
  const world = {
    examine: async () => void told.push('holders'),
    found: async ({ key }: AnyTarget, state: unknown) => void told.push([key, state]),
    assertStart: () => void told.push('start'),
  } as unknown as WorldGuard
  const unread = fakeTarget({ ...fakeWorld('c'), look: 'unknown' }, { key: 'unread', stampIn })
  const targets = [at('one', 'a', { stampIn }), at('silent', 'b'), unread, at('other', 'd', { stampIn })]
  await examineWorld(targets, { world, clock: systemClock })
  expect(told).toEqual(['holders', ['one', 'a'], ['other', 'd'], 'start'])
})

it('the start ends where the guard says so', async () => {
  const older = new Error('older')
  const world = {
    examine: async () => undefined,
    assertStart: () => {
      throw older
    },
  } as unknown as WorldGuard
  await expect(examineWorld([], { world, clock: systemClock })).rejects.toBe(older)
})

it('a target that does not answer keeps the start waiting for five seconds at most', async () => {
  const ends: number[] = []
  const clock = {
    ...systemClock,
    sleep: async (ms: number) => void ends.push(ms),
  }
  const world = {
    examine: async () => undefined,
    found: async () => {
      throw new Error('it did not answer')
    },
    assertStart: () => undefined,
  } as unknown as WorldGuard
  const hanging = fakeTarget({ ...fakeWorld(), look: 'hangs' }, { stampIn, deadline_ms: 60_000 })
  await examineWorld([hanging], { world, clock })
  expect(ends).toEqual([5_000])
})
