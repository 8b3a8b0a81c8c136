/** What is kept of a key: when a glance will do, when a failed pass has seen all, and who waits. */
import { describe, expect, it } from 'vitest'
import {
  askedFor,
  handOver,
  hasSeenAll,
  type KeyState,
  newState,
  noteEnd,
  nothingNew,
  type Seen,
} from '../../src/engine/key-state.ts'
import type { Outcome, Report } from '../../src/model/report.ts'
import type { Whose } from '../../src/model/whose.ts'
import { fakeTarget, fakeWorld } from './fake-target.ts'

const NOW = 1_000
const FULL_LOOK = 3_600_000
const SEEN: Seen = { glance: 'seen', generation: 3, hints: 0 }
const FAILURE = { code: 'internal', message: '', retry_after_ms: 0 } as const

const reportOf = (outcome: Outcome, over: Partial<Report> = {}): Report => ({
  component: 'fake',
  key: 'fake',
  outcome,
  differences: 0,
  repaired: 0,
  refusals: [],
  failure: null,
  release: 1,
  observed_at: 900,
  took_ms: 1,
  next_attempt_at: 0,
  ...over,
})

/** A key whose glance is what its world holds. */
function key(glance: string | null = 'now') {
  const world = fakeWorld(glance)
  return { world, state: newState(fakeTarget(world)) }
}
const ended = (outcome: Outcome, over: Partial<Report> = {}, seen: Partial<Seen> = {}) => {
  const { world, state } = key()
  noteEnd(state, reportOf(outcome, over), { seen: { ...SEEN, ...seen }, now: NOW })
  return { world, state }
}

describe('the end of a pass', () => {
  it('is kept, with when it looked', () => {
    const { state } = ended('clean')
    expect(state).toMatchObject({ report: { outcome: 'clean' }, seen_at: 900 })
  })

  it('of one that is suspended says nothing of when it looked', () => {
    expect(ended('suspended').state).toMatchObject({ report: { outcome: 'suspended' }, seen_at: null })
  })

  it.each<
    [what: string, outcome: Outcome, over: Partial<Report>, seen: Partial<Seen>, glance: string | null]
  >([
    ['clean: by the glance before it', 'clean', {}, {}, 'seen'],
    ['repaired: by the glance after it', 'repaired', {}, {}, 'now'],
    ['suspended: by the glance before it', 'suspended', {}, {}, 'seen'],
    ['failed', 'failed', { failure: FAILURE }, {}, null],
    ['left drifting', 'left_drifting', {}, {}, null],
    ['clean, and the world hinted meanwhile', 'clean', {}, { hints: -1 }, null],
    ['clean, and a glance tells nothing', 'clean', {}, { glance: null }, null],
  ])('lets a glance stand for a look where it was %s', (_what, outcome, over, seen, glance) => {
    const expected = glance === null ? null : { glance, generation: 3, full_look_due: NOW + FULL_LOOK }
    expect(ended(outcome, over, seen).state.clean).toEqual(expected)
  })
})

describe('a glance shows nothing new', () => {
  const at = (now: number, generation = 3, glance: string | null = 'seen') => {
    const { world, state } = ended('clean')
    world.content = glance
    return nothingNew(state, generation, now)
  }

  it.each<[what: string, expected: boolean, asked: Parameters<typeof at>]>([
    ['of the same world and release', true, [NOW]],
    ['until the next full look', true, [NOW + FULL_LOOK - 1]],
    ['and no longer', false, [NOW + FULL_LOOK]],
    ['of another release', false, [NOW, 4]],
    ['of another world', false, [NOW, 3, 'other']],
    ['where it tells nothing', false, [NOW, 3, null]],
    ['where the clock was set back: the full look would be too far', false, [NOW - 1]],
  ])('%s', (_what, expected, asked) => {
    expect(at(...asked)).toBe(expected)
  })

  it('of no key that was never clean', () => {
    expect(nothingNew(key().state, 3, NOW)).toBe(false)
  })
})

describe('a pass that failed', () => {
  it.each<[what: string, at_glance: string | null, glance: string | null, seen_all: boolean]>([
    ['has seen all while the world is as it began', 'a', 'a', true],
    ['has not where the world has moved', 'a', 'b', false],
    ['has not where none failed', null, 'a', false],
    ['has not where there is no telling', null, null, false],
  ])('%s', (_what, failed_at_glance, glance, seen_all) => {
    const { state } = key(glance)
    state.failed_at_glance = failed_at_glance
    expect(hasSeenAll(state)).toBe(seen_all)
  })
})

describe('whoever waits', () => {
  it.each<[what: string, records: readonly Whose[], asked: Whose | null]>([
    ['nobody', [], null],
    ['one', [[1]], [1]],
    ['several', [[1], [2, 3]], [1, 2, 3]],
    ['one for all', ['all'], 'all'],
    ['one for all among others', [[1], 'all'], 'all'],
    ['one for nobody', [[]], []],
  ])('is asked for together: %s', (_what, records, asked) => {
    expect(askedFor(records.map((one) => ({ records: one })))).toEqual(asked)
  })

  it('goes over to the key that has come back, behind those who wait there', () => {
    const waiter = () => ({}) as KeyState['asked'][number]
    const [left, back] = [key().state, key().state]
    const [first, second, there] = [waiter(), waiter(), waiter()]
    left.asked.push(first, second)
    back.asked.push(there)
    expect(handOver(left, back)).toBe(true)
    expect(left.asked).toEqual([])
    expect(back.asked).toHaveLength(3)
    expect([back.asked[0] === there, back.asked[1] === first, back.asked[2] === second]).toEqual([
      true,
      true,
      true,
    ])
    expect(handOver(left, back)).toBe(false)
  })
})

it('nothing is known of a new key, and nobody waits for it', () => {
  const { state } = key()
  const { target: _target, ...rest } = state
  expect(rest).toEqual({
    report: null,
    seen_at: null,
    clean: null,
    asked: [],
    is_running: false,
    hints: 0,
    heard: false,
    failed_at_glance: null,
    watch: null,
  })
})
