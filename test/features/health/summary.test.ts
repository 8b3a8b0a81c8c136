/** The verdict: one part that is wrong, unknown or stale, or one rule that does not hold, and all of it is not ok. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { DriftState } from '../../../src/model/drift.ts'
import type { HealthKind } from '../../../src/model/health.ts'
import { summarize } from '../../../src/features/health/summary.ts'

interface Given {
  readonly name?: string
  readonly kind?: HealthKind
  readonly configured?: boolean
  readonly ok?: boolean
  readonly drift?: DriftState
  readonly cause?: string | null
}

const part = ({
  name = 'routes',
  kind = 'kept',
  configured = true,
  ok = true,
  drift = false,
  cause = null,
}: Given = {}) => ({
  name,
  kind,
  configured,
  ok,
  drift,
  cause,
  reason: 'drifting' as const,
})
const rule = (holds: boolean | null) => ({ name: 'names_unique', holds })

describe('the verdict', () => {
  it.each([
    ['all is well', [part()], [rule(true)], { ok: true, drift: false }],
    ['one drifts', [part(), part({ ok: false, drift: true })], [], { ok: false, drift: true }],
    ['one is unknown', [part({ ok: false, drift: null })], [], { ok: false, drift: null }],
    ['one is wrong without drift', [part({ ok: false })], [], { ok: false, drift: false }],
    ['one says ok and drifts', [part({ drift: true })], [], { ok: false, drift: true }],
    ['one says ok and is unknown', [part({ drift: null })], [], { ok: false, drift: null }],
    [
      'drift goes before unknown',
      [part({ ok: false, drift: null }), part({ ok: false, drift: true })],
      [],
      { ok: false, drift: true },
    ],
    [
      'what is not set up counts for nothing',
      [part({ configured: false, ok: false, drift: null })],
      [],
      { ok: true, drift: false },
    ],
    ['a rule is broken', [part()], [rule(false)], { ok: false, drift: false }],
    ['a rule is unknown', [part()], [rule(null)], { ok: false, drift: false }],
  ])('%s', (_, parts, rules, verdict) => {
    expect(summarize(parts, rules)).toMatchObject(verdict)
  })

  it('names what is wrong with its cause, or with its reason where it has none', () => {
    const parts = [
      part(),
      part({ name: 'dns:example.org', ok: false, drift: true, cause: 'edited' }),
      part({ name: 'mail', ok: false, drift: null }),
    ]
    expect(summarize(parts, [rule(false)]).summary).toBe(
      '1 of 4 things are as they should be; dns:example.org: edited, mail: drifting, names_unique: does not hold.',
    )
  })

  it('names what others need before those that need it', () => {
    const parts = [
      part({ name: 'routes', ok: false, drift: null }),
      part({ name: 'database', kind: 'dependency', ok: false, drift: null }),
      part({ name: 'edges', kind: 'watch', ok: false, drift: null }),
    ]
    expect(summarize(parts, []).summary).toBe(
      '0 of 3 things are as they should be; database: drifting, routes: drifting, edges: drifting.',
    )
  })

  it('is ok exactly when every part that is set up is ok without drift and every rule holds', () => {
    const parts = fc.array(
      fc.record({
        configured: fc.boolean(),
        ok: fc.boolean(),
        drift: fc.constantFrom<DriftState[]>(true, false, null),
      }),
    )
    const rules = fc.array(fc.constantFrom<(boolean | null)[]>(true, false, null))
    fc.assert(
      fc.property(parts, rules, (given, holding) => {
        const right = given.every(({ configured, ok, drift }) => !configured || (ok && drift === false))
        expect(summarize(given.map(part), holding.map(rule)).ok).toBe(
          right && holding.every((holds) => holds === true),
        )
      }),
    )
  })
})
