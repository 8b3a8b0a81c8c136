/** Guards over what a release moves: right at their limits, one below and one above. */
import { describe, expect, it } from 'vitest'
import { type Protection, releaseGuards } from '../../../src/engine/pass/release-guards.ts'
import type { IntentRow } from '../../../src/model/intent.ts'
import type { ReleaseRow } from '../../../src/ports/records/trails.ts'
import { aRow, anIntent } from '../../fixtures.ts'

const nameOf = (id: number): string => `d${id}.example.com`

/** Live records 1 to `count`. */
const released = (count: number) =>
  anIntent(...Array.from({ length: count }, (_, i) => ({ domain_id: i + 1, domain: nameOf(i + 1) })))

const rowOf = (domain_id: number, live = true): IntentRow =>
  aRow({ domain_id, live, domain: nameOf(domain_id) })

/** The records from 1 to `count`, each deleted or no longer live, turn by turn. */
const removal = (count: number): ReleaseRow[] =>
  Array.from({ length: count }, (_, i) => ({
    domain_id: i + 1,
    row: i % 2 === 0 ? null : rowOf(i + 1, false),
  }))

const NOBODY: Protection = () => null

function hits(live: number, rows: readonly ReleaseRow[], { complete = true, protection = NOBODY } = {}) {
  return releaseGuards({ released: released(live), rows, protection, complete })
}

const rules = (...args: Parameters<typeof hits>): string[] => hits(...args).map(({ rule }) => rule)

describe('a removal of many', () => {
  it.each([
    // [live, removed, rules]
    [6, 5, []],
    [100, 5, []],
    [7, 6, ['bulk_removal']],
    [100, 6, ['bulk_removal']],
    // From ten on, more than three in ten.
    [9, 4, []],
    [10, 3, []],
    [10, 4, ['bulk_removal']],
    [11, 3, []],
    [11, 4, ['bulk_removal']],
    [13, 3, []],
    [13, 4, ['bulk_removal']],
    [14, 4, []],
    [16, 4, []],
    [16, 5, ['bulk_removal']],
    [17, 5, []],
  ] as const)('of %i live domains %i go: %j', (live, removed, expected) => {
    expect(rules(live, removal(removed))).toEqual(expected)
  })

  it('says the figures and is lifted by a confirmation', () => {
    expect(hits(12, removal(6))).toEqual([
      {
        rule: 'bulk_removal',
        message: '6 of 12 live domains would be removed; at most 5, or 30 % from 10 domains on go unasked.',
        confirmable: true,
      },
    ])
  })

  it('counts names that leave public DNS although they are served on', () => {
    const hidden = Array.from({ length: 6 }, (_, i) => {
      const row = rowOf(i + 1)
      return {
        domain_id: i + 1,
        row: { ...row, fields: { ...row.fields, service_type: 'internal' as const } },
      }
    })
    expect(rules(12, hidden)).toEqual(['bulk_removal'])
    expect(rules(12, hidden.slice(0, 3))).toEqual([])
  })

  it.each([
    ['internal', ['bulk_removal']],
    ['manual', []],
  ] as const)('counts names that are %s as they are served: %j', (service_type, expected) => {
    const rows = released(12).rows.map((row) => ({ ...row, fields: { ...row.fields, service_type } }))
    const facts = { rows: removal(6), protection: NOBODY, complete: true }
    expect(releaseGuards({ ...facts, released: { rows } }).map(({ rule }) => rule)).toEqual(expected)
  })

  it('counts what is live, once: edits, additions and rows that were not live are no removals', () => {
    const edits = Array.from({ length: 12 }, (_, i) => ({ domain_id: i + 1, row: rowOf(i + 1) }))
    const additions = Array.from({ length: 8 }, (_, i) => ({ domain_id: 50 + i, row: rowOf(50 + i) }))
    const unknown = Array.from({ length: 8 }, (_, i) => ({ domain_id: 80 + i, row: null }))
    expect(rules(12, [...edits, ...additions, ...unknown])).toEqual([])
  })
})

describe('an emptied edition', () => {
  it.each([
    // [live, removed, rules]
    [0, 0, []],
    [1, 1, []],
    [2, 1, []],
    [2, 2, ['emptied_edition']],
    [3, 2, []],
    [5, 5, ['emptied_edition']],
    [6, 6, ['emptied_edition', 'bulk_removal']],
  ] as const)('of %i live domains %i go: %j', (live, removed, expected) => {
    expect(rules(live, removal(removed))).toEqual(expected)
  })

  it('is lifted by a confirmation', () => {
    expect(hits(5, removal(5))).toMatchObject([{ rule: 'emptied_edition', confirmable: true }])
  })

  it('is not empty when something comes in exchange', () => {
    expect(rules(2, [...removal(2), { domain_id: 9, row: rowOf(9) }])).toEqual([])
    expect(rules(2, [...removal(2), { domain_id: 9, row: rowOf(9, false) }])).toEqual(['emptied_edition'])
  })
})

describe('a protected name', () => {
  const protection: Protection = (name) => (name === nameOf(1) ? 'serves this control plane' : null)

  it.each([
    ['deleted', null, ['protected_name']],
    ['taken off line', rowOf(1, false), ['protected_name']],
    ['edited', rowOf(1), []],
  ] as const)('that is %s alone', (_name, row, expected) => {
    expect(rules(20, [{ domain_id: 1, row }], { protection })).toEqual(expected)
  })

  it('is told beside the other rules, by name, and is lifted by a confirmation', () => {
    const [bulk, named] = hits(20, removal(6), { protection })
    expect(bulk).toMatchObject({ rule: 'bulk_removal' })
    expect(named).toMatchObject({ rule: 'protected_name', confirmable: true })
    expect(named!.message).toContain(nameOf(1))
  })

  it('of a record that was not live may go', () => {
    expect(rules(0, [{ domain_id: 1, row: null }], { protection })).toEqual([])
  })
})

describe('an incomplete look', () => {
  it('forbids even a single removal, and nothing lifts that', () => {
    expect(hits(20, removal(1), { complete: false })).toMatchObject([
      { rule: 'incomplete_read', confirmable: false },
    ])
  })

  it('forbids no edit and no addition', () => {
    const rows = [
      { domain_id: 1, row: rowOf(1) },
      { domain_id: 50, row: rowOf(50) },
    ]
    expect(rules(20, rows, { complete: false })).toEqual([])
    const asleep = { rows: [rowOf(1, false)] }
    const woken = [{ domain_id: 1, row: rowOf(1) }]
    expect(releaseGuards({ released: asleep, rows: woken, protection: NOBODY, complete: false })).toEqual([])
  })
})
