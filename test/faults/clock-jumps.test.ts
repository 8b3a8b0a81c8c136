/** The host's clock is set while the daemon runs: it neither storms nor hangs, and what expires expires once. */
import { renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { createActive, openTestHouse, type TestHouse } from '../flows/test-house.ts'
import { movedClock } from '../kit/moved-clock.ts'
import { itInDepth, describeOneIn } from '../kit/in-depth.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const JUMPS = [
  ['two hours back', -2 * HOUR_MS],
  ['90 days ahead', 90 * DAY_MS],
  ['400 days ahead', 400 * DAY_MS],
] as const

/** Passes that one edit may cost: the hint, the look after it, a tick. A slow machine has more of these, one a second. */
const MAX_PASSES = 6
const TICK_MS = 1000

async function openStepped(watched: boolean) {
  const clock = movedClock()
  const at = await openTestHouse({
    clock,
    wrap: { file: (file) => (watched ? file : { ...file, watch: () => ({ close: () => undefined }) }) },
  })
  await createActive(at.call)
  return { clock, at, [Symbol.asyncDispose]: () => at[Symbol.asyncDispose]() }
}

/** Without a watcher, nothing but a tick sees the edit. */
async function ticksGoOn(by_ms: number): Promise<void> {
  await using stepped = await openStepped(false)
  const { clock, at } = stepped
  const routes = at.routes()
  clock.step(by_ms)
  editByHand(at)
  await expect.poll(() => at.routes()).toBe(routes)
}

function editByHand(at: TestHouse): void {
  const draft = join(at.directory, 'draft')
  writeFileSync(draft, `${at.routes()}# by hand\n`)
  renameSync(draft, at.house.routes_path)
}

describeOneIn(3).each(JUMPS)('after the clock went %s', (_name, by_ms) => {
  it('a hand edit is undone, in a few passes', async () => {
    await using stepped = await openStepped(true)
    const { clock, at } = stepped
    const routes = at.routes()
    clock.step(by_ms)
    let passes = 0
    const began = performance.now()
    at.house.engine.onReport(() => passes++)
    editByHand(at)
    await expect.poll(() => at.routes()).toBe(routes)
    await expect.poll(() => at.house.engine.lastReports()[0]?.outcome).toMatch(/repaired|clean/)
    expect(passes).toBeLessThanOrEqual(MAX_PASSES + (performance.now() - began) / TICK_MS)
  })

  itInDepth('the ticks go on', () => ticksGoOn(by_ms))

  it('a plan is applied or refused as expired, and a deploy works', async () => {
    await using stepped = await openStepped(true)
    const { clock, at } = stepped
    await at.call('PUT', '/api/domains/1', { body: { backend_port: 9999 } })
    const { body } = await at.call('POST', '/api/plans', { body: { domain: 1 } })
    clock.step(by_ms)
    const applied = await at.call('POST', `/api/plans/${String(body['id'])}/apply`, { body: {} })
    expect(applied, JSON.stringify(applied.body)).toMatchObject({ status: by_ms < 0 ? 200 : 409 })
    expect((await at.call('POST', '/api/domains/1/deploy')).status).toBe(200)
    expect(at.routes()).toContain('9999')
  })

  it('a suspension ends when its time is over, not before', async () => {
    await using stepped = await openStepped(true)
    const { clock, at } = stepped
    const expires_at = new Date(clock.now() + HOUR_MS).toISOString()
    const set = await at.call('PUT', '/api/modes/routes', {
      body: { mode: 'suspend', reason: 'moving', expires_at },
    })
    expect(set.status).toBe(200)
    clock.step(by_ms)
    expect(at.house.engine.modeOf('routes').mode).toBe(by_ms < 0 ? 'suspend' : 'repair')
  })
})
