/** Which event a pass is worth, and how many of one kind are too many. */
import { describe, expect, it } from 'vitest'
import { type Outcome, OUTCOMES, type Report } from '../../../src/model/report.ts'
import { BURST, Merger, THEN_EVERY_MS } from '../../../src/kernel/async/burst-merger.ts'
import { eventOf } from '../../../src/engine/pass/report-event.ts'

const GOOD: readonly Outcome[] = ['clean', 'repaired']
/** After which nothing has recovered. */
const CALM: readonly Outcome[] = [...GOOD, 'left_unfinished']

function reportOf(outcome: Outcome): Report {
  const bad = !GOOD.includes(outcome) && outcome !== 'left_drifting'
  return {
    component: 'routes',
    key: 'routes',
    outcome,
    differences: outcome === 'clean' ? 0 : 1,
    repaired: outcome === 'repaired' ? 1 : 0,
    refusals: [],
    failure: bad ? { code: 'storage_full', message: 'The disk is full.', retry_after_ms: 0 } : null,
    release: 3,
    observed_at: 0,
    took_ms: 1,
    next_attempt_at: 0,
  }
}

/** The table above `eventOf`: what the pass found, what the pass before had found, and the event. */
const CASES: readonly (readonly [Outcome, readonly (Outcome | null)[], string | null])[] = [
  ['clean', [null, ...CALM], null],
  ['clean', ['left_drifting', 'refused', 'failed', 'unknown', 'suspended'], 'recovered'],
  ['repaired', [null, ...CALM], 'repaired'],
  ['repaired', ['left_drifting', 'refused', 'failed', 'unknown', 'suspended'], 'recovered'],
  ['left_drifting', [null, ...CALM, 'refused', 'failed', 'unknown', 'suspended'], 'drift'],
  ['left_drifting', ['left_drifting'], null],
  ['suspended', [null, ...CALM, 'left_drifting', 'refused', 'failed', 'unknown'], 'suspended'],
  ['suspended', ['suspended'], null],
  ['left_unfinished', [null, ...OUTCOMES], null],
  ['refused', [null, ...OUTCOMES], 'refused'],
  ['failed', [null, ...OUTCOMES], 'failed'],
  ['unknown', [null, ...OUTCOMES], 'unreadable'],
]

describe('the event of a pass', () => {
  it.each(CASES)('that ended %s after %j is %s', (outcome, befores, kind) => {
    for (const before of befores) expect(eventOf(reportOf(outcome), before)?.kind ?? null).toBe(kind)
  })

  it('is told for every pair of outcomes in the table', () => {
    const pairs = CASES.reduce((sum, [, befores]) => sum + befores.length, 0)
    expect(pairs).toBe(OUTCOMES.length * (OUTCOMES.length + 1))
  })

  it('names what it is about and why, a few of many', () => {
    const items = ['a', 'b', 'c', 'd'].map((item) => ({ domain_ids: [], item, repaired: true }))
    const message = (outcome: Outcome, more: Partial<Report> = {}, before: Outcome | null = null) =>
      eventOf({ ...reportOf(outcome), key: 'dns:example.com', ...more }, before)?.message
    expect(message('repaired', { items })).toBe(
      'dns:example.com is brought to what was released: a, b, c and 1 more.',
    )
    expect(
      message('repaired', {
        items: items.slice(0, 1),
        undone: { count: 1, items: [], domains: [], kept_as: [] },
      }),
    ).toBe('dns:example.com was changed by somebody else, which is undone: a.')
    expect(message('left_drifting', { items: items.slice(1, 2) })).toBe(
      'dns:example.com differs from what was released, and the mode only reports it: b.',
    )
    expect(message('failed')).toBe('dns:example.com: The disk is full.')
    expect(message('clean', {}, 'failed')).toBe('dns:example.com is as it should be again.')
  })

  it('goes with the figures of the pass and the code of what went wrong', () => {
    const facts = { component: 'routes', key: 'routes', release: 3, differences: 1 }
    expect(eventOf(reportOf('failed'), null)?.facts).toEqual({
      ...facts,
      outcome: 'failed',
      repaired: 0,
      code: 'storage_full',
    })
    expect(eventOf(reportOf('repaired'), null)?.facts).toEqual({
      ...facts,
      outcome: 'repaired',
      repaired: 1,
      code: null,
    })
  })

  it('says of what went wrong the key, once', () => {
    const failure = { code: 'storage_full', retry_after_ms: 0 } as const
    const message = (text: string) =>
      eventOf({ ...reportOf('failed'), key: 'dns:a.example', failure: { ...failure, message: text } }, null)
        ?.message
    expect(message('No room.')).toBe('dns:a.example: No room.')
    expect(message('No room for dns:a.example.')).toBe('No room for dns:a.example.')
  })

  it('names each item once, and neither the key again nor what has no name', () => {
    const items = [
      { domain_ids: [1], item: 'a', repaired: true },
      { domain_ids: [2], item: 'a', repaired: true },
      { domain_ids: [3], item: 'routes', repaired: true },
      { domain_ids: [4], repaired: true },
    ]
    const message = (of: typeof items) => eventOf({ ...reportOf('repaired'), items: of }, null)?.message
    expect(message(items)).toBe('routes is brought to what was released: a.')
    expect(message(items.slice(2))).toBe('routes is brought to what was released.')
    expect(eventOf(reportOf('repaired'), null)?.message).toBe('routes is brought to what was released.')
  })

  it('is never merged when it is a recovery', () => {
    expect(eventOf(reportOf('clean'), 'failed')?.merge_as).toBeNull()
    expect(eventOf(reportOf('failed'), 'failed')?.merge_as).toBe('routes failed storage_full')
  })
})

describe('merging', () => {
  it('lets a burst pass, then one every five minutes, which counts what was held back', () => {
    const merger = new Merger()
    const admitted = Array.from({ length: BURST + 10 }, () => merger.admit('a', 0))
    expect(admitted.filter((merged) => merged !== null)).toEqual(Array<number>(BURST).fill(0))
    expect(merger.admit('a', THEN_EVERY_MS - 1)).toBeNull()
    expect(merger.admit('a', THEN_EVERY_MS)).toBe(11)
    expect(merger.admit('a', THEN_EVERY_MS)).toBeNull()
    expect(merger.admit('a', 3 * THEN_EVERY_MS)).toBe(1)
  })

  it('does not let one name use up what another may say', () => {
    const merger = new Merger()
    for (let i = 0; i < 100; i++) merger.admit('a', 0)
    expect(merger.admit('b', 0)).toBe(0)
  })

  it('gives a quiet name its whole burst back, and no more', () => {
    const merger = new Merger()
    for (let i = 0; i < BURST; i++) merger.admit('a', 0)
    const later = 1000 * THEN_EVERY_MS
    const admitted = Array.from({ length: BURST + 1 }, () => merger.admit('a', later))
    expect(admitted.filter((merged) => merged !== null)).toHaveLength(BURST)
  })
})
