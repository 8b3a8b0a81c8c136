/** What counts as a trouble: every reason of a condition, certificates by their own time, edges and open routes. */
import { describe, expect, it } from 'vitest'
import type { KeyConditions } from '../../../src/engine/status/key-conditions.ts'
import type { Condition, ConditionReason, ConditionStatus } from '../../../src/model/condition.ts'
import type { DriftCause } from '../../../src/model/drift.ts'
import { CONDITION_REASONS } from '../../../src/model/condition.ts'
import type { Edge } from '../../../src/model/edge.ts'
import type { HealthComponent } from '../../../src/model/health.ts'
import {
  certificateTroubles,
  type HeldCertificate,
  stageOf,
} from '../../../src/features/notifications/troubles/certificate-troubles.ts'
import { conditionTroubles } from '../../../src/features/notifications/troubles/condition-troubles.ts'
import { isUnsure } from '../../../src/features/notifications/sighting.ts'
import { type Facts, troublesOf } from '../../../src/features/notifications/troubles/troubles.ts'
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

const facts = {
  now: LATER,
  after_ms: AFTER_MS,
  awake_since: T0,
  names: new Map([[7, 'app.example.com']]),
  proof_component: 'sso-proof',
}
const kindsOf = (of: KeyConditions, now = LATER) =>
  conditionTroubles(of, { ...facts, now }).troubles.map(({ kind, ripe_at }) => [kind, ripe_at - T0])

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
    expect(conditionTroubles(proof, facts).troubles).toMatchObject([
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
    const found = { causes: counted, differences: [], working: null as never }
    expect(kindsOf(ofKey([row('false', 'drifting')], { found }))).toEqual([[kind, AFTER_MS]])
  })

  it('of a domain names it, and while the whole is not right nothing of it is over', () => {
    const own = row('false', 'drifting', 7)
    const fine = conditionTroubles(ofKey([row('true', 'in_sync'), own]), facts)
    expect(fine.troubles).toMatchObject([{ id: 'condition/routes/7', domains: ['app.example.com'] }])
    expect(fine.unsure).toEqual([])
    for (const shared of [row('false', 'failing'), row('unknown', 'unreadable'), row('unknown', 'suspended')])
      expect(isUnsure(conditionTroubles(ofKey([shared]), facts), 'condition/routes/7')).toBe(true)
  })

  it('not to know for a moment is neither a trouble nor an end', () => {
    const now = T0 + MINUTE_MS
    const moment = conditionTroubles(ofKey([row('unknown', 'unreadable')]), { ...facts, now })
    expect(moment.troubles).toEqual([])
    expect(isUnsure(moment, 'condition/routes/0')).toBe(true)
    expect(isUnsure(moment, 'condition/routes-of-others/0')).toBe(false)
  })

  it('that nobody could look at while the host slept is nobody’s trouble yet', () => {
    const old = ofKey([row('true', 'in_sync')], { seen_at: T0, since: T0 })
    const woken = conditionTroubles(old, { ...facts, awake_since: LATER })
    expect(woken.troubles).toEqual([])
    expect(isUnsure(woken, 'condition/routes/0')).toBe(true)
  })

  it('that nobody looks at any more is unknown, however right it was', () => {
    const old = ofKey([row('true', 'in_sync')], { seen_at: T0, since: T0 })
    expect(conditionTroubles(old, facts).troubles).toMatchObject([{ kind: 'unknown_lasting' }])
  })
})

const DAY_MS = 24 * 60 * MINUTE_MS

describe('a certificate', () => {
  const long = { not_before: T0, not_after: T0 + 90 * DAY_MS, renewal_at: T0 + 60 * DAY_MS }
  const short = { not_before: T0, not_after: T0 + 6 * DAY_MS, renewal_at: T0 + 4 * DAY_MS }

  it.each<[string, typeof long, number, string | null]>([
    ['of 90 days, 30 before its end', long, 60.1, null],
    ['of 90 days, well past its renewal', long, 64.6, 'notice'],
    ['of 90 days, 15 before its end', long, 75, 'notice'],
    ['of 90 days, 14 before its end', long, 76, 'warning'],
    ['of 90 days, 3 before its end', long, 87, 'urgent'],
    ['of 90 days, at its end', long, 90, 'critical'],
    ['of six days, when it is new', short, 0.1, null],
    ['of six days, 3 before its end', short, 3.1, null],
    ['of six days, past its renewal', short, 4.31, 'urgent'],
    ['of six days, at its end', short, 6, 'critical'],
  ])('%s', (_name, certificate, day, severity) => {
    expect(stageOf(certificate, [14, 3], T0 + day * DAY_MS)?.severity ?? null).toBe(severity)
  })

  const held = (fields: Partial<HeldCertificate> = {}): HeldCertificate => ({
    ...long,
    source: 'proxy',
    place: 'letsencrypt',
    names: ['app.example.com'],
    detail: null,
    ...fields,
  })
  const at = (day: number, domains = ['app.example.com'], unknown: HeldCertificate['source'][] = []) => ({
    now: T0 + day * DAY_MS,
    days: [14, 3],
    domains,
    unknown,
  })

  it('counts where a deployed domain has no better one', () => {
    const kinds = (certificates: HeldCertificate[], domains?: string[]) =>
      certificateTroubles(certificates, at(91, domains)).troubles.map(({ kind }) => kind)
    expect(kinds([held()])).toEqual(['certificate_expired'])
    expect(kinds([held()], ['other.example.com']), 'nobody is served by it').toEqual([])
    const star = held({
      names: ['*.example.com'],
      not_after: T0 + 200 * DAY_MS,
      renewal_at: T0 + 170 * DAY_MS,
    })
    expect(kinds([held(), star]), 'another one lasts longer').toEqual([])
    expect(kinds([held({ names: ['*.example.com'] })], ['a.b.example.com']), 'a star is one label').toEqual(
      [],
    )
  })

  it('names all that it serves in one trouble, and why it was not renewed', () => {
    const names = ['a.example.com', 'b.example.com']
    const { troubles } = certificateTroubles(
      [held({ source: 'manager', names, detail: 'CAA forbids it.' })],
      at(77, names),
    )
    expect(troubles).toMatchObject([{ kind: 'certificate_due', severity: 'warning', domains: names }])
    expect(troubles[0]!.message).toContain('CAA forbids it.')
  })

  it('of a store that cannot be read is not over', () => {
    const [trouble] = certificateTroubles([held()], at(91)).troubles
    expect(isUnsure(certificateTroubles([], at(91, [], ['proxy'])), trouble!.id)).toBe(true)
    expect(isUnsure(certificateTroubles([], at(91, [], ['manager'])), trouble!.id)).toBe(false)
  })
})

const nothing: Facts = {
  keys: [],
  conditions: facts,
  certificates: [],
  of_certificates: { now: LATER, days: [], domains: [], unknown: [] },
  edges: [],
  edge_clock: { now: LATER, offline_after_ms: MINUTE_MS, listening_since: T0 },
  quarantine: [],
  watched: [],
  invariants: [],
  integrity: null,
  zoneKey: (zone) => `dns:${zone}`,
  ddns_tokens: [],
  credentials: [],
}

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
  const told = (drift: null | false) => troublesOf({ ...nothing, keys: [proof], watched: [look(drift)] })

  it('is why the proof is blind, so it is told alone, and nothing of the proof is over', () => {
    expect(told(null).troubles.map(({ key }) => key)).toEqual(['proxy'])
    expect(isUnsure(told(null), 'condition/sso-proof/0')).toBe(true)
    expect(told(false).troubles.map(({ key }) => key)).toEqual(['sso-proof'])
  })

  it('leaves a route that is known to be open untouched', () => {
    const open = { ...proof, rows: [row('true', 'in_sync'), row('false', 'refused', 7)] }
    const { troubles } = troublesOf({ ...nothing, keys: [open], watched: [look(null)] })
    expect(troubles.map(({ kind }) => kind)).toEqual(['route_open', 'unknown_lasting'])
  })
})

describe('edges and routes', () => {
  const edge = (fields: Partial<Edge> = {}): Edge => ({
    id: 3,
    name: 'fra1',
    hostname: null,
    address: null,
    region: null,
    desired_state: 'active',
    revision: 1,
    created_at: T0,
    updated_at: T0,
    last_seen: T0,
    config_version: null,
    served_version: null,
    lost_at: null,
    ...fields,
  })
  const seen = (edges: readonly Edge[], listening_since = T0) =>
    troublesOf({
      ...nothing,
      edges,
      edge_clock: { now: LATER, offline_after_ms: MINUTE_MS, listening_since },
      quarantine: [{ domain_id: 7, domain: 'app.example.com', since: T0, evidence: 'it got content' }],
    }).troubles.filter(({ kind }) => edges.length === 0 || kind === 'edge_lost')

  it('a silent edge is one trouble; one that was taken out, or never came, is none', () => {
    expect(seen([edge()])).toMatchObject([{ id: 'edge/3', since: T0 + MINUTE_MS, ripe_at: T0 + MINUTE_MS }])
    for (const other of [
      edge({ desired_state: 'offline' }),
      edge({ last_seen: null }),
      edge({ last_seen: LATER }),
    ])
      expect(seen([other])).toEqual([])
    expect(seen([edge()], LATER), 'our own absence is no silence of theirs').toEqual([])
    expect(seen([edge({ lost_at: T0 })], LATER), 'but what was lost before stays so').toHaveLength(1)
  })

  it('a route in quarantine is told at once', () => {
    expect(seen([])).toMatchObject([{ kind: 'route_open', severity: 'critical', ripe_at: T0 }])
  })
})
