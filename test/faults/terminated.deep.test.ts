/** A daemon that is told to stop at a failpoint, amid a burst of calls, ends by itself with all that it acknowledged. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { isWriting, kindOf } from './failpoints.ts'
import { referenceRun } from './reference.ts'
import { complaints, MAX_MS, missed, printFigures, spread, sweep } from './sweep.ts'
import type { Attempt, Bench } from './trial.ts'
import { openWorkshop } from './workshop.ts'
import { TIER } from '../kit/tier.ts'

const MAX_TRIALS = 8
const workshop = openWorkshop()
let bench: Bench

beforeAll(async () => {
  bench = { workshop, reference: await referenceRun(workshop) }
}, MAX_MS)

afterAll(() => workshop.close())

it('SIGTERM at any step ends the daemon with 0, and nothing is lost', { timeout: MAX_MS }, async () => {
  const { points } = bench.reference
  const chosen = TIER === 'deep' ? spread(points, MAX_TRIALS, kindOf) : points
  const attempts = chosen.map((point): Attempt => ({
    name: `SIGTERM at ${point}`,
    fault: { point, deed: 'terminate' },
    manner: 'yielding',
  }))
  const trials = await sweep(bench, attempts)
  printFigures('SIGTERM under load', points.length, trials)
  expect(complaints(trials)).toEqual([])
  // A burst that is saved in fewer transactions than the reference's has no last place of its kind to stop at.
  const unwritten = missed(trials).filter(isWriting)
  expect(unwritten.length, unwritten.join(', ')).toBeLessThanOrEqual(Math.max(1, trials.length / 10))
})
