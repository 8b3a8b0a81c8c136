/** How a key is: by its conditions and what waits, and by an observation that was made for the answer. */
import { describe, expect, it } from 'vitest'
import type { CallerObservation } from '../../../src/engine/status/caller-observation.ts'
import type { KeyConditions } from '../../../src/engine/status/key-conditions.ts'
import { keyStatus, keyStatuses, type StatusFacts } from '../../../src/engine/status/key-status.ts'
import type { ObservedKey } from '../../../src/engine/status/observed-key.ts'
import type { PendingRelease, Waiting } from '../../../src/engine/status/pending.ts'
import type { ConditionReason, ConditionStatus } from '../../../src/model/condition.ts'
import type { DriftCause, DriftState, ExplainedDifference } from '../../../src/model/drift.ts'
import type { ModeSetting } from '../../../src/ports/store.ts'

const differs = (cause: DriftCause): ExplainedDifference => ({ item: 'x', cause, domains: [], detail: '' })

interface Given {
  /** Null for a key that only the working edition has. */
  readonly condition?: readonly [ConditionStatus, ConditionReason] | null
  readonly message?: string
  /** It is one domain's alone. */
  readonly is_of_one?: boolean
  readonly found?: readonly DriftCause[] | null
  readonly caller?: CallerObservation
  readonly waiting?: Waiting
  readonly mode?: ModeSetting
  /** When the world was seen last; null: never. */
  readonly seen_at?: number | null
}

const WORKING = { rows: [] }
const NOW = 160
const DUE = 190
const REPAIR: ModeSetting = { scope: '*', mode: 'repair', reason: '', actor: '', expires_at: null }

function conditionsOf({
  condition = ['true', 'in_sync'],
  message = 'as it is',
  is_of_one = false,
  found = [],
  caller,
  seen_at = 100,
}: Given): KeyConditions | null {
  if (condition === null) return null
  const [status, reason] = condition
  const nobody = { domain_id: 0, component: 'routes', observed_revision: null, last_transition_at: 7 }
  const row = { ...nobody, status, reason, message }
  return {
    component: 'routes',
    key: 'routes',
    every_ms: 1000,
    rows: is_of_one
      ? [
          { ...nobody, status: 'true', reason: 'in_sync', message },
          { ...row, domain_id: 1 },
        ]
      : [row],
    found: found && {
      causes: new Map(found.map((cause) => [cause, found.filter((one) => one === cause).length])),
      differences: found.map(differs),
      of_domains: new Map(),
      has_common: false,
      working: WORKING,
    },
    caller: caller ?? null,
    seen_at,
    since: 5,
  }
}

const statusOf = (given: Given, observed: ObservedKey | null, now = NOW) =>
  keyStatus(
    {
      component: 'routes',
      key: 'routes',
      conditions: conditionsOf(given),
      pending: { working: WORKING, keys: [] },
      waiting: given.waiting ?? null,
      observed,
      dueAt: () => DUE,
      modeOf: () => given.mode ?? REPAIR,
    },
    now,
  )

const PART = {
  applied: true,
  guard: null,
  is_released: true,
  attempt: null,
  reaction: { will: 'leave_alone', because: '' },
} as const

const observedAs = (drift: DriftState, ...causes: readonly DriftCause[]): ObservedKey => ({
  component: 'routes',
  key: 'routes',
  drift,
  deviates: drift,
  unknown_because: drift === null ? 'no answer' : null,
  working_digest: '',
  released_digest: '',
  observed_digest: '',
  differences: causes.map(differs),
  unified_diff: null,
  note: null,
  observed_at: 150,
  ...PART,
  of: () => PART,
  kept: () => [],
  deviating: null,
  excerpts: () => null,
})

const WAITS = { cause: 'pending_deploy', domains: ['a.example.com'] } as const
const SUSPENDED = {
  scope: 'routes',
  mode: 'suspend',
  reason: 'moving',
  actor: 'key',
  expires_at: 300,
} as const

describe('from the call on that suspends it, before any pass heeds it', () => {
  it.each<[string, ObservedKey | null, object]>([
    ['what nobody looks at is unknown', null, { ok: false, drift: null }],
    ['what is clean is not green', observedAs(false), { ok: false, drift: false }],
    ['what differs is named', observedAs(true, 'edited'), { ok: false, drift: true, cause: 'edited' }],
  ])('%s', (_, seen, expected) => {
    const told = statusOf({ mode: SUSPENDED }, seen)
    expect(told).toMatchObject({ mode: SUSPENDED, ...expected })
    if (seen?.drift !== true)
      expect(told).toMatchObject({ reason: 'suspended', message: 'routes is suspended: moving.' })
  })
})

describe('from what is known', () => {
  it.each<[string, Given, object]>([
    ['in sync', {}, { ok: true, drift: false, cause: null, reason: 'in_sync' }],
    [
      'saved and not deployed',
      { waiting: WAITS },
      {
        ok: false,
        drift: true,
        cause: 'pending_deploy',
        causes: { pending_deploy: 1 },
        reason: 'pending_deploy',
      },
    ],
    [
      'suspended, and somebody has looked since',
      {
        condition: ['unknown', 'suspended'],
        caller: { turn: 1, at: 150, deviates: true, unknown_because: null, differences: [differs('edited')] },
      },
      { ok: false, drift: true, cause: 'edited', reason: 'drifting' },
    ],
    [
      'other settings would write it differently',
      { waiting: { cause: 'renderer_changed', domains: [] } },
      { drift: true, cause: 'renderer_changed' },
    ],
    [
      'edited by hand',
      { condition: ['false', 'drifting'], found: ['edited', 'edited'] },
      { ok: false, drift: true, cause: 'edited', causes: { edited: 2 }, reason: 'drifting' },
    ],
    [
      'edited by hand while an edit waits: the stranger goes first',
      { condition: ['false', 'failing'], found: ['edited'], waiting: WAITS },
      { drift: true, cause: 'edited', causes: { edited: 1, pending_deploy: 1 }, reason: 'failing' },
    ],
    [
      'wrong, and nobody could say how',
      { condition: ['false', 'failing'], found: null },
      { ok: false, drift: true, cause: null, reason: 'failing' },
    ],
    [
      'unreadable',
      { condition: ['unknown', 'unreadable'] },
      { ok: false, drift: null, cause: null, reason: 'unreadable' },
    ],
    ['too old to say', { seen_at: -60_000 }, { ok: false, drift: null, reason: 'stale', stale_after: 0 }],
    ['never looked at', { seen_at: null }, { ok: false, drift: null, reason: 'stale', stale_after: null }],
    [
      'unreadable while an edit waits',
      { condition: ['unknown', 'unreadable'], waiting: WAITS },
      { drift: null, cause: null },
    ],
    [
      'not released yet',
      { condition: null, found: null, waiting: WAITS },
      {
        ok: false,
        drift: true,
        cause: 'pending_deploy',
        message: 'It is not released yet. What is saved waits for a deploy.',
      },
    ],
  ])('%s', (_, given, row) => {
    expect(statusOf(given, null)).toMatchObject(row)
  })
})

describe('from a fresh look', () => {
  it.each<[string, Given, ObservedKey, object]>([
    ['clean', {}, observedAs(false), { ok: true, drift: false, seen_at: 150, stale_after: null }],
    [
      'stale, and clean now',
      { seen_at: -60_000 },
      observedAs(false),
      { ok: true, drift: false, reason: 'in_sync', stale_after: null },
    ],
    [
      'in sync, and lost now',
      {},
      observedAs(true, 'lost'),
      { ok: false, drift: true, cause: 'lost', reason: 'drifting' },
    ],
    [
      'waits',
      {},
      observedAs(true, 'pending_deploy'),
      { drift: true, cause: 'pending_deploy', reason: 'pending_deploy' },
    ],
    [
      'why it is not repaired is kept',
      { condition: ['false', 'contested'] },
      observedAs(true, 'edited'),
      { reason: 'contested' },
    ],
    [
      'no answer',
      {},
      observedAs(null),
      { ok: false, drift: null, reason: 'unreadable', message: 'no answer' },
    ],
    [
      'clean but suspended is not green',
      { condition: ['unknown', 'suspended'] },
      observedAs(false),
      { ok: false, drift: false, reason: 'suspended' },
    ],
  ])('%s', (_, given, fresh, row) => {
    expect(statusOf(given, fresh)).toMatchObject(row)
  })
})

describe('of all keys', () => {
  const facts = (
    pending: PendingRelease | null,
    observed: StatusFacts['observed'] = new Map(),
  ): StatusFacts => ({
    conditions: [conditionsOf({ condition: ['false', 'drifting'], found: ['pending_deploy', 'edited'] })!],
    pending,
    observed,
    dueAt: () => null,
    modeOf: () => REPAIR,
  })
  const brief = (given: StatusFacts) =>
    keyStatuses(given, NOW).map(({ key, drift, causes }) => [key, drift, Object.keys(causes)])
  const zone = { component: 'dns', key: 'dns:example.org' }

  it('one that only the working edition has waits for its first release, behind those that are released', () => {
    const keys = [
      { ...zone, waiting: null },
      { component: 'routes', key: 'routes', waiting: WAITS },
    ]
    expect(brief(facts({ working: WORKING, keys }))).toEqual([
      ['routes', true, ['pending_deploy', 'edited']],
      ['dns:example.org', true, ['pending_deploy']],
    ])
  })

  it('what waits is told by the editions of now, and by what was found where they could not be read', () => {
    const keys = [{ component: 'routes', key: 'routes', waiting: null }]
    expect(brief(facts({ working: WORKING, keys }))).toEqual([['routes', true, ['edited']]])
    expect(brief(facts(null))).toEqual([['routes', true, ['pending_deploy', 'edited']]])
  })

  it('one that was observed for the answer is told by that', () => {
    const observed = new Map([['routes', observedAs(false)]])
    expect(brief(facts(null, observed))).toEqual([['routes', false, []]])
  })
})

it('tells when the next pass is due, and no time that has passed', () => {
  expect(statusOf({}, null).next_attempt_at).toBe(DUE)
  expect(statusOf({}, null, DUE).next_attempt_at).toBeNull()
})

describe('what stands in the way of a repair', () => {
  const SOME = 'Some of its domains are not as they were released: what is said of each tells why.'

  const refusedNow = (because: string): ObservedKey => ({
    ...observedAs(true, 'lost'),
    reaction: { will: 'refuse', because },
  })

  it.each<[string, Given, ObservedKey, object]>([
    [
      'is told as it was observed, where the last pass was refused for another reason',
      { condition: ['false', 'refused'] },
      refusedNow('too many at once'),
      { reason: 'refused', message: 'too many at once' },
    ],
    [
      'is told as it was observed, where the last pass failed',
      { condition: ['false', 'failing'] },
      refusedNow('too many at once'),
      { reason: 'refused', message: 'too many at once' },
    ],
    [
      'stays in its words where it is the same',
      { condition: ['false', 'refused'] },
      refusedNow('as it is'),
      { reason: 'refused', message: 'as it is' },
    ],
    [
      'stays where somebody keeps putting another state back',
      { condition: ['false', 'contested'] },
      refusedNow('three times within the hour'),
      { reason: 'contested', message: 'as it is' },
    ],
    [
      'stays where nothing is known to stand in the way now',
      { condition: ['false', 'failing'] },
      observedAs(true, 'lost'),
      { reason: 'failing', message: 'as it is' },
    ],
    [
      'stays where single domains say each what hinders it',
      { condition: ['false', 'failing'], is_of_one: true },
      refusedNow('too many at once'),
      { reason: 'failing', message: SOME, is_of_some: true },
    ],
    [
      'is told as it was observed, whatever the words of the last pass',
      { condition: ['false', 'failing'], message: SOME },
      refusedNow('too many at once'),
      { reason: 'refused', message: 'too many at once', is_of_some: false },
    ],
  ])('%s', (_, given, observed, expected) => {
    expect(statusOf(given, observed)).toMatchObject({ cause: 'lost', ...expected })
  })
})
