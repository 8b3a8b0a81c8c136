/** The laws of DNS targets under random lives: strangers' sets stay, nothing goes without a reason, all comes to rest. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { aLife } from './arbitrary-life.ts'
import { live, type LifeFigures } from './chaos.ts'
import { runs, share } from '../../../kit/tier.ts'

it('holds the laws through thousands of misbehaviours of the provider', { timeout: 300_000 }, async () => {
  const figures: LifeFigures = { misbehaviours: 0, passes: 0, deletes: 0, told: 0 }
  await fc.assert(
    fc.asyncProperty(aLife, (life) => live(life, figures)),
    { numRuns: runs(2500) },
  )
  expect(figures.misbehaviours).toBeGreaterThan(share(2500, 10_000))
  expect(figures.deletes).toBeGreaterThan(share(2500, 100))
  expect(figures.told).toBeGreaterThan(share(2500, 50))
})
