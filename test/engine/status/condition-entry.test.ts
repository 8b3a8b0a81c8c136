/** What the index keeps of one key: when a report says nothing new, and what is known to differ. */
import { describe, expect, it } from 'vitest'
import {
  foundBy,
  isSameReading,
  newEntry,
  noPassYet,
  type Reading,
} from '../../../src/engine/status/condition-entry.ts'
import type { Condition } from '../../../src/model/condition.ts'
import type { ExplainedDifference } from '../../../src/model/drift.ts'
import { fakeTarget, fakeWorld } from '../fake-target.ts'
import { aReport } from './evidence.ts'

const WORKING = { rows: [] }
const READING: Reading = {
  glance: 'g',
  outcome: 'clean',
  besieged: false,
  release: 1,
  message: '',
  working: WORKING,
}

describe('a reading', () => {
  it('is the same where all of it is', () => {
    expect(isSameReading(READING, { ...READING })).toBe(true)
  })

  it.each<Partial<Reading> | null>([
    null,
    { glance: 'h' },
    { outcome: 'repaired' },
    { besieged: true },
    { release: 2 },
    { message: 'slow' },
    { working: { rows: [] } },
  ])('is another beside %o', (over) => {
    expect(isSameReading(READING, over === null ? null : { ...READING, ...over })).toBe(false)
  })
})

describe('what is known to differ', () => {
  const differences: ExplainedDifference[] = [{ item: 'it', cause: 'edited', domains: [], detail: '' }]
  const found = (...args: Parameters<typeof foundBy>) => foundBy(...args)?.differences ?? null

  it.each<[what: string, deviates: boolean | null, known: readonly ExplainedDifference[] | null]>([
    ['what a look found', true, differences],
    ['what a look found beside a world that is right', false, differences],
    ['nothing where nobody could look', null, null],
  ])('is %s', (_what, deviates, known) => {
    expect(found({ deviates, differences }, aReport('clean'), WORKING)).toEqual(known)
  })

  it('is without a look nothing after a good pass, and unknown after another', () => {
    expect(found(null, aReport('repaired'), WORKING)).toEqual([])
    expect(found(null, aReport('failed'), WORKING)).toBeNull()
  })

  it('is known of the working edition that it was compared with', () => {
    expect(foundBy(null, aReport('clean'), WORKING)?.working).toBe(WORKING)
    expect(foundBy({ deviates: true, differences }, aReport('clean'), WORKING)?.working).toBe(WORKING)
  })
})

it('a new key has what is stored of it, and no pass yet', () => {
  const rows = [{ domain_id: 0 } as Condition]
  const target = fakeTarget(fakeWorld())
  expect(newEntry(target, rows)).toEqual({
    target,
    rows,
    stored: rows,
    read: null,
    found: null,
    report: null,
    rule: null,
    besieged: false,
    turn: 0,
    caller: null,
  })
  expect(noPassYet('dns', 'dns:a.example', 7)).toMatchObject({
    component: 'dns',
    key: 'dns:a.example',
    outcome: 'unknown',
    failure: null,
    refusals: [],
    observed_at: 7,
  })
})
