/** A heartbeat is silent by the time that passes, and not by the clock on the wall; what it was before a restart it stays. */
import { describe, expect, it } from 'vitest'
import { evaluateHeartbeats, evaluateSilent } from '../../../src/features/heartbeats/checks.ts'
import { heartbeatState, silentSince } from '../../../src/features/heartbeats/state.ts'
import { heartbeatView } from '../../../src/features/heartbeats/view.ts'
import { MINUTE_MS, T0 } from '../notifications/samples.ts'

const AFTER = 15 * MINUTE_MS
const clock = { now: T0, silent_after_ms: AFTER }

describe('silence', () => {
  it.each([
    ['heard of just now', null, 0, true, null],
    ['for the whole time, and no longer', null, AFTER, true, null],
    ['for a minute more than it may', null, AFTER + MINUTE_MS, true, T0 - MINUTE_MS],
    ['never by this process, which has just begun', null, 0, false, null],
    ['never by this process, for too long', null, AFTER + 1, false, T0 - 1],
    ['to whole milliseconds, as they are kept', null, AFTER + 1.4, true, T0 - 1],
    ['silent before the restart, and not heard of since', T0 - 1000, 0, false, T0 - 1000],
    ['silent before, and heard of since', T0 - 1000, 0, true, null],
    ['silent, as it is written down', T0 - 1000, AFTER + MINUTE_MS, true, T0 - 1000],
  ])('%s', (_title, silent_at, silence_ms, is_fresh, since) => {
    expect(silentSince({ silent_at }, { silence_ms, is_fresh }, clock)).toBe(since)
  })
})

const known = (fields: object = {}) => ({
  id: 3,
  name: 'external',
  created_at: T0,
  last_seen: T0 as number | null,
  silent_at: null,
  silent_since: null as number | null,
  ...fields,
})

describe('what is said of it', () => {
  it('one that is silent is one trouble, whether it was ever heard of or not', () => {
    expect(evaluateSilent([known()])).toEqual([])
    const never = known({ silent_since: T0 + AFTER, last_seen: null })
    expect(evaluateSilent([never])).toMatchObject([
      { id: 'heartbeat/3', kind: 'heartbeat_silent', since: T0 + AFTER, alert_after_ms: 0 },
    ])
    expect(evaluateSilent([never])[0]?.message).toContain('never been heard of')
    expect(heartbeatState({ last_seen: null }, null)).toBe('pending')
    expect(heartbeatView(never)).toMatchObject({ state: 'silent', last_seen: null })
  })

  it('the page is clean only where none is silent', () => {
    expect(evaluateHeartbeats([])).toMatchObject({ ok: true, reason: 'not_configured' })
    expect(evaluateHeartbeats([known(), known({ last_seen: null })])).toMatchObject({
      ok: true,
      details: { states: { alive: 1, pending: 1 } },
    })
    expect(evaluateHeartbeats([known(), known({ name: 'watchdog', silent_since: T0 })])).toMatchObject({
      ok: false,
      drift: false,
      cause: 'silent',
      causes: { silent: 1 },
      differences: [{ item: 'watchdog', cause: 'silent' }],
    })
  })
})
