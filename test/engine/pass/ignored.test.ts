/** Known differences: how long one stays, and what ends it. */
import { describe, expect, it } from 'vitest'
import {
  ignoredAmong,
  type IgnoredDifference,
  type IgnoredEnd,
  NONE_IGNORED,
  seenOf,
} from '../../../src/engine/pass/ignored.ts'
import type { AnyTarget } from '../../../src/engine/target.ts'
import { differencesOf, type Items, itemTarget } from '../item-target.ts'

const NOW = 10_000
const WANTED: Items = { a: 'new', b: 'new' }
const THERE: Items = { a: 'theirs', b: 'theirs' }

/** Said of what stood there then. */
function rowOf(part: string, over: Partial<IgnoredDifference> = {}, then: Items = THERE): IgnoredDifference {
  const difference = differencesOf(WANTED, then).find(({ key }) => key === part)!
  return {
    item: `item ${part}`,
    key: 'fake',
    part,
    component: 'fake',
    seen: seenOf(difference),
    reason: 'holidays',
    actor: 'alice',
    created_at: 1,
    until: NOW + 1,
    ...over,
  }
}

function among(rows: readonly IgnoredDifference[], there = THERE, over: Partial<AnyTarget> = {}) {
  const ended: [IgnoredEnd, readonly string[]][] = []
  const ignored = {
    of: (key: string) => rows.filter((row) => row.key === key),
    ended: (of: readonly IgnoredDifference[], why: IgnoredEnd) =>
      void ended.push([why, of.map(({ part }) => part)]),
  }
  const facts = { desired: WANTED, state: there, differences: differencesOf(WANTED, there), now: NOW }
  return { stay: [...ignoredAmong(itemTarget(over), ignored, facts)], ended }
}

describe('a known difference', () => {
  it('stays, and its neighbour does not', () => {
    expect(among([rowOf('b')])).toEqual({ stay: ['b'], ended: [] })
  })

  it('of another key is none of this one', () => {
    expect(among([rowOf('b', { key: 'another' })])).toEqual({ stay: [], ended: [] })
  })

  it('is none where nobody said so', () => {
    const facts = { desired: WANTED, state: THERE, differences: differencesOf(WANTED, THERE), now: NOW }
    // To tell what a world lets in costs a look at all of it.
    const opens = () => {
      throw new Error('asked in vain')
    }
    expect([...ignoredAmong(itemTarget({ opens }), NONE_IGNORED, facts)]).toEqual([])
    expect(NONE_IGNORED.of('fake')).toEqual([])
  })

  it.each<[why: IgnoredEnd, until: number, there: Items, over: Partial<AnyTarget>]>([
    ['over', NOW, THERE, {}],
    ['over', NOW - 1, WANTED, { opens: () => true }],
    ['same', NOW + 1, { ...THERE, a: 'new' }, {}],
    ['changed', NOW + 1, { ...THERE, a: 'something else' }, {}],
    ['changed', NOW + 1, { b: 'theirs' }, {}],
    ['opens', NOW + 1, THERE, { opens: () => true }],
    ['opens', NOW + 1, WANTED, { opens: () => true }],
  ])('ends as %s', (why, until, there, over) => {
    expect(among([rowOf('a', { until })], there, over)).toEqual({ stay: [], ended: [[why, ['a']]] })
  })

  it('is asked of what was released and what stands there whether that lets in more', () => {
    const opens = (desired: unknown, state: unknown) => desired === WANTED && state === THERE
    expect(among([rowOf('a')], THERE, { opens: (...sides) => !opens(...sides) }).stay).toEqual(['a'])
  })

  it('ends alone, and those that end alike are told together', () => {
    const rows = [rowOf('a', { until: 1 }), rowOf('b'), rowOf('a', { part: 'c', until: 2 })]
    const wanted = { ...WANTED, c: 'new' }
    const there = { ...THERE, c: 'x' }
    const ended: unknown[] = []
    const ignored = {
      of: () => rows,
      ended: (of: readonly IgnoredDifference[], why: IgnoredEnd) =>
        void ended.push([why, ...of.map(({ part }) => part)]),
    }
    const facts = { desired: wanted, state: there, differences: differencesOf(wanted, there), now: NOW }
    expect([...ignoredAmong(itemTarget({}), ignored, facts)]).toEqual(['b'])
    expect(ended).toEqual([['over', 'a', 'c']])
  })
})
