/** What was kept while the clock was ahead holds nobody up once it is set right. */
import { expect, it } from 'vitest'
import type { Instant } from '../../src/kernel/clock.ts'
import { openRig } from './rig.ts'

const HOUR = 3_600_000

/** How often the key is looked at within two seconds of a start at which such a wait is kept. */
async function looksAfter(failed_at: Instant): Promise<number> {
  await using rig = await openRig({ started: false })
  const attempt = {
    key: 'fake',
    failures: 3,
    failed_at,
    next_attempt_at: failed_at + HOUR,
    message: 'refused',
  }
  await rig.store.write((tx) => tx.saveAttempt(attempt))
  const { engine, world } = await rig.restart()
  try {
    await expect
      .poll(() => world.looks, { timeout: 2000 })
      .toBeGreaterThan(0)
      .catch(() => undefined)
    return world.looks
  } finally {
    await engine.stop(0)
  }
}

it('a wait that began ahead of the clock is over at the start', async () => {
  expect(await looksAfter(Date.now() + 10 * HOUR)).toBeGreaterThan(0)
})

it('a wait that began before goes on over a start', async () => {
  expect(await looksAfter(Date.now() - 1000)).toBe(0)
})
