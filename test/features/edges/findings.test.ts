/** An edge is lost when it was heard of and fell silent, and only where somebody could have heard it. */
import { describe, expect, it } from 'vitest'
import { evaluateLost } from '../../../src/features/edges/checks.ts'
import type { Edge } from '../../../src/model/edge.ts'
import { MINUTE_MS, T0 } from '../notifications/samples.ts'

const LATER = T0 + 60 * MINUTE_MS

describe('an edge', () => {
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
    evaluateLost(edges, { now: LATER, offline_after_ms: MINUTE_MS, listening_since })

  it('a silent edge is one trouble; one that was taken out, or never came, is none', () => {
    expect(seen([edge()])).toMatchObject([{ id: 'edge/3', since: T0 + MINUTE_MS, alert_after_ms: 0 }])
    for (const other of [
      edge({ desired_state: 'offline' }),
      edge({ last_seen: null }),
      edge({ last_seen: LATER }),
    ])
      expect(seen([other])).toEqual([])
    expect(seen([edge()], LATER), 'our own absence is no silence of theirs').toEqual([])
    expect(seen([edge({ lost_at: T0 })], LATER), 'but what was lost before stays so').toHaveLength(1)
  })
})
