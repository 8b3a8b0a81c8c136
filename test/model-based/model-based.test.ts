/**
 * Random intent, a meddling stranger and random faults against a simple model: after every step the service is where the
 * model says it may be, and when the faults stop it comes right by itself and then leaves everything alone.
 *
 * A failure prints seed, path and the shortest run found.
 */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { Figures } from './figures.ts'
import { live } from './run.ts'
import { life } from './steps.ts'
import { byTier } from '../kit/tier.ts'

const RUNS = byTier(5, 100, 1000)
const MAX_MS = 3_600_000

it(
  'whatever is asked, edited and broken, the service stays what the model says and comes right within three passes',
  { timeout: MAX_MS },
  async () => {
    const figures = new Figures()
    const property = fc.asyncProperty(life, (some) => live(some, figures))
    await fc.assert(property, { numRuns: RUNS })
    process.stdout.write(`${figures.print()}\n`)
    expect(figures.runs).toBe(RUNS)
  },
)
