/** Conditions as they are answered: with their age, and with edits that wait. */
import { describe, expect, it } from 'vitest'
import {
  componentCondition,
  conditionsOf,
  differingConditions,
  domainCondition,
  type KeyConditions,
  stalenessLimit,
} from '../../../src/engine/status/key-conditions.ts'
import type { Condition } from '../../../src/model/condition.ts'
import { brief } from './evidence.ts'

describe('an answer', () => {
  const row = (over: Partial<Condition> = {}): Condition => ({
    domain_id: 0,
    component: 'routes',
    status: 'true',
    reason: 'in_sync',
    message: 'm',
    observed_revision: null,
    last_transition_at: 10,
    ...over,
  })
  const ofKey = (rows: readonly Condition[], seen_at: number | null = 1000): KeyConditions => ({
    component: 'routes',
    key: 'routes',
    every_ms: 1000,
    rows,
    caller: null,
    found: null,
    seen_at,
    since: 5,
  })

  it('is stale after three resync periods, at least a minute', () => {
    expect([1000, 30_000].map(stalenessLimit)).toEqual([60_000, 90_000])
  })

  it.each<[string, KeyConditions, number, string]>([
    ['fresh', ofKey([row()]), 61_000, '0 true in_sync since 10'],
    ['older than its limit', ofKey([row()]), 61_001, '0 unknown stale since 61000'],
    [
      'older, and unknown before',
      ofKey([row({ status: 'unknown', reason: 'unreadable' })]),
      99_000,
      '0 unknown stale since 10',
    ],
    [
      'suspended, which is why nobody looks',
      ofKey([row({ status: 'unknown', reason: 'suspended' })], null),
      99_000,
      '0 unknown suspended since 10',
    ],
    ['kept from before the start, and nobody looked yet', ofKey([row()], null), 6, '0 unknown stale since 5'],
    ['never looked at', ofKey([], null), 6, '0 unknown never_looked since 5'],
    ['by a clock that stepped back', ofKey([row()]), 1, '0 true in_sync since 10'],
    [
      'the worst of its domains, since the oldest of those',
      ofKey([
        row(),
        row({ domain_id: 1, status: 'false', reason: 'drifting', last_transition_at: 30 }),
        row({ domain_id: 2, status: 'false', reason: 'contested', last_transition_at: 20 }),
        row({ domain_id: 3, last_transition_at: 1 }),
      ]),
      2000,
      '0 false contested since 20',
    ],
  ])('about a component that is %s', (_name, given, now, expected) => {
    expect(brief([componentCondition(given, now)])).toEqual([expected])
  })

  it.each<[string, KeyConditions, boolean, string]>([
    ['shares the component’s', ofKey([row()]), false, '1 true in_sync since 10'],
    ['waits for a deploy', ofKey([row()]), true, '1 true pending_deploy since 10'],
    [
      'has trouble of its own, whatever waits',
      ofKey([row(), row({ domain_id: 1, status: 'false', reason: 'drifting', last_transition_at: 30 })]),
      true,
      '1 false drifting since 30',
    ],
    [
      'shares trouble, whatever waits',
      ofKey([row({ status: 'false', reason: 'failing' })]),
      true,
      '1 false failing since 10',
    ],
  ])('about a domain that %s', (_name, given, pending, expected) => {
    const found = domainCondition(given, { domain_id: 1, released_revision: 3, pending }, 2000)
    expect(brief([found])).toEqual([expected])
    expect(found.observed_revision).toBe(3)
  })

  it('lists the domains whose condition is another, and no more', () => {
    const rows = [
      row(),
      row({ domain_id: 1, status: 'false', reason: 'drifting' }),
      row({ domain_id: 2, last_transition_at: 40 }),
    ]
    const pending = [{ domain_id: 9, released_revision: null }]
    expect(brief(differingConditions(ofKey(rows), pending, 2000))).toEqual([
      '1 false drifting since 10',
      '9 true pending_deploy since 10',
    ])
    expect(brief(differingConditions(ofKey(rows), pending, 99_000))).toEqual([])
  })

  const own = (domain_id: number, last_transition_at: number, over: Partial<Condition> = {}) =>
    row({ domain_id, status: 'false', reason: 'drifting', last_transition_at, ...over })

  it.each<[what: string, rows: readonly Condition[], condition: string, is_of_some: boolean]>([
    ['the oldest first', [row(), own(1, 20), own(2, 30)], '0 false drifting since 20', true],
    [
      'the first of two since the same time',
      [row(), own(1, 20), own(2, 20, { reason: 'contested' })],
      '0 false drifting since 20',
      true,
    ],
    [
      'the shared one where all are right, since when it is',
      [row(), own(1, 1, { status: 'true', reason: 'in_sync' })],
      '0 true in_sync since 10',
      false,
    ],
    [
      'a wrong one before an unknown one',
      [row({ status: 'unknown', reason: 'unreadable' }), own(1, 20)],
      '0 false drifting since 20',
      true,
    ],
    [
      'the shared one where it is as bad and older',
      [row({ status: 'false', reason: 'failing' }), own(1, 20)],
      '0 false failing since 10',
      false,
    ],
    [
      'the shared one, wherever it stands',
      [own(1, 20, { status: 'true', reason: 'in_sync' }), row()],
      '0 true in_sync since 10',
      false,
    ],
  ])('about a component tells %s', (_what, rows, condition, is_of_some) => {
    const found = componentCondition(ofKey(rows), 2000)
    expect([brief([found]), found.is_of_some]).toEqual([[condition], is_of_some])
  })

  it('about a component that is wrong in part says so of no single domain', () => {
    expect(componentCondition(ofKey([row(), own(1, 20, { observed_revision: 7 })]), 2000)).toMatchObject({
      observed_revision: null,
      message: expect.stringContaining('what is said of each tells why') as unknown,
    })
  })

  it('lists the domains by id, and those that differ in their status alone', () => {
    const rows = [row({ status: 'unknown', reason: 'failing' }), own(5, 20, { reason: 'failing' })]
    expect(brief(differingConditions(ofKey(rows), [], 2000))).toEqual(['5 false failing since 20'])
    const waits = [{ domain_id: 2, released_revision: 3 }]
    expect(brief(differingConditions(ofKey([row(), own(5, 20)]), waits, 2000))).toEqual([
      '2 true pending_deploy since 10',
      '5 false drifting since 20',
    ])
  })

  it('for all at once has the shared one, and those of their own by id', () => {
    const { shared, own: theirs } = conditionsOf(ofKey([row(), own(1, 20), own(2, 30)]), 2000)
    expect([brief([shared]), brief([...theirs.values()]), [...theirs.keys()]]).toEqual([
      ['0 true in_sync since 10'],
      ['1 false drifting since 20', '2 false drifting since 30'],
      [1, 2],
    ])
  })
})
