/** What is told of what is kept true: every reason of a condition, the words of its own target, and no effect beside its cause. */
import { describe, expect, it } from 'vitest'
import type { KeyConditions } from '../../../src/engine/status/key-conditions.ts'
import type { Condition, ConditionReason, ConditionStatus } from '../../../src/model/condition.ts'
import type { DriftCause } from '../../../src/model/drift.ts'
import { CONDITION_REASONS } from '../../../src/model/condition.ts'
import type { HealthCheck } from '../../../src/core/check.ts'
import type { HealthComponent } from '../../../src/model/health.ts'
import { keptFindings } from '../../../src/features/notifications/kept-findings.ts'
import { isIndeterminate } from '../../../src/features/notifications/observation.ts'
import { overviewOf, observationOf, watchedFindings } from '../../../src/features/notifications/observe.ts'
import { PROOF_WORDS, takenOut } from '../../../src/features/sso/checks.ts'
import { MINUTE_MS, T0 } from './samples.ts'

const AFTER_MS = 10 * MINUTE_MS
const LATER = T0 + 60 * MINUTE_MS

const row = (status: ConditionStatus, reason: ConditionReason, domain_id = 0): Condition => ({
  domain_id,
  component: 'routes',
  status,
  reason,
  message: 'as it is',
  observed_revision: null,
  last_transition_at: T0,
})

const ofKey = (rows: readonly Condition[], fields: Partial<KeyConditions> = {}): KeyConditions => ({
  component: 'routes',
  key: 'routes',
  every_ms: 60_000,
  rows,
  found: null,
  caller: null,
  seen_at: LATER,
  since: T0,
  ...fields,
})

const TIME = { now: LATER, awake_since: T0, after_ms: AFTER_MS }
const facts = {
  ...TIME,
  names: new Map([[7, 'app.example.com']]),
  words: { 'sso-proof': PROOF_WORDS },
  modeOf: () => 'repair' as const,
  ignoredAt: (_key: string): ReadonlySet<string> => new Set(),
  overview: overviewOf([], [], TIME),
}
const seen = (of: KeyConditions, more: Partial<typeof facts> = {}) =>
  observationOf([keptFindings(of, { ...facts, ...more })], more.now ?? facts.now, AFTER_MS)
const kindsOf = (of: KeyConditions, now = LATER) =>
  seen(of, { now }).alerts.map(({ kind, due_at }) => [kind, due_at - T0])

describe('a condition', () => {
  it.each<[ConditionStatus, ConditionReason, string | null, number]>([
    ['true', 'in_sync', null, 0],
    ['true', 'pending_deploy', null, 0],
    ['false', 'drifting', 'drift_lasting', AFTER_MS],
    ['false', 'unfinished', 'unfinished_lasting', AFTER_MS],
    ['false', 'contested', 'contested', 0],
    ['false', 'refused', 'repair_refused', 0],
    ['false', 'failing', 'failing', AFTER_MS],
    ['unknown', 'failing', 'failing', AFTER_MS],
    ['unknown', 'unreadable', 'unknown_lasting', AFTER_MS],
    ['unknown', 'suspended', null, 0],
    ['unknown', 'stale', 'unknown_lasting', AFTER_MS],
    ['unknown', 'never_looked', 'unknown_lasting', AFTER_MS],
  ])('%s, %s is %s', (status, reason, kind, wait_ms) => {
    expect(CONDITION_REASONS).toContain(reason)
    expect(kindsOf(ofKey([row(status, reason)]))).toEqual(kind === null ? [] : [[kind, wait_ms]])
  })

  it('refused by the anonymous proof is an open route', () => {
    const proof = ofKey([row('true', 'in_sync'), row('false', 'refused', 7)], { component: 'sso-proof' })
    expect(seen(proof).alerts).toMatchObject([
      { kind: 'route_open', severity: 'critical', domains: ['app.example.com'] },
    ])
  })

  it.each<[string, readonly DriftCause[], string]>([
    ['is not loaded', ['not_loaded'], 'not_loaded'],
    ['is not loaded, beside an edit that waits', ['not_loaded', 'pending_deploy'], 'not_loaded'],
    ['is not loaded in part', ['not_loaded', 'edited'], 'drift_lasting'],
    ['only waits for a deploy', ['pending_deploy'], 'drift_lasting'],
  ])('that drifts because it %s is told so', (_name, causes, kind) => {
    const counted = new Map(causes.map((cause) => [cause, 1]))
    const found = {
      causes: counted,
      differences: [],
      of_domains: new Map(),
      has_common: true,
      working: null as never,
    }
    expect(kindsOf(ofKey([row('false', 'drifting')], { found }))).toEqual([[kind, AFTER_MS]])
  })

  it('of what a person has said may stay is told to nobody before its end, and what differs beside it is', () => {
    const differing = (...items: readonly string[]) => ({
      found: {
        causes: new Map<DriftCause, number>([['edited', items.length]]),
        differences: items.map((item) => ({ item, cause: 'edited' as const, domains: [], detail: '' })),
        of_domains: new Map(),
        has_common: true,
        working: null as never,
      },
    })
    const ignoredAt = (key: string) => new Set(key === 'routes' ? ['one', 'two'] : [])
    const kinds = (of: KeyConditions, more = { ignoredAt }) => seen(of, more).alerts.map(({ kind }) => kind)
    const drifting = [row('false', 'drifting')]
    expect(kinds(ofKey(drifting, differing('one', 'two')))).toEqual([])
    expect(kinds(ofKey(drifting, differing('one', 'other')))).toEqual(['drift_lasting'])
    expect(kinds(ofKey([row('false', 'refused')], differing('one')))).toEqual(['repair_refused'])
    // Over: it is due at once, however long it has been known.
    expect(kinds(ofKey(drifting, differing('one')), { ignoredAt: () => new Set() })).toEqual([
      'drift_lasting',
    ])
  })

  it('of a domain names it, and while the whole is not right nothing of it is over', () => {
    const own = row('false', 'drifting', 7)
    const fine = seen(ofKey([row('true', 'in_sync'), own]))
    expect(fine.alerts).toMatchObject([{ id: 'condition/routes/7', domains: ['app.example.com'] }])
    expect(fine.indeterminate).toEqual([])
    for (const shared of [row('false', 'failing'), row('unknown', 'unreadable'), row('unknown', 'suspended')])
      expect(isIndeterminate(seen(ofKey([shared])), 'condition/routes/7')).toBe(true)
  })

  it('not to know for a moment is neither a trouble nor an end', () => {
    const now = T0 + MINUTE_MS
    const moment = seen(ofKey([row('unknown', 'unreadable')]), { now })
    expect(moment.alerts).toEqual([])
    expect(isIndeterminate(moment, 'condition/routes/0')).toBe(true)
    expect(isIndeterminate(moment, 'condition/routes-of-others/0')).toBe(false)
  })

  it('that nobody could look at while the host slept is nobody’s trouble yet', () => {
    const old = ofKey([row('true', 'in_sync')], { seen_at: T0, since: T0 })
    const woken = seen(old, { awake_since: LATER })
    expect(woken.alerts).toEqual([])
    expect(isIndeterminate(woken, 'condition/routes/0')).toBe(true)
  })

  it('that nobody looks at any more is unknown, however right it was', () => {
    const old = ofKey([row('true', 'in_sync')], { seen_at: T0, since: T0 })
    expect(seen(old).alerts).toMatchObject([{ kind: 'unknown_lasting' }])
  })
})

describe('a proxy of which nothing is known', () => {
  const look = (drift: null | false) =>
    ({
      name: 'proxy',
      component: 'proxy',
      configured: true,
      since: T0,
      ok: drift === false,
      drift,
      cause: null,
      reason: 'unreachable',
      message: 'away',
      differences: [],
    }) as unknown as HealthComponent
  const proof = ofKey([row('unknown', 'unreadable')], { component: 'sso-proof', key: 'sso-proof' })
  const told = (drift: null | false, of = proof) => {
    const watched = [{ part: look(drift), check: {} as HealthCheck }]
    const overview = overviewOf(watched, [of], TIME)
    const found = [keptFindings(of, { ...facts, overview }), watchedFindings(watched, { ...facts, overview })]
    return observationOf(found, LATER, AFTER_MS)
  }

  it('is why the proof is blind, so it is told alone, and nothing of the proof is over', () => {
    expect(told(null).alerts.map(({ key }) => key)).toEqual(['proxy'])
    expect(isIndeterminate(told(null), 'condition/sso-proof/0')).toBe(true)
    expect(told(false).alerts.map(({ key }) => key)).toEqual(['sso-proof'])
  })

  it('leaves a route that is known to be open untouched', () => {
    const open = { ...proof, rows: [row('true', 'in_sync'), row('false', 'refused', 7)] }
    expect(told(null, open).alerts.map(({ kind }) => kind)).toEqual(['route_open', 'unknown_lasting'])
  })
})

it('a route in quarantine is told at once', () => {
  const route = { domain_id: 7, domain: 'app.example.com', since: T0, evidence: 'it got content' }
  expect(takenOut(route)).toMatchObject({ kind: 'route_open', severity: 'critical', alert_after_ms: 0 })
})
