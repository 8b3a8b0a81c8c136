/** An edge that is lost is one trouble, unless somebody took it out. */
import { describe, expect, it } from 'vitest'
import { evaluateLost } from '../../../src/features/edges/checks.ts'
import type { KnownEdge } from '../../../src/features/edges/contacts.ts'
import { MINUTE_MS, T0 } from '../notifications/samples.ts'

describe('an edge', () => {
  const edge = (fields: Partial<KnownEdge> = {}): KnownEdge => ({
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
    lost_since: null,
    ...fields,
  })
  it('a silent edge is one trouble; one that was taken out, or is there, is none', () => {
    expect(evaluateLost([edge({ lost_since: T0 + MINUTE_MS })])).toMatchObject([
      { id: 'edge/3', since: T0 + MINUTE_MS, alert_after_ms: 0 },
    ])
    for (const other of [
      edge({ desired_state: 'offline', lost_since: T0 }),
      edge({ last_seen: null }),
      edge(),
    ])
      expect(evaluateLost([other])).toEqual([])
  })
})
