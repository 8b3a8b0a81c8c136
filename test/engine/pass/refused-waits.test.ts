/** How long each refused item waits, who may try it before, and what is forgotten: by plain calls. */
import { describe, expect, it } from 'vitest'
import { RefusedItems } from '../../../src/engine/pass/refused-items.ts'
import type { AnyTarget, Difference } from '../../../src/engine/target.ts'
import type { Refusal } from '../../../src/model/report.ts'
import { fakeTarget, fakeWorld } from '../fake-target.ts'

const POLICY = { first_ms: 100, max_ms: 1000 }
const patient: AnyTarget = { ...fakeTarget(fakeWorld()), backoff: POLICY }
const target: AnyTarget = { ...patient, failed_item_most_ms: 150 }
const { key } = target

const wish = (name: string, more: Partial<Difference<unknown>> = {}): Difference<unknown> => ({
  key: name,
  verb: 'update',
  item: name,
  before: 'a',
  after: 'b',
  payload: null,
  domain_ids: [name === 'x' ? 1 : 2],
  ...more,
})
const [X, Y] = [wish('x'), wish('y')]
const refusal = (item: string, code: Refusal['failure']['code'] = 'provider_refused'): Refusal => ({
  item,
  domain_ids: [],
  failure: { code, message: `${item} was refused.`, retry_after_ms: 0 },
})
const [NO_X, NO_Y] = [refusal('x'), refusal('y')]

const none = new Map<string, Refusal>()
/** Refused at 0. */
const noted = (...refused: [Difference<unknown>, Refusal][]) => {
  const items = new RefusedItems()
  items.note(target, new Map(refused), { untried: none, now: 0, random: 0 })
  return items
}
const waiting = (items: RefusedItems, now: number, asked_for: readonly number[] | null = null) => [
  ...items.waiting(target, [X, Y], { now, asked_for }).keys(),
]

describe('a refused item', () => {
  const items = noted([X, NO_X], [Y, NO_Y])
  const until = items.nextTry(key)!

  it('waits, and is tried when its time has come', () => {
    expect(until).toBeGreaterThan(0)
    expect([waiting(items, until - 1), waiting(items, until)]).toEqual([['x', 'y'], []])
    expect(items.waiting(target, [X], { now: 0, asked_for: null }).get('x')).toBe(NO_X)
  })

  it('waits for no clock that was ahead when it was refused', () => {
    const ahead = new RefusedItems()
    ahead.note(target, new Map([[X, NO_X]]), { untried: none, now: 7_200_000, random: 0 })
    expect([waiting(ahead, 7_200_000), waiting(ahead, 7_199_000), waiting(ahead, 0)]).toEqual([
      ['x'],
      ['x'],
      [],
    ])
  })

  it('is tried at once for whoever asks for it, and the others are not, due or not', () => {
    expect([waiting(items, 0, [1]), waiting(items, 0, [2]), waiting(items, until, [3])]).toEqual([
      ['y'],
      ['x'],
      ['x', 'y'],
    ])
  })

  it('is another try where something else is wished for', () => {
    for (const other of [{ verb: 'create' }, { before: null }, { after: 'c' }] as const)
      expect(items.waiting(target, [wish('x', other)], { now: 0, asked_for: null }).size).toBe(0)
    expect(items.waiting(target, [wish('x', { item: 'z' })], { now: 0, asked_for: null }).size).toBe(1)
  })

  it('is told, and nothing is of a key without any', () => {
    expect([items.refusal(key), items.refusal('another')]).toEqual([NO_X, null])
    expect([items.nextTry('another'), new RefusedItems().tries(key, [X])]).toEqual([null, []])
  })
})

describe('the end of a pass', () => {
  it('lets wait what was not tried, forgets what was not refused, and counts what was', () => {
    const items = noted([X, NO_X], [Y, NO_Y])
    const first = items.nextTry(key)!
    items.note(target, new Map([[Y, NO_Y]]), { untried: new Map([['x', NO_X]]), now: first, random: 0 })
    const tries = items.tries(key, [Y, X])
    expect(items.nextTry(key)).toBe(Math.min(...tries.map(({ until }) => until)))
    expect(tries.map(({ failures, refusal: { item } }) => [item, failures])).toEqual([
      ['x', 1],
      ['y', 2],
    ])
    expect(tries[1]!.until - first).toBeGreaterThan(tries[0]!.until)
    items.note(target, new Map([[Y, NO_Y]]), { untried: none, now: first, random: 0 })
    expect(items.tries(key, [X, Y]).map(({ failures }) => failures)).toEqual([2])
    items.note(target, new Map(), { untried: none, now: first, random: 0 })
    expect([items.nextTry(key), items.refusal(key)]).toEqual([null, null])
  })

  it('lets what failed wait no longer than its target says, and what was refused as long as ever', () => {
    const failed = refusal('x', 'component_unavailable')
    const longest = (of: AnyTarget, no: Refusal) => {
      const items = new RefusedItems()
      let now = 0
      for (let i = 0; i < 9; i++) {
        now = items.nextTry(key) ?? 0
        items.note(of, new Map([[X, no]]), { untried: none, now, random: 0.999 })
      }
      return items.nextTry(key)! - now
    }
    expect(longest(target, failed)).toBeLessThanOrEqual(150)
    expect(longest(target, NO_X)).toBeGreaterThan(150)
    expect(longest(patient, failed)).toBeGreaterThan(150)
  })

  it('keeps what was promised until it is done', () => {
    const items = noted([Y, NO_Y])
    const end = { untried: none, now: 0, random: 0 }
    items.note(target, new Map([[X, NO_X]]), { ...end, owed: new Set(['x']) })
    expect([items.isOwed(key, 'x'), items.isOwed(key, 'y'), items.isOwed('another', 'x')]).toEqual([
      true,
      false,
      false,
    ])
    items.note(
      target,
      new Map([
        [X, NO_X],
        [Y, NO_Y],
      ]),
      { ...end, owed: new Set() },
    )
    expect([items.isOwed(key, 'x'), items.isOwed(key, 'y')]).toEqual([true, false])
    items.note(target, new Map(), end)
    expect(items.isOwed(key, 'x')).toBe(false)
  })
})

it('the rest of a release is known by its portion until the whole of one stands', () => {
  const items = new RefusedItems()
  const released = { desired: null, digest: 'd' }
  expect([items.restStands(key, 'p'), items.rest(key)]).toEqual([false, null])
  items.noteRest(key, 'p', released)
  expect([items.restStands(key, 'p'), items.restStands(key, 'q'), items.rest(key)]).toEqual([
    true,
    false,
    released,
  ])
  items.dropRest(key)
  expect([items.restStands(key, 'p'), items.rest(key)]).toEqual([false, null])
})
