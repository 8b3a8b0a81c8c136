/** What a check concludes from what servers show, and when it looks again. */
import { describe, expect, it } from 'vitest'
import { okOf } from '../../../src/features/dns/integrity/integrity-result.ts'
import type { ManagedSet } from '../../../src/features/dns/records/managed-set.ts'
import {
  MAX_PROPAGATION_MS,
  type Propagation,
  type PropagationState,
  type ObservedServer,
  resultOf,
} from '../../../src/features/dns/integrity/propagation.ts'
import { nextDelay, quickDelay } from '../../../src/features/dns/integrity/schedule.ts'

const SET: ManagedSet = {
  zone: 'example.com',
  name: 'app.example.com',
  type: 'A',
  values: ['192.0.2.1'],
  proxied: null,
  domain_id: 1,
}

const server = (observation: ObservedServer['observation']): ObservedServer => ({
  host: 'ns1.example.net',
  server: { address: '192.0.2.53', port: 53 },
  observation,
})
const shows = (...values: string[]): ObservedServer => server({ kind: 'seen', values, via: [], note: null })
const fails = server({ kind: 'failed', detail: 'ns2 did not answer' })
const skips = server({ kind: 'skipped', detail: 'no way to 2001:db8::53' })

const found = (state: PropagationState, since: number | null, set = SET): Propagation => ({
  set,
  state,
  since,
  detail: null,
  servers: [],
  resolvers: [],
  checked_at: 0,
})

const NOW = 10_000_000
const OLD = NOW - MAX_PROPAGATION_MS - 1

describe('the verdict', () => {
  it.each<[string, readonly ObservedServer[], Propagation | null, Partial<Propagation>]>([
    ['all show it', [shows('192.0.2.1'), shows('192.0.2.1')], null, { state: 'synced', since: null }],
    ['one is behind', [shows('192.0.2.1'), shows()], null, { state: 'propagating', since: NOW }],
    [
      'one is behind since a while',
      [shows()],
      found('propagating', NOW - 5),
      { state: 'propagating', since: NOW - 5 },
    ],
    ['one is behind for too long', [shows()], found('propagating', OLD), { state: 'slow', since: OLD }],
    [
      'one failed, the others agree',
      [shows('192.0.2.1'), fails],
      null,
      { state: 'unknown', detail: 'ns2 did not answer' },
    ],
    [
      'one failed, the others disagree',
      [shows(), fails],
      found('propagating', OLD),
      { state: 'unknown', since: OLD },
    ],
    [
      'one cannot be reached from here, the other agrees',
      [shows('192.0.2.1'), skips],
      null,
      { state: 'synced' },
    ],
    ['none can be reached from here', [skips], null, { state: 'unknown' }],
    ['it arrived after all', [shows('192.0.2.1')], found('slow', OLD), { state: 'synced', since: null }],
    [
      'other values are wanted now, so the time begins anew',
      [shows()],
      found('slow', OLD, { ...SET, values: ['192.0.2.9'] }),
      { state: 'propagating', since: NOW },
    ],
  ])('%s', (_title, servers, before, expected) => {
    expect(resultOf(SET, servers, { before, now: NOW })).toMatchObject(expected)
  })

  it('behind the provider’s own proxy any address will do, and none will not', () => {
    const set = { ...SET, proxied: true }
    expect(resultOf(set, [shows('198.51.100.77')], { before: null, now: NOW }).state).toBe('synced')
    expect(resultOf(set, [shows()], { before: null, now: NOW }).state).toBe('propagating')
  })
})

describe('the whole', () => {
  it.each<[readonly PropagationState[], string | null, boolean | null]>([
    [[], null, true],
    [['synced'], null, true],
    [['synced', 'slow'], null, false],
    [['synced', 'propagating'], null, null],
    [['unknown'], null, null],
    [['synced'], 'the ledger could not be read', null],
    [['slow', 'unknown'], 'the ledger could not be read', false],
  ])('%j with trouble %j is %j', (states, failure, ok) => {
    const names = states.map((state) => found(state, null))
    expect(okOf({ checked_at: 0, took_ms: 1, failure, names })).toBe(ok)
  })
})

describe('the next look', () => {
  it('is after two seconds while a change is fresh, then after ten, and at the full check at the latest', () => {
    expect(quickDelay([], NOW)).toBe(null)
    expect(quickDelay([found('synced', null), found('slow', OLD)], NOW)).toBe(null)
    expect(quickDelay([found('propagating', NOW - 1000)], NOW)).toBe(2000)
    expect(quickDelay([found('propagating', NOW - 61_000)], NOW)).toBe(10_000)
    expect(nextDelay([found('propagating', NOW - 61_000)], NOW, 4000)).toBe(4000)
    expect(nextDelay([], NOW, 600_000)).toBe(600_000)
    expect(nextDelay([], NOW, -5)).toBe(0)
  })
})
