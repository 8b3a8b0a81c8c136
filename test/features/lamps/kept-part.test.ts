/** What a key says of one domain, in every state that a key can be in: unknown is never well. */
import { describe, expect, it } from 'vitest'
import { keyStatus } from '../../../src/engine/status/key-status.ts'
import type { KeyConditions } from '../../../src/engine/status/key-conditions.ts'
import { keptPart, knownKey } from '../../../src/features/lamps/kept-part.ts'
import { type LampState, LAMP_STATES, LETTERS, stateOf } from '../../../src/features/lamps/states.ts'
import { lampOf } from '../../../src/features/lamps/part.ts'
import { CONDITION_REASONS, type Condition } from '../../../src/model/condition.ts'
import { DRIFT_CAUSES, type DriftCause } from '../../../src/model/drift.ts'

const NOW = 1_000_000
const NAME = 'app.example.com'
const ASKED = { domain_id: 7, names: [NAME], pending: false, is_asked: true }

interface Situation {
  readonly own?: Pick<Condition, 'status' | 'reason'>
  readonly shared?: Pick<Condition, 'status' | 'reason'>
  readonly cause?: DriftCause
  /** Of another domain. */
  readonly others?: DriftCause
  readonly has_common?: boolean
  readonly found?: false
  readonly seen_at?: number | null
  readonly waits?: true
  readonly suspended?: true
}

function known(given: Situation) {
  const { own, shared = { status: 'true', reason: 'in_sync' }, cause, others, seen_at = NOW - 500 } = given
  const row = (domain_id: number, condition: Pick<Condition, 'status' | 'reason'>): Condition => ({
    domain_id,
    component: 'routes',
    ...condition,
    message: 'so it is',
    observed_revision: null,
    last_transition_at: 1,
  })
  const causes = [cause, others].filter((one) => one !== undefined)
  const conditions: KeyConditions = {
    component: 'routes',
    key: 'routes',
    every_ms: 1000,
    rows: [row(0, shared), ...(own === undefined ? [] : [row(7, own)])],
    found:
      given.found === false
        ? null
        : {
            causes: new Map(causes.map((one) => [one, 1])),
            differences: [],
            of_domains: new Map([
              ...(cause === undefined ? [] : [[NAME, cause] as const]),
              ...(others === undefined ? [] : [['other.example.com', others] as const]),
            ]),
            has_common: given.has_common ?? false,
            working: { rows: [] },
          },
    caller: null,
    seen_at,
    since: 1,
  }
  const waiting = given.waits === true ? { cause: 'pending_deploy' as const, domains: [NAME] } : null
  const mode = given.suspended === true ? 'suspend' : 'repair'
  const setting = { scope: '*', mode, reason: 'moving', actor: 'ana', expires_at: null } as const
  const facts = { component: 'routes', key: 'routes', pending: null, observed: null }
  return knownKey(
    keyStatus({ ...facts, conditions, waiting, dueAt: () => null, modeOf: () => setting }, NOW),
    NOW,
  )
}

const FALSE = { status: 'false', reason: 'drifting' } as const
const UNREAD = { status: 'unknown', reason: 'unreadable' } as const

type Case = readonly [string, Situation, LampState | null, Partial<typeof ASKED>?]

describe('a key says of a domain', () => {
  const cases: readonly Case[] = [
    ['that it is right', {}, 'true'],
    ['nothing where nothing is asked of it', {}, null, { is_asked: false }],
    ['that it waits', { waits: true }, 'pending', { pending: true }],
    ['nothing of what others wait for', { waits: true }, 'true'],
    ['that it was edited', { own: FALSE, cause: 'edited' }, 'differs'],
    ['that it is gone', { own: FALSE, cause: 'lost' }, 'differs'],
    [
      'that a stranger has its name, though nothing is asked',
      { own: FALSE, cause: 'foreign_owner' },
      'differs',
      { is_asked: false },
    ],
    [
      'that a stranger has its name, and not that the repair is refused',
      { own: { status: 'false', reason: 'refused' }, cause: 'foreign_owner' },
      'differs',
    ],
    ['that its repair fails', { own: { status: 'false', reason: 'failing' }, cause: 'lost' }, 'wrong'],
    [
      'that a guard refuses its repair',
      { own: { status: 'false', reason: 'refused' }, cause: 'edited' },
      'wrong',
    ],
    ['that it goes on', { own: { status: 'false', reason: 'unfinished' }, cause: 'lost' }, 'moving'],
    ['that it could not be read', { shared: UNREAD }, 'unknown'],
    ['that it could not be read, whatever was found before', { shared: UNREAD, cause: 'edited' }, 'unknown'],
    ['that the last look is too old', { seen_at: NOW - 10 * 60_000 }, 'unknown'],
    ['that nobody has looked yet', { seen_at: null }, 'unknown'],
    ['that it is left alone', { suspended: true }, 'unknown'],
    ['that others differ, where all of it is listed', { shared: FALSE, others: 'lost' }, 'true'],
    [
      'that all differ, where something is common',
      { shared: FALSE, others: 'lost', has_common: true },
      'differs',
    ],
    ['that all differ, where nothing is listed', { shared: FALSE, found: false }, 'differs'],
  ]
  it.each(cases.map(([name, situation, state, record = {}]) => ({ name, situation, state, record })))(
    '$name',
    ({ situation, state, record }) => {
      expect(keptPart(known(situation), { ...ASKED, ...record })?.state ?? null).toBe(state)
    },
  )

  it('with a state for every cause and reason, none of which is well', () => {
    for (const reason of CONDITION_REASONS)
      for (const cause of [null, ...DRIFT_CAUSES]) expect(stateOf(cause, reason)).not.toMatch(/true|not_used/)
    expect(new Set(Object.values(LETTERS)).size).toBe(LAMP_STATES.length)
  })

  it('and its lamp is the worst of all, as old as the oldest', () => {
    const part = (state: LampState, seen_at: number | null) => ({
      source: state,
      state,
      cause: null,
      message: '',
      seen_at,
    })
    expect(lampOf([part('true', 5), null, part('unknown', 9), part('differs', 7)])).toMatchObject({
      state: 'differs',
      seen_at: 5,
    })
    expect(lampOf([part('true', 5), part('unknown', null)])).toMatchObject({
      state: 'unknown',
      seen_at: null,
    })
    expect(lampOf([], 'Not set up.')).toMatchObject({ state: 'not_used', message: 'Not set up.', parts: [] })
  })
})
