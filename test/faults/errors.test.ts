/** A disk that refuses a call: the daemon says so and why, or does without, and is true again once the disk is. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { BUGS } from './bugs.ts'
import { type ErrorPlace, errorPlaces, failing, touching } from './errors.ts'
import { referenceRun } from './reference.ts'
import { complaints, missed, MAX_MS, printFigures, spread, sweep } from './sweep.ts'
import { whyNoInjection } from './syscalls.ts'
import { type Bench, SHORT_PATIENCE_MS } from './trial.ts'
import { openWorkshop } from './workshop.ts'
import { byTier, inDepth, TIER } from '../kit/tier.ts'

const MAX_TRIALS = byTier(1, 24, 520)
/** The gate takes it without the traced journey that finds all places. */
const AMID: ErrorPlace = { call: 'rename', nth: 9, step: 'deploy', error: 'EIO', lasting: false }
const MAX_SEEDED = 4
const missing = whyNoInjection()
const workshop = openWorkshop()
let bench: Bench

if (missing !== null) process.stdout.write(`faults: NOT RUN: errors from the n-th system call: ${missing}\n`)

beforeAll(async () => {
  if (missing === null) bench = { workshop, reference: await referenceRun(workshop) }
}, MAX_MS)

afterAll(() => workshop.close())

describe.skipIf(missing !== null)('an error from the n-th system call', () => {
  it('ends in a success or in an honest problem, never in a lie', { timeout: MAX_MS }, async () => {
    const places = TIER === 'gate' ? [AMID] : await errorPlaces(workshop)
    const chosen = spread(places, MAX_TRIALS, ({ call, error, lasting }) => `${call} ${error} ${lasting}`)
    const trials = await sweep(bench, chosen.map(failing))
    printFigures('errors from the n-th system call', places.length, trials)
    expect(complaints(trials)).toEqual([])
    expect(missed(trials).length, missed(trials).join(', ')).toBeLessThanOrEqual(trials.length / 5)
  })
})

/** `step/call` */
const showing = ({ step, call, error }: ErrorPlace, at: string): boolean =>
  `${step}/${call}` === at && error === 'EIO'

inDepth(() =>
  describe.skipIf(missing !== null)('an error that lasts', () => {
    it.each(BUGS.filter(({ shown_by }) => shown_by === 'an error'))(
      'shows that a house $name',
      { timeout: MAX_MS },
      async ({ name, shows_at, breaks }) => {
        const places = await errorPlaces(workshop)
        const lasting = places.filter((place) => place.lasting && showing(place, shows_at))
        const attempts = spread(lasting, MAX_SEEDED, () => '').map(failing)
        const trials = await sweep(
          bench,
          attempts.map((what) => ({ ...what, bug: name, patience_ms: SHORT_PATIENCE_MS })),
        )
        const red = trials.filter(({ broken }) => broken.some((it) => it.name === breaks))
        process.stdout.write(
          `faults: a house that ${name}: ${red.length} of ${trials.length} errors show it\n`,
        )
        expect(red.length, complaints(trials).join('\n')).toBeGreaterThan(0)
      },
    )
  }),
)

describe('a trace with paths', () => {
  it('names the calls on the files below the folder, after the beginning', () => {
    const trace = [
      '10 openat(AT_FDCWD, "/trial/data/early", O_RDONLY) = 3',
      '10 write(17</trial/ledger>, "{\\"kind\\":\\"begun\\"}\\n", 17) = 17',
      '10 mkdir("/trial/data/d", 0700) = 0',
      '10 openat(AT_FDCWD, "/trial/data/a", O_RDWR) = 4',
      '10 write(17</trial/ledger>, "{\\"kind\\":\\"acknowledged\\","..., 52) = 52',
      '11 fsync(5</trial/data/a> <unfinished ...>',
      '10 mkdir("/etc/d", 0700) = 0',
      '10 openat(AT_FDCWD, "/trial/data/draft", O_RDWR) = 5',
    ]
    expect(touching(trace.join('\n'), '/trial/data')).toEqual([
      { call: 'mkdir', nth: 1, step: 'open' },
      { call: 'fsync', nth: 1, step: 'estate' },
    ])
  })
})
