/** Keys of dynamic DNS: which of them a person has to see to, and that a router which has its new key is left in peace. */
import { describe, expect, it } from 'vitest'
import { latestRotation } from '../../../src/kernel/quarterly.ts'
import { evaluateKeys } from '../../../src/features/ddns/tokens/findings.ts'
import type { DdnsToken } from '../../../src/features/ddns/records.ts'

const T0 = Date.UTC(2030, 0, 31, 12)
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
let made = 0
const token = (fields: Partial<DdnsToken> = {}): DdnsToken => ({
  id: `t${made++}`,
  host: 'home.example.com',
  digest: `d${made}`,
  label: 'router',
  created_at: T0,
  expires_at: null,
  last_used_at: null,
  ...fields,
})
const AGED = T0 - 400 * DAY_MS

describe('a key that is older than the quarter', () => {
  it('without a successor is to be rotated since the last rotation', () => {
    expect(evaluateKeys([token({ created_at: AGED })], T0)).toMatchObject([
      { kind: 'rotation_due', domains: ['home.example.com'], since: latestRotation(T0) },
    ])
  })

  it('with a younger one beside it, or with an end, is not', () => {
    expect(evaluateKeys([token({ created_at: AGED }), token()], T0)).toEqual([])
    expect(evaluateKeys([token({ created_at: AGED, expires_at: T0 - HOUR_MS })], T0)).toEqual([])
  })

  it('is to be rotated beside a younger one of another router, too', () => {
    const both = [token({ created_at: AGED }), token({ label: 'second router' })]
    expect(evaluateKeys(both, T0)).toMatchObject([{ kind: 'rotation_due' }])
  })

  it('is one trouble for a host, however many there are', () => {
    const two = ['a', 'b'].map((label) => token({ created_at: AGED, label }))
    expect(evaluateKeys(two, T0)).toHaveLength(1)
  })
})

describe('a key that was rotated', () => {
  const ends = T0 + DAY_MS
  const old = (last_used_at: number | null) =>
    token({ created_at: T0 - DAY_MS, expires_at: ends, last_used_at })
  const successor = (last_used_at: number | null = null) => token({ last_used_at })

  it('and is still in use is told when half of its grace is over', () => {
    const [trouble] = evaluateKeys([old(T0 + HOUR_MS), successor()], T0 + HOUR_MS)
    expect(trouble).toMatchObject({
      kind: 'key_ending',
      severity: 'warning',
      since: T0,
      alert_after_ms: DAY_MS / 2,
    })
  })

  it('and was in use to its end shuts its router out', () => {
    const after = evaluateKeys([old(ends - HOUR_MS), successor()], ends + HOUR_MS)
    expect(after).toMatchObject([{ kind: 'key_ending', severity: 'urgent' }])
    expect(after[0]!.message).toContain('never seen with the new one')
  })

  it.each<[string, readonly DdnsToken[]]>([
    ['whose router has the new one', [old(T0 + HOUR_MS), successor(T0 + 2 * HOUR_MS)]],
    ['whose router was silent since', [old(T0 - HOUR_MS), successor()]],
    ['that was never used', [old(null), successor()]],
    ['that was revoked, without a successor', [old(T0 + HOUR_MS)]],
    [
      'beside the key of another router',
      [old(T0 + HOUR_MS), token({ label: 'second router', last_used_at: T0 })],
    ],
  ])('%s is nobody’s trouble', (_name, tokens) => {
    expect(evaluateKeys(tokens, T0 + 20 * HOUR_MS)).toEqual([])
  })
})
