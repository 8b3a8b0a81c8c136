/** What lasts is told, once and together, by mail and webhook; its end is told to whom it was told; nothing secret leaves. */
import { appendFileSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import {
  expectOpen,
  expectTold,
  MINUTE_MS,
  notificationsWorld,
  openTroubles,
  PATIENCE,
} from './notifications-world.ts'
import { createActive, openTestHouse } from './test-house.ts'

describe('a drift in observe mode', () => {
  it('is told when it has lasted, once, and so is its end', { timeout: 90_000 }, async () => {
    await using world = await notificationsWorld()
    const { clock, receiver } = world
    await using at = await openTestHouse({ env: world.env, clock })
    await createActive(at.call)
    const bytes = at.routes()
    appendFileSync(at.house.routes_path, '# stranger\n')
    const drift = async () => JSON.stringify((await at.call('GET', '/api/conditions')).body)
    await expect.poll(drift, PATIENCE).toContain('"reason":"drifting"')
    clock.step(9 * MINUTE_MS)
    expect(await openTroubles(at)).toEqual([])
    clock.step(2 * MINUTE_MS)
    await expectOpen(at, ['drift_lasting'])
    clock.step(2 * MINUTE_MS)
    await expectTold(at)
    expect(world.titles()).toEqual(['Plumbline: routes drifting'])
    expect(world.subjects()).toEqual(['Plumbline: routes drifting'])
    expect(receiver.taken[0]!.message).toMatchObject({
      version: 1,
      verdict: 'wrong',
      open: 1,
      new: [{ kind: 'drift_lasting', component: 'routes', count: 0, ended: null }],
      over: [],
    })
    clock.step(60 * MINUTE_MS)
    await expectOpen(at, ['drift_lasting'])
    writeFileSync(at.house.routes_path, bytes)
    await expectOpen(at, [])
    expect(world.titles(), 'it may come back within the minute').toHaveLength(1)
    clock.step(2 * MINUTE_MS)
    const over = 'Plumbline: over: routes drifting'
    const told = async () => [(await openTroubles(at)).length, world.titles()[1], world.subjects()[1]]
    await expect.poll(told, PATIENCE).toEqual([0, over, over])
    clock.step(30 * 60 * MINUTE_MS)
    await expectOpen(at, [])
    expect([world.titles().length, world.subjects().length]).toEqual([2, 2])
  })
})
