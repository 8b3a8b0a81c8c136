/** Kept things on the health page: the condition, what waits, and a fresh look, in one row. */
import { describe, expect, it } from 'vitest'
import type { KeptKey } from '../../../../src/engine/status/kept-keys.ts'
import type { Look } from '../../../../src/engine/status/look.ts'
import type { ConditionReason, ConditionStatus } from '../../../../src/model/condition.ts'
import type { DriftCause, ExplainedDifference } from '../../../../src/model/drift.ts'
import { keptComponent } from '../../../../src/features/health/rounds/kept-component.ts'

const differs = (cause: DriftCause): ExplainedDifference => ({ item: 'x', cause, domains: [], detail: '' })

interface Given extends Omit<Partial<KeptKey>, 'condition' | 'found'> {
  readonly condition?: readonly [ConditionStatus, ConditionReason] | null
  readonly found?: readonly DriftCause[] | null
}

function kept({ condition = ['true', 'in_sync'], found = [], ...over }: Given = {}): KeptKey {
  return {
    component: 'routes',
    key: 'routes',
    condition:
      condition === null
        ? null
        : {
            domain_id: 0,
            component: 'routes',
            status: condition[0],
            reason: condition[1],
            message: 'as it is',
            observed_revision: null,
            last_transition_at: 7,
          },
    found: found && {
      causes: new Map(found.map((cause) => [cause, found.filter((one) => one === cause).length])),
      differences: found.map(differs),
    },
    waits: null,
    look: null,
    seen_at: 100,
    stale_after: 200,
    next_attempt_at: 130,
    mode: { scope: '*', mode: 'repair', reason: '', actor: '', expires_at: null },
    ...over,
  }
}

const look = (drift: Look['drift'], ...causes: readonly DriftCause[]): Look => ({
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
})

const WAITS = { cause: 'pending_deploy', domains: ['a.example.com'] } as const
const NOW = 160

const SUSPENDED = {
  scope: 'routes',
  mode: 'suspend',
  reason: 'moving',
  actor: 'key',
  expires_at: 300,
} as const

describe('from the call on that suspends it, before any pass heeds it', () => {
  it.each<[string, Look | null, object]>([
    ['what nobody looks at is unknown', null, { ok: false, drift: null }],
    ['what is clean is not green', look(false), { ok: false, drift: false }],
    ['what differs is named', look(true, 'edited'), { ok: false, drift: true, cause: 'edited' }],
  ])('%s', (_, seen, expected) => {
    const told = keptComponent(kept({ mode: SUSPENDED }), seen, NOW)
    expect(told).toMatchObject({ mode: 'suspend', suspended_until: 300, ...expected })
    if (seen?.drift !== true)
      expect(told).toMatchObject({ reason: 'suspended', message: 'routes is suspended: moving' })
  })
})

describe('from what is known', () => {
  it.each<[string, Given, object]>([
    ['in sync', {}, { ok: true, drift: false, cause: null, reason: 'in_sync' }],
    [
      'saved and not deployed',
      { waits: WAITS },
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
        look: { turn: 1, at: 150, deviates: true, unknown_because: null, differences: [differs('edited')] },
      },
      { ok: false, drift: true, cause: 'edited', reason: 'drifting' },
    ],
    [
      'other settings would write it differently',
      { waits: { cause: 'renderer_changed', domains: [] } },
      { drift: true, cause: 'renderer_changed' },
    ],
    [
      'edited by hand',
      { condition: ['false', 'drifting'], found: ['edited', 'edited'] },
      { ok: false, drift: true, cause: 'edited', causes: { edited: 2 }, reason: 'drifting' },
    ],
    [
      'edited by hand while an edit waits: the stranger goes first',
      { condition: ['false', 'failing'], found: ['edited'], waits: WAITS },
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
    ['stale', { condition: ['unknown', 'stale'] }, { ok: false, drift: null, reason: 'stale', stale: true }],
    [
      'unreadable while an edit waits',
      { condition: ['unknown', 'unreadable'], waits: WAITS },
      { drift: null, cause: null },
    ],
    [
      'not released yet',
      { condition: null, found: null, waits: WAITS },
      { ok: false, drift: true, cause: 'pending_deploy' },
    ],
  ])('%s', (_, given, row) => {
    expect(keptComponent(kept(given), null, NOW)).toMatchObject(row)
  })
})

describe('from a fresh look', () => {
  it.each<[string, Given, Look, object]>([
    ['clean', {}, look(false), { ok: true, drift: false, observed_at: 150, stale: false }],
    [
      'stale, and clean now',
      { condition: ['unknown', 'stale'] },
      look(false),
      { ok: true, drift: false, stale: false },
    ],
    [
      'in sync, and lost now',
      {},
      look(true, 'lost'),
      { ok: false, drift: true, cause: 'lost', reason: 'drifting' },
    ],
    [
      'waits',
      {},
      look(true, 'pending_deploy'),
      { drift: true, cause: 'pending_deploy', reason: 'pending_deploy' },
    ],
    [
      'why it is not repaired is kept',
      { condition: ['false', 'contested'] },
      look(true, 'edited'),
      { reason: 'contested' },
    ],
    ['no answer', {}, look(null), { ok: false, drift: null, reason: 'unreadable', message: 'no answer' }],
    [
      'clean but suspended is not green',
      { condition: ['unknown', 'suspended'] },
      look(false),
      { ok: false, drift: false, reason: 'suspended' },
    ],
  ])('%s', (_, given, fresh, row) => {
    expect(keptComponent(kept(given), fresh, NOW)).toMatchObject(row)
  })
})

it('shows twenty differences and counts all', () => {
  const found = Array.from({ length: 50 }, () => 'edited' as const)
  const row = keptComponent(kept({ condition: ['false', 'drifting'], found }), null, NOW)
  expect(row.differences).toHaveLength(20)
  expect(row.causes).toEqual({ edited: 50 })
})
