/** When a trouble has lasted long enough, whatever the clock does. */
import { expect, it } from 'vitest'
import { isDue } from '../../../src/features/notifications/observation.ts'
import { MINUTE_MS, T0, alert } from './samples.ts'

it.each<[string, number, boolean]>([
  ['that began while this very look was under way is not', T0 - 20, false],
  ['that is new is not', T0 + MINUTE_MS, false],
  ['that has lasted is', T0 + 10 * MINUTE_MS, true],
  ['from before the clock was set back is', T0 - 60 * MINUTE_MS, true],
])('a trouble %s ripe', (_name, now, ripe) => {
  expect(isDue(alert({ since: T0 }), now)).toBe(ripe)
})
