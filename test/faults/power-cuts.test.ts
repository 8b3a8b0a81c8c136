/** A machine that loses its power: what was acknowledged is there at the next boot, nothing is torn, the rest is healed. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { BUGS } from './bugs.ts'
import { kindOf } from './failpoints.ts'
import { imagePlace, whyNoPowerCuts } from './images.ts'
import { afterCut, cutAt, momentsIn } from './power-cuts.ts'
import { referenceRun } from './reference.ts'
import { ALL, complaints, MAX_MS, printFigures, spread } from './sweep.ts'
import type { Bench, Trial } from './trial.ts'
import { openWorkshop } from './workshop.ts'
import { itInDepth } from '../kit/in-depth.ts'
import { byTier, inDepth, TIER } from '../kit/tier.ts'

const MAX_CUTS = byTier(2, 16)
/** Copies of images are memory until they are judged. */
const CUTS_PER_RUN = 48
const SEEDED = BUGS.filter(({ shown_by }) => shown_by === 'a power cut')
const missing = await whyNoPowerCuts()
const workshop = openWorkshop(imagePlace())
let bench: Bench

if (missing !== null) process.stdout.write(`faults: NOT RUN: power cuts: ${missing}\n`)

beforeAll(async () => {
  if (missing === null) bench = { workshop, reference: await referenceRun(workshop) }
}, MAX_MS)

afterAll(() => workshop.close())

async function cutAndBoot(points: readonly string[], bug: string | null = null): Promise<Trial[]> {
  const trials: Trial[] = []
  for (let at = 0; at < points.length; at += CUTS_PER_RUN) {
    const cuts = await cutAt(bench, points.slice(at, at + CUTS_PER_RUN), bug)
    for (const cut of cuts) trials.push(await afterCut(bench, cut, bug))
  }
  return trials
}

describe.skipIf(missing !== null)('a power cut', () => {
  it('loses nothing that was acknowledged', { timeout: MAX_MS }, async () => {
    // In the gate those at which the seeded bugs show, without the journey that finds all.
    const moments = TIER === 'gate' ? SEEDED.map(({ shows_at }) => shows_at) : await momentsIn(bench)
    const chosen = ALL ? moments : spread(moments, MAX_CUTS, kindOf)
    const trials = await cutAndBoot(chosen)
    printFigures('power cuts', moments.length, trials)
    expect(complaints(trials)).toEqual([])
    // How often an idle daemon looks differs from run to run.
    expect(trials.length).toBeGreaterThan(chosen.length * 0.8)
  })

  itInDepth.each(SEEDED)(
    'shows that a house $name',
    { timeout: MAX_MS },
    async ({ name, shows_at, breaks }) => {
      const trials = await cutAndBoot(ALL ? await momentsIn(bench) : [shows_at], name)
      const red = trials.filter(({ broken }) => broken.some((it) => it.name === breaks))
      process.stdout.write(
        `faults: a house that ${name}: ${red.length} of ${trials.length} power cuts show it\n`,
      )
      expect(red.length, complaints(trials).join('\n')).toBeGreaterThan(0)
    },
  )

  inDepth(() => {
    it('at the same moments without these bugs does no harm', { timeout: MAX_MS }, async () => {
      const trials = await cutAndBoot(SEEDED.map(({ shows_at }) => shows_at))
      expect(trials.length).toBe(SEEDED.length)
      expect(complaints(trials)).toEqual([])
    })
  })
})
