/** A record that the public name servers do not show is told by name, and over only once every server shows it. */
import { describe, expect, it } from 'vitest'
import type { IntegrityResult } from '../../../src/features/dns/integrity/integrity-result.ts'
import type { PropagationState } from '../../../src/features/dns/integrity/propagation.ts'
import type { Overview } from '../../../src/core/finding.ts'
import { evaluateLate } from '../../../src/features/dns/findings.ts'
import type { HealthComponent } from '../../../src/model/health.ts'
import { isIndeterminate } from '../../../src/features/notifications/observation.ts'
import { T0 } from '../notifications/samples.ts'

const name = (host: string, state: PropagationState, type: 'A' | 'AAAA' = 'A') => ({
  set: { zone: 'example.com', name: host, type, values: ['192.0.2.1'], proxied: null, domain_id: 1 },
  state,
  since: state === 'synced' ? null : T0,
  detail: null,
  servers: [],
  resolvers: [],
  checked_at: T0,
})
const result = (names: IntegrityResult['names'], failure: string | null = null): IntegrityResult => ({
  checked_at: T0,
  took_ms: 1,
  failure,
  names,
})
const part = (fields: Partial<HealthComponent>): Overview['part'] => {
  const one = { configured: true, stale: false, ...fields } as HealthComponent
  return (name) => (name === 'dns_integrity' ? one : undefined)
}
const seen = (found: IntegrityResult | null, more: Partial<Pick<Overview, 'part' | 'differs'>> = {}) =>
  evaluateLate(found, { part: part({}), differs: () => false, ...more })
const ID = 'dns-integrity/app.example.com A/0'

describe('a name', () => {
  it('that is late on some server is a trouble from the moment it is called late', () => {
    const late = seen(result([name('app.example.com', 'slow'), name('b.example.com', 'synced')]))
    expect(late.findings).toMatchObject([
      {
        id: ID,
        kind: 'dns_not_in_place',
        key: 'dns:example.com',
        domains: ['app.example.com'],
        since: T0,
        alert_after_ms: 0,
      },
    ])
  })

  it.each<[PropagationState, boolean]>([
    ['synced', false],
    ['propagating', true],
    ['unknown', true],
    ['slow', true],
  ])('that is %s leaves its end open: %s', (state, open) => {
    expect(isIndeterminate(seen(result([name('app.example.com', state)])), ID)).toBe(open)
  })

  it('has an end of its own: its other address family and its neighbours say nothing of it', () => {
    const other = seen(
      result([
        name('app.example.com', 'synced'),
        name('app.example.com', 'unknown', 'AAAA'),
        name('b.example.com', 'unknown'),
      ]),
    )
    expect(isIndeterminate(other, ID)).toBe(false)
  })

  it('that differs at the provider itself is told by its zone', () => {
    const effect = seen(result([name('app.example.com', 'slow')]), {
      differs: (key, domain_id) => key === 'dns:example.com' && domain_id === 1,
    })
    expect(effect.findings).toEqual([])
    expect(isIndeterminate(effect, ID)).toBe(true)
  })
})

describe('the check', () => {
  it.each<[string, IntegrityResult | null, boolean]>([
    ['that never ended', null, false],
    ['that is too old', result([name('app.example.com', 'synced')]), true],
    ['that knows no records', result([], 'What stands at the provider is not known.'), false],
  ])('%s tells no end', (_name, found, stale) => {
    const blind = seen(found, { part: part({ stale }) })
    expect(blind.findings).toEqual([])
    expect(isIndeterminate(blind, ID)).toBe(true)
  })

  it('that is not set up knows of nothing, and what it told is over', () => {
    for (const none of [() => undefined, part({ configured: false })])
      expect(seen(null, { part: none })).toEqual({ findings: [], indeterminate: [] })
  })
})
