/** A daemon killed at the n-th system call of a kind, wherever in itself or its libraries that is. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { referenceRun } from './reference.ts'
import { ALL, complaints, missed, MAX_MS, printFigures, spread, sweep } from './sweep.ts'
import { killingAt, type KillPlace, killPlaces, placesIn, whyNoInjection } from './syscalls.ts'
import type { Bench } from './trial.ts'
import { openWorkshop } from './workshop.ts'
import { TIER } from '../kit/tier.ts'

const MAX_TRIALS = 28
/** Amid the deploy of an edit. The gate takes it without the traced journey that finds all places. */
const AMID: KillPlace = { call: 'rename', nth: 9 }
const missing = whyNoInjection()
const workshop = openWorkshop()
let bench: Bench

if (missing !== null) process.stdout.write(`faults: NOT RUN: kill at the n-th system call: ${missing}\n`)

beforeAll(async () => {
  if (missing === null) bench = { workshop, reference: await referenceRun(workshop) }
}, MAX_MS)

afterAll(() => workshop.close())

describe('kill at the n-th system call', () => {
  it.skipIf(missing !== null)(
    'leaves nothing torn, and all that was acknowledged',
    async () => {
      const places = TIER === 'gate' ? [AMID] : await killPlaces(workshop)
      const chosen = ALL ? places : spread(places, MAX_TRIALS, ({ call }) => call)
      const attempts = chosen.map((place) => ({
        name: `kill at ${place.call} ${place.nth}`,
        fault: null,
        under: () => killingAt(place),
      }))
      const trials = await sweep(bench, attempts)
      printFigures('kill at the n-th system call', places.length, trials)
      expect(complaints(trials)).toEqual([])
      expect(missed(trials).length, missed(trials).join(', ')).toBeLessThanOrEqual(trials.length / 5)
    },
    MAX_MS,
  )
})

describe('a trace', () => {
  it('names the places after the beginning, of the thread that makes most of the calls, and none that Node may come to', () => {
    const trace = [
      '10 openat(AT_FDCWD, "/lib/node", O_RDONLY) = 3',
      '10 write(17, "{\\"kind\\":\\"begun\\"}\\n", 17) = 17',
      '10 openat(AT_FDCWD, "/data/a", O_RDWR) = 4',
      '11 fsync(5 <unfinished ...>',
      '10 openat(AT_FDCWD, "/data/b", O_RDWR) = 5',
      '11 <... fsync resumed>) = 0',
      '10 mkdir("/data", 0700) = 0',
      '10 mkdir("/data/d", 0700) = 0',
      '12 mkdir("/data/e", 0700) = 0',
      '12 openat(AT_FDCWD, "/data/c", O_RDWR) = 6',
    ]
    expect(placesIn(trace.join('\n'))).toEqual([
      { call: 'mkdir', nth: 1 },
      { call: 'mkdir', nth: 2 },
      { call: 'write', nth: 1 },
      { call: 'fsync', nth: 1 },
    ])
  })
})
