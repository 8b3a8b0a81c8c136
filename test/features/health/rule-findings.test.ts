/** A broken rule of the database is told at once and by its name; rules that cannot be looked at are no end of it. */
import { describe, expect, it } from 'vitest'
import type { StandingInvariant } from '../../../src/features/health/rounds/invariant-watch.ts'
import { evaluateRules } from '../../../src/features/health/findings.ts'
import { observationOf } from '../../../src/features/notifications/observe.ts'
import { isIndeterminate } from '../../../src/features/notifications/observation.ts'
import { MINUTE_MS, T0 } from '../notifications/samples.ts'

const AFTER_MS = 10 * MINUTE_MS
const rule = (holds: boolean | null, name = 'names_unique'): StandingInvariant => ({
  name,
  promise: 'No name is there twice.',
  holds,
  detail: holds === true ? null : 'app.example.com is.',
  checked_at: T0,
  since: T0,
})
const seen = (rules: readonly StandingInvariant[], now = T0, awake_since = T0) =>
  observationOf([evaluateRules(rules, { awake_since })], now, AFTER_MS)
const ID = 'invariant/names_unique/0'

describe('a rule', () => {
  it('that does not hold is critical, at once, with what breaks it', () => {
    const { alerts, indeterminate } = seen([rule(false), rule(true, 'others')])
    expect(alerts).toMatchObject([
      { id: ID, kind: 'invariant_broken', severity: 'critical', key: 'names_unique', due_at: T0 },
    ])
    expect(alerts[0]!.message).toContain('app.example.com is.')
    expect(indeterminate).toEqual([])
  })

  it('that is not known is not over, and says nothing of one whose name begins alike', () => {
    const half = seen([rule(null, 'names'), rule(true)])
    expect(isIndeterminate(half, 'invariant/names/0')).toBe(true)
    expect(isIndeterminate(half, ID)).toBe(false)
  })

  it('of which nobody knows yet is not over, whatever it is called', () => {
    expect(isIndeterminate(seen([rule(null, 'database_rules')]), ID)).toBe(true)
  })
})

describe('rules that cannot be looked at', () => {
  const blind = [rule(null), rule(null, 'others')]

  it('are one trouble, when it lasts, and it is over when all are known again', () => {
    expect(seen(blind, T0 + MINUTE_MS).alerts).toEqual([])
    expect(isIndeterminate(seen(blind, T0 + MINUTE_MS), 'invariants/0')).toBe(true)
    expect(seen(blind, T0 + AFTER_MS).alerts).toMatchObject([{ id: 'invariants/0', kind: 'unknown_lasting' }])
    expect(isIndeterminate(seen([rule(true)], T0 + AFTER_MS), 'invariants/0')).toBe(false)
  })

  it('while the host slept are nobody’s trouble yet', () => {
    const LATER = T0 + 60 * MINUTE_MS
    expect(seen(blind, LATER, LATER).alerts).toEqual([])
  })
})
