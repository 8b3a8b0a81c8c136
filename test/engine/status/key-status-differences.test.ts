/** What of a key's differences is told: by what was found, by what waits, and without what a person has said may stay. */
import { describe, expect, it } from 'vitest'
import type { KeyConditions } from '../../../src/engine/status/key-conditions.ts'
import { isAllIgnored, type KeyFacts, keyStatus } from '../../../src/engine/status/key-status.ts'
import type { ObservedKey } from '../../../src/engine/status/observed-key.ts'
import type { ConditionReason, ConditionStatus } from '../../../src/model/condition.ts'
import type { DriftCause, DriftState, ExplainedDifference } from '../../../src/model/drift.ts'
import type { ModeSetting } from '../../../src/ports/store.ts'

const NOW = 160
const WORKING = { rows: [] }
const REPAIR: ModeSetting = { scope: '*', mode: 'repair', reason: '', actor: '', expires_at: null }
const SUSPENDED: ModeSetting = { ...REPAIR, mode: 'suspend', reason: 'we move' }
const differs = (item: string, cause: DriftCause = 'edited'): ExplainedDifference => ({
  item,
  cause,
  domains: [],
  detail: '',
})

interface Given extends Partial<Omit<KeyFacts, 'conditions' | 'observed'>> {
  /** Null for a key that only the working edition has. */
  readonly condition?: readonly [ConditionStatus, ConditionReason] | null
  /** What the last observation found; null: unknown. */
  readonly found?: readonly ExplainedDifference[] | null
  /** How many were counted, where more were than are kept. */
  readonly counted?: number
  /** Of which working edition. */
  readonly found_of?: typeof WORKING
  /** What was observed for the answer. */
  readonly fresh?: readonly ExplainedDifference[]
  /** Left out: something differs. */
  readonly drift?: DriftState
}

function statusOf(given: Given) {
  const {
    condition = ['false', 'drifting'],
    found = [],
    counted,
    found_of = WORKING,
    fresh,
    drift = true,
    ...over
  } = given
  const groups = Map.groupBy(found ?? [], ({ cause }) => cause)
  const causes = new Map([...groups].map(([cause, theirs]) => [cause, counted ?? theirs.length]))
  const conditions: KeyConditions | null = condition && {
    component: 'routes',
    key: 'routes',
    every_ms: 1000,
    rows: [
      {
        domain_id: 0,
        component: 'routes',
        status: condition[0],
        reason: condition[1],
        message: 'as it is',
        observed_revision: null,
        last_transition_at: 7,
      },
    ],
    found: found && {
      causes,
      differences: found,
      of_domains: new Map(),
      has_common: false,
      working: found_of,
    },
    caller: null,
    seen_at: 100,
    since: 5,
  }
  const seen = { drift, differences: fresh, unknown_because: null, observed_at: 150 }
  return keyStatus(
    {
      component: 'routes',
      key: 'routes',
      conditions,
      pending: { working: WORKING, keys: [] },
      waiting: null,
      observed: fresh === undefined ? null : (seen as unknown as ObservedKey),
      dueAt: () => null,
      modeOf: () => REPAIR,
      ...over,
    },
    NOW,
  )
}

const MAY_STAY = 'It differs as somebody has said that it may: GET /api/drift/ignored.'
const ignoring = (...items: readonly string[]) => ({
  ignoredAt: (key: string): ReadonlySet<string> => new Set(key === 'routes' ? items : []),
})

describe('what a person has said may stay', () => {
  const found = [differs('a'), differs('b', 'lost')]

  it('is drift, and told, and not held against the key', () => {
    expect(statusOf({ found, ...ignoring('a', 'b') })).toMatchObject({
      ok: true,
      drift: true,
      cause: 'lost',
      reason: 'drifting',
      message: MAY_STAY,
      differences: found,
    })
  })

  it.each<[what: string, given: Given]>([
    ['where nobody has said so', { found }],
    ['where it was said of some of it', { found, ...ignoring('a') }],
    ['where it was said of none of it', { found, ...ignoring('c') }],
    ['where more differs than is known by name', { found: [differs('a')], counted: 2, ...ignoring('a') }],
    ['where nobody could say what differs', { found: null, ...ignoring('a') }],
    ['where it was tried in vain', { condition: ['false', 'failing'], found, ...ignoring('a', 'b') }],
  ])('counts against the key as ever %s', (_what, given) => {
    expect(statusOf(given)).toMatchObject({ ok: false, drift: true, message: 'as it is' })
  })

  it('says nothing of a key that is right or not known', () => {
    expect(statusOf({ condition: ['true', 'in_sync'], ...ignoring('a') })).toMatchObject({
      drift: false,
      ok: true,
    })
    const unread = statusOf({ condition: ['unknown', 'unreadable'], found, ...ignoring('a', 'b') })
    expect(unread).toMatchObject({ drift: null, ok: false })
  })

  it('is all of several kinds, or not all', () => {
    const all = { counts: [1, 1], differences: found }
    expect(isAllIgnored(all, new Set(['a', 'b', 'c']))).toBe(true)
    expect(isAllIgnored({ counts: [], differences: [] }, new Set(['a']))).toBe(false)
  })
})

describe('what waits', () => {
  const waiting = { cause: 'pending_deploy', domains: ['a.example.com', 'b.example.com'] } as const
  const OF_SETTINGS = { cause: 'renderer_changed', domains: [] } as const
  const waits = (item: string) => ({
    item,
    cause: 'pending_deploy',
    domains: [item],
    detail: 'saved and not deployed',
  })
  const RIGHT = ['true', 'in_sync'] as const

  it('is a difference for each domain, counted', () => {
    expect(statusOf({ condition: RIGHT, waiting })).toMatchObject({
      causes: { pending_deploy: 2 },
      differences: [waits('a.example.com'), waits('b.example.com')],
    })
  })

  it('is one difference where settings alone have changed', () => {
    expect(statusOf({ condition: RIGHT, waiting: OF_SETTINGS })).toMatchObject({
      causes: { renderer_changed: 1 },
      differences: [
        { item: 'settings', cause: 'renderer_changed', domains: [], detail: 'saved and not deployed' },
      ],
    })
  })

  it('is told as it was found where that is of the same edition, and beside what else differs', () => {
    const found = [differs('line 3', 'pending_deploy'), differs('line 9')]
    expect(statusOf({ found, waiting })).toMatchObject({
      causes: { pending_deploy: 1, edited: 1 },
      differences: found,
    })
    expect(statusOf({ found: [differs('line 9')], waiting }).differences).toEqual([
      differs('line 9'),
      waits('a.example.com'),
      waits('b.example.com'),
    ])
  })

  it.each<[what: string, given: Given]>([
    ['that was found of an edition before', { waiting, found_of: { rows: [] } }],
    ['that waits no more', { found_of: WORKING }],
  ])('is not told as it was found: %s', (_what, given) => {
    const found = [
      differs('line 3', 'pending_deploy'),
      differs('line 4', 'renderer_changed'),
      differs('line 9'),
    ]
    const told = statusOf({ found, ...given }).differences.map(({ item }) => item)
    expect(told).toEqual(['line 9', ...(given.waiting?.domains ?? [])])
  })

  it('leaves a key that is right and fought over no worse than that', () => {
    const contested = { condition: ['false', 'contested'] as const }
    expect(statusOf(contested)).toMatchObject({ ok: false, drift: false, reason: 'contested' })
    expect(statusOf({ ...contested, waiting })).toMatchObject({ ok: false, drift: true, reason: 'contested' })
    expect(statusOf({ ...contested, found: null })).toMatchObject({ drift: true, reason: 'contested' })
  })
})

describe('an observation for the answer', () => {
  it('tells what waits as that where nothing else differs', () => {
    const both = [differs('a', 'pending_deploy'), differs('b', 'renderer_changed')]
    expect(statusOf({ fresh: both })).toMatchObject({ reason: 'pending_deploy', cause: 'pending_deploy' })
    expect(statusOf({ fresh: [...both, differs('c')] })).toMatchObject({
      reason: 'drifting',
      cause: 'edited',
    })
    expect(statusOf({ fresh: [] })).toMatchObject({ drift: true, cause: null, reason: 'drifting' })
  })

  it.each<[what: string, given: Given, told: object]>([
    [
      'not known while it is suspended: that is why',
      { condition: ['unknown', 'suspended'], drift: null },
      { ok: false, drift: null, reason: 'suspended', message: '' },
    ],
    [
      'right and fought over, which is not green',
      { condition: ['false', 'contested'], drift: false },
      { ok: false, drift: false, reason: 'contested' },
    ],
    [
      'right after it failed, which is over',
      { condition: ['false', 'failing'], drift: false },
      { ok: true, drift: false, reason: 'in_sync' },
    ],
  ])('tells a key that is %s', (_what, given, told) => {
    expect(statusOf({ fresh: [], ...given })).toMatchObject(told)
  })

  it('counts each cause', () => {
    expect(statusOf({ fresh: [differs('a'), differs('b'), differs('c', 'lost')] }).causes).toEqual({
      edited: 2,
      lost: 1,
    })
  })

  it('of a key that only the working edition has is told without a condition', () => {
    expect(statusOf({ condition: null, fresh: [differs('a')] })).toMatchObject({
      drift: true,
      reason: 'drifting',
      since: null,
      conditions: null,
      seen_at: 150,
    })
  })
})

it('a key is told since when, and when it was seen', () => {
  expect(statusOf({})).toMatchObject({ since: 7, seen_at: 100, stale_after: 60_100 })
  expect(statusOf({ condition: null })).toMatchObject({ since: null, seen_at: null, stale_after: null })
})

it('a key that the last pass found suspended keeps the words of then', () => {
  const given = { condition: ['unknown', 'suspended'] as const, modeOf: () => SUSPENDED }
  expect(statusOf(given)).toMatchObject({ reason: 'suspended', message: 'as it is' })
  expect(statusOf({ modeOf: () => SUSPENDED }).message).toBe('routes is suspended: we move.')
})
