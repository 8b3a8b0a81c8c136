/** When the routes file may go back to what the proxy runs, and what moves then. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { withRows } from '../../../../src/engine/editions/editions.ts'
import type { DomainFields } from '../../../../src/model/domain/record.ts'
import type { IntentRow } from '../../../../src/model/intent.ts'
import { byDomain } from '../../../../src/model/intent.ts'
import { type GoBackFacts, reopens, rowsBack, stays } from '../../../../src/features/routes/proxy/go-back.ts'
import type { MiddlewareOffer } from '../../../../src/model/domain/rules.ts'
import { aRow } from '../../../fixtures.ts'

const row = (
  domain_id: number,
  fields: Partial<DomainFields> = {},
  more: Partial<IntentRow> = {},
): IntentRow => aRow({ domain_id, domain: `d${domain_id}.example.com`, ...fields, ...more })

const facts = (more: Partial<GoBackFacts> = {}): GoBackFacts => ({
  mode: 'repair',
  started_at: 1000,
  taken_at: 2000,
  released: { rows: [row(1), row(2)] },
  rows: [{ domain_id: 2, row: null }],
  guarded: null,
  offer: { middlewares: new Map([['lan', { check: 'IP allow list' } as MiddlewareOffer]]) },
  ...more,
})

describe('going back', () => {
  it('is done for what was added, to a proxy that was seen to take changes', () => {
    expect(stays(facts())).toBeNull()
  })

  it.each([
    ['observe mode', facts({ mode: 'observe' }), 'the mode is observe'],
    ['a suspension', facts({ mode: 'suspend' }), 'the mode is suspend'],
    ['a proxy without a start', facts({ started_at: null }), 'was not seen to take a change'],
    ['a proxy that took it when it started', facts({ started_at: 2000 }), 'was not seen to take a change'],
    ['a guard', facts({ guarded: 'too many' }), 'too many'],
    [
      'a door that would open',
      facts({
        released: { rows: [row(1, { auth_required: true })] },
        rows: [{ domain_id: 1, row: row(1, { auth_required: false }) }],
      }),
      'opens again what d1.example.com closes',
    ],
    [
      'a name that an open star would take',
      facts({ released: { rows: [row(1, { domain: '*.example.com', auth_required: false }), row(2)] } }),
      'opens again what d2.example.com closes',
    ],
    [
      'an internal name that an open star would take',
      facts({
        released: {
          rows: [
            row(1, { domain: '*.example.com', auth_required: false }),
            row(2, { auth_required: false, service_type: 'internal' }),
          ],
        },
      }),
      'opens again what d2.example.com closes',
    ],
    [
      'a name behind a check of its own that a star behind another would take',
      facts({
        released: {
          rows: [
            row(1, { domain: '*.example.com', auth_required: true }),
            row(2, { middleware_config: { extra_middlewares: ['lan'] } }),
          ],
        },
      }),
      'opens again what d2.example.com closes',
    ],
  ])('is not done in %s', (_what, one, because) => {
    expect(stays(one)).toContain(because)
  })

  it.each<[string, Partial<DomainFields>, Partial<DomainFields>]>([
    ['asks to sign in', { auth_required: true }, {}],
    ['is of another depth', { domain: '*.deep.example.com' }, {}],
    ['is at another door', { ssl_enabled: false }, {}],
    ['is managed elsewhere', { service_type: 'manual' }, {}],
    ['has it beside a name that is open itself', {}, { auth_required: false }],
  ])('is done below a star that %s', (_what, star, fields) => {
    const rows = [row(1, { domain: '*.example.com', auth_required: false, ...star }), row(2, fields)]
    expect(stays(facts({ released: { rows } }))).toBeNull()
  })
})

describe('what opens a door again', () => {
  const PROTECTING: readonly Partial<DomainFields>[] = [
    { auth_required: false },
    { service_type: 'spa' },
    { ssl_enabled: false },
    { cors_enabled: true },
    { cors_origin: 'https://x.example' },
    { middleware_config: { extra_middlewares: ['no-store'] } },
    { domain: 'old.example.com' },
    { dns_proxied: true },
    { protocol: 'tcp', tcp_entrypoint: 'ssh' },
  ]
  it.each(PROTECTING)('%j was otherwise', (fields) => {
    expect(reopens(row(1), row(1, fields))).toBe(true)
    expect(reopens(row(1, fields), row(1))).toBe(true)
  })

  const LEADING: readonly Partial<DomainFields>[] = [
    { backend_host: '10.0.0.9' },
    { backend_port: 1 },
    { health_check_path: '/up' },
    { default_path: '/app' },
    { note: 'x' },
    { tags: ['x'] },
    { dns_ttl: 60 },
    { static_ip: '203.0.113.1' },
    { ddns_enabled: true },
  ]
  it.each(LEADING)('%j does not', (fields) => {
    expect(reopens(row(1), row(1, fields))).toBe(false)
  })

  it.each([
    ['a route that was taken away', row(1, {}, { live: false }), row(1), true],
    ['a record that is gone', null, row(1), true],
    ['a tombstone, even of what was not live', row(1, {}, { live: false, retired: true }), null, true],
    ['a route that was added', row(1), null, false],
    ['a route that was off line', row(1), row(1, {}, { live: false }), false],
  ])('%s', (_what, now, before, opens) => {
    expect(reopens(now, before)).toBe(opens)
  })
})

it('moving the rows back gives the edition of before, whatever moved; what came since stays in it, off line', () => {
  const rows = fc
    .uniqueArray(fc.tuple(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 3 }), fc.boolean()), {
      selector: ([id]) => id,
    })
    .map((some) => ({
      rows: some
        .map(([id, revision, live]) => row(id, { backend_port: revision }, { revision, live }))
        .toSorted(byDomain),
    }))
  fc.assert(
    fc.property(rows, rows, (now, before) => {
      const then = new Set(before.rows.map(({ domain_id }) => domain_id))
      const since = now.rows.filter(({ domain_id }) => !then.has(domain_id))
      expect(withRows(now, rowsBack(now, before)).rows).toEqual(
        [...before.rows, ...since.map((one) => ({ ...one, live: false }))].toSorted(byDomain),
      )
    }),
  )
})
