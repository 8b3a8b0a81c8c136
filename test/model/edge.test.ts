/** The state of an edge: what its owner wants and when it was heard of, in one table. */
import { describe, expect, it } from 'vitest'
import {
  checkEdgeFields,
  type DesiredEdgeState,
  edgeState,
  type EdgeState,
  isConfigVersion,
} from '../../src/model/edge.ts'

const NOW = 1_000_000
const AFTER = 60_000

describe('the state', () => {
  it.each<[DesiredEdgeState, last_seen: number | null, lost_at: number | null, since: number, EdgeState]>([
    ['active', null, null, 0, 'pending'],
    ['draining', null, null, 0, 'pending'],
    ['offline', null, null, 0, 'offline'],
    ['active', NOW, null, 0, 'active'],
    ['active', NOW - AFTER, null, 0, 'active'],
    ['active', NOW - AFTER - 1, null, 0, 'offline'],
    ['draining', NOW - 1, null, 0, 'draining'],
    ['draining', NOW - AFTER - 1, null, 0, 'offline'],
    ['offline', NOW, null, 0, 'offline'],
    // We were away ourselves: its silence counts from our return,
    ['active', NOW - 10 * AFTER, null, NOW - AFTER, 'active'],
    ['active', NOW - 10 * AFTER, null, NOW - AFTER - 1, 'offline'],
    // unless it was lost before.
    ['active', NOW - 10 * AFTER, NOW - 9 * AFTER, NOW, 'offline'],
    // A clock that was set back makes nobody silent.
    ['active', NOW + AFTER, null, 0, 'active'],
  ])(
    '%s, heard at %s, lost at %s, listening since %s: %5$s',
    (desired_state, last_seen, lost_at, since, state) => {
      const clock = { now: NOW, offline_after_ms: AFTER, listening_since: since }
      expect(edgeState({ desired_state, last_seen, lost_at }, clock)).toBe(state)
    },
  )
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
