/** The proof that the harness sees: bugs put in on purpose turn it red, and the same deaths without them do not. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { BUGS } from './bugs.ts'
import { referenceRun } from './reference.ts'
import { complaints, MAX_MS, printFigures, sweep } from './sweep.ts'
import { attempt, type Bench, SHORT_PATIENCE_MS } from './trial.ts'
import { openWorkshop } from './workshop.ts'
import { itInDepth } from '../kit/in-depth.ts'
import { sample } from '../kit/tier.ts'

/** The gate tries one in three. */
const KILLED = sample(
  BUGS.filter(({ shown_by }) => shown_by === 'a kill'),
  3,
)
const workshop = openWorkshop()
let bench: Bench

beforeAll(async () => {
  bench = { workshop, reference: await referenceRun(workshop) }
}, MAX_MS)

afterAll(() => workshop.close())

describe('a house that', () => {
  it.each(KILLED)(
    '$name is caught',
    async ({ name, shows_at, breaks, met_by }) => {
      const fault = { point: shows_at, deed: 'kill' } as const
      const met = met_by === undefined ? {} : { met_by }
      const trial = await attempt(bench, { name, fault, bug: name, patience_ms: SHORT_PATIENCE_MS, ...met })
      expect(trial.came, shows_at).toBe(true)
      expect(trial.broken.map((broken) => broken.name)).toContain(breaks)
    },
    MAX_MS,
  )

  // In the gate the kills of failpoints.test.ts are those deaths.
  itInDepth(
    'has none of these bugs survives the same deaths',
    async () => {
      const points = new Set(
        KILLED.map(({ shows_at }) => shows_at).filter((at) => bench.reference.points.includes(at)),
      )
      const attempts = [...points].map((point) => ({
        name: `kill ${point}`,
        fault: { point, deed: 'kill' as const },
      }))
      const trials = await sweep(bench, attempts)
      printFigures('without the seeded bugs', points.size, trials)
      expect(complaints(trials)).toEqual([])
    },
    MAX_MS,
  )
})
