/** A daemon that dies, hangs or is refused at a named point comes back with everything it acknowledged, whole. */
import { cpSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Deed, isWriting, kindOf, stepOf } from './failpoints.ts'
import { STEPS } from './flow.ts'
import { readLedger } from './ledger.ts'
import { referenceRun } from './reference.ts'
import { runChild } from './run-child.ts'
import { ALL, complaints, missed, MAX_MS, printFigures, spread, sweep } from './sweep.ts'
import { type Attempt, type Bench, SHORT_PATIENCE_MS } from './trial.ts'
import { openWorkshop } from './workshop.ts'
import { byTier, inDepth } from '../kit/tier.ts'
import { describeInDepth, itInDepth } from '../kit/in-depth.ts'

const workshop = openWorkshop()
let bench: Bench

beforeAll(async () => {
  bench = { workshop, reference: await referenceRun(workshop) }
}, MAX_MS)

afterAll(() => workshop.close())

/** Tries the attempts, or a spread sample, prints the figures and asserts that nothing was broken. */
async function prove(title: string, all: readonly Attempt[], most: number, at_once?: number): Promise<void> {
  const chosen = ALL
    ? all
    : spread(all, byTier(Math.ceil(most / 8), most), ({ fault }) => kindOf(fault!.point))
  const trials = await sweep(bench, chosen, at_once)
  printFigures(title, all.length, trials)
  expect(complaints(trials)).toEqual([])
  // How often an idle daemon looks differs from run to run; what it writes does not.
  const unwritten = missed(trials).filter(isWriting)
  expect(unwritten.length, unwritten.join(', ')).toBeLessThanOrEqual(trials.length / 10)
}

const deaths = (points: readonly string[], deed: Deed = 'kill'): Attempt[] =>
  points.map((point) => ({ name: `${deed} ${point}`, fault: { point, deed } }))

describe('the journey without a fault', () => {
  it('passes points before, inside and after each call that leads outside', () => {
    const kinds = new Set(bench.reference.points.map(kindOf))
    expect([...kinds].sort()).toEqual([
      'file.look:after',
      'file.look:before',
      'file.replace:after',
      'file.replace:before',
      'store.write:after',
      'store.write:before',
      'store.write:inside',
    ])
  })

  it('writes in every step', () => {
    const steps = new Set(bench.reference.points.filter(isWriting).map(stepOf))
    expect(STEPS.filter((name) => !steps.has(name))).toEqual([])
  })
})

/** Those at which the seeded bugs show (seeded-bugs.test.ts). */
const KILLED_IN_THE_GATE = [
  'deploy/store.write#1:before',
  'deploy/file.replace#1:after',
  'delete/store.write#1:after',
]

describe('a daemon killed at a failpoint', () => {
  it(
    'finds all that it acknowledged at the next start, and heals the rest',
    { timeout: MAX_MS },
    async () => {
      await prove('kill', deaths(byTier(KILLED_IN_THE_GATE, bench.reference.points)), 24)
    },
  )

  inDepth(() => {
    it('leaves nothing torn when it hung for a while before', { timeout: MAX_MS }, async () => {
      await prove('hang, then kill', deaths(bench.reference.points, 'hang'), 7)
    })
  })

  itInDepth('serves a client who comes back at once and goes on', { timeout: MAX_MS }, async () => {
    const attempts = deaths(bench.reference.points.filter(isLater).filter(isWriting))
    const met = attempts.map((what) => ({ ...what, met_by: 'a client' as const }))
    await prove('kill, then a client goes on', met, 5)
  })

  inDepth(() => {
    it('undoes what a stranger did to the file while it was down', { timeout: MAX_MS }, async () => {
      const attempts = deaths(bench.reference.points.filter(isLater).filter(isWriting))
      const met = attempts.map((what) => ({ ...what, met_by: 'a stranger' as const }))
      await prove('kill, then a stranger edits', met, 5)
    })
  })
})

/**
 * The first start of all, dead after the file came and before it was recorded as ours. Recovery sees that the step led
 * to the released bytes, but does not record it, so that the guard against strangers' files refuses the next release.
 */
describeInDepth('a first start killed between its file and the record of it', () => {
  const between = (): Attempt[] => {
    const { points } = bench.reference
    const from = points.indexOf('open/file.replace#1:after')
    const recorded = points.findIndex((point, i) => i > from && kindOf(point) === 'store.write:after')
    const attempts = deaths(points.slice(from, recorded).filter(isWriting))
    return attempts.map((what) => ({ ...what, patience_ms: SHORT_PATIENCE_MS }))
  }

  it('takes the next release from a client who comes back at once', { timeout: MAX_MS }, async () => {
    const trials = await sweep(
      bench,
      between().map((what) => ({ ...what, met_by: 'a client' })),
    )
    expect(complaints(trials)).toEqual([])
  })

  it('undoes what a stranger did to the file while it was down', { timeout: MAX_MS }, async () => {
    const trials = await sweep(
      bench,
      between().map((what) => ({ ...what, met_by: 'a stranger' })),
    )
    expect(complaints(trials)).toEqual([])
  })
})

const isLater = (point: string): boolean => stepOf(point) !== 'open'

describeInDepth('a daemon whose port fails', () => {
  /** A store that has committed does not refuse: the port's contract. */
  const canFail = (point: string): boolean => kindOf(point) !== 'store.write:after'

  it('does what it is asked when it is asked again', { timeout: MAX_MS }, async () => {
    await prove('refuse', deaths(bench.reference.points.filter(canFail), 'refuse'), 5)
  })

  it('does so after an error that nobody expected', { timeout: MAX_MS }, async () => {
    await prove('break', deaths(bench.reference.points.filter(canFail), 'break'), 5)
  })
})

/** Between the release and its file, between the file and its record, and with a stranger's bytes in the file. */
const FIRST_DEATHS = [
  'deploy/file.replace#1:before',
  'delete/file.replace#1:after',
  'heal/file.replace#1:before',
]

describeInDepth.each(FIRST_DEATHS)('a daemon killed at %s', (point) => {
  it('may be killed again at any point of its recovery', { timeout: MAX_MS }, async () => {
    const home = await killedAt(point)
    const kept = workshop.folder()
    cpSync(home, kept, { recursive: true })
    // At its own place, one after the other: a house that was moved remembers otherwise.
    const over = () => {
      workshop.remove(home)
      cpSync(kept, home, { recursive: true })
      return home
    }
    const points = await pointsOfStart(over())
    const attempts = deaths(points).map((what) => ({ ...what, over }))
    await prove(`kill at ${point}, then in the recovery`, attempts, 3, 1)
  })
})

async function killedAt(point: string): Promise<string> {
  const folder = workshop.folder()
  const fault = { point, deed: 'kill' } as const
  const ending = await runChild({ folder, steps: STEPS, fault, bug: null, manner: 'plain' })
  expect(ending.how, ending.said).toBe('killed')
  return folder
}

async function pointsOfStart(folder: string): Promise<readonly string[]> {
  const order = { folder, steps: ['open'], fault: null, bug: null, manner: 'plain' } as const
  const ending = await runChild(order)
  expect(ending.how, ending.said).toBe('ended')
  return readLedger(folder).flatMap((line) => (line.kind === 'ended' ? line.points : []))
}
