/** The state of an edge: what its owner wants and when it was heard of, in one table. */
import { describe, expect, it } from 'vitest'
import {
  checkEdgeFields,
  type DesiredEdgeState,
  type EdgeSilence,
  edgeState,
  type EdgeState,
  isConfigVersion,
  lostSince,
} from '../../src/model/edge.ts'

const NOW = 1_000_000
const AFTER = 60_000

const silent = (silence_ms: number): EdgeSilence => ({ silence_ms, is_fresh: true })
/** Since this process began. */
const unheard = (silence_ms: number): EdgeSilence => ({ silence_ms, is_fresh: false })

describe('the state', () => {
  const HEARD = NOW - 10 * AFTER
  const LOST = NOW - 9 * AFTER
  it.each<
    [
      DesiredEdgeState,
      last_seen: number | null,
      lost_at: number | null,
      EdgeSilence,
      EdgeState,
      number | null,
    ]
  >([
    ['active', null, null, silent(10 * AFTER), 'pending', null],
    ['draining', null, null, silent(10 * AFTER), 'pending', null],
    ['offline', null, null, silent(10 * AFTER), 'offline', null],
    ['active', NOW, null, silent(0), 'active', null],
    ['active', HEARD, null, silent(AFTER), 'active', null],
    ['active', HEARD, null, silent(AFTER + 1), 'offline', NOW - 1],
    ['active', HEARD, null, silent(AFTER + 1.4), 'offline', NOW - 1],
    ['draining', NOW, null, silent(1), 'draining', null],
    ['draining', HEARD, null, silent(AFTER + 1), 'offline', NOW - 1],
    ['offline', NOW, null, silent(0), 'offline', null],
    // Of this process alone: our own absence is no silence of theirs,
    ['active', HEARD, null, unheard(AFTER), 'active', null],
    ['active', HEARD, null, unheard(AFTER + 1), 'offline', NOW - 1],
    // and what was lost before stays so until it is heard of,
    ['active', HEARD, LOST, unheard(0), 'offline', LOST],
    ['active', HEARD, LOST, silent(0), 'active', null],
    ['active', HEARD, LOST, silent(2 * AFTER), 'offline', LOST],
    // whatever a clock says that was set back.
    ['active', NOW + AFTER, null, silent(0), 'active', null],
    ['active', NOW + AFTER, null, silent(AFTER + 1), 'offline', NOW - 1],
    ['active', NOW + AFTER, NOW + 2 * AFTER, unheard(0), 'offline', NOW + 2 * AFTER],
  ])('%s, heard at %s, lost at %s, %j: %s', (desired_state, last_seen, lost_at, silence, state, since) => {
    const lost_since = lostSince({ last_seen, lost_at }, silence, { now: NOW, offline_after_ms: AFTER })
    expect(lost_since).toBe(since)
    expect(edgeState({ desired_state, last_seen }, lost_since)).toBe(state)
  })
})

describe('its fields', () => {
  const none = { hostname: null, address: null, region: null }
  it('come out in one spelling', () => {
    expect(
      checkEdgeFields({
        name: 'fra1',
        hostname: 'B\u00fccher.Example.',
        address: '2001:DB8::0:1',
        region: 'EU',
      }),
    ).toEqual({
      ok: true,
      value: { name: 'fra1', hostname: 'xn--bcher-kva.example', address: '2001:db8::1', region: 'EU' },
    })
  })

  it.each([['', 'Fra', '-a', 'a-', 'a b', 'a.b', 'a'.repeat(64), 'a\u0000']].flat())(
    'the name %j is refused',
    (name) => {
      expect(checkEdgeFields({ name, ...none }).ok).toBe(false)
    },
  )

  it('everything wrong is named at once', () => {
    const checked = checkEdgeFields({
      name: '',
      hostname: '127.1',
      address: 'fe80::1',
      region: 'x'.repeat(65),
    })
    expect(checked.ok ? [] : checked.errors.map(({ loc }) => loc[1])).toEqual([
      'name',
      'hostname',
      'address',
      'region',
    ])
  })

  it.each([
    ['a'.repeat(64), true],
    ['a'.repeat(129), false],
    ['"a"', false],
    ['a b', false],
    ['', false],
    ['\n', false],
  ])('the version %j: %s', (text, good) => expect(isConfigVersion(text)).toBe(good))
})
