/** How a pass ended: whose each difference is, what counts as done, and whether a later try could change anything. */
import { describe, expect, it } from 'vitest'
import {
  asRefusal,
  CLEAN,
  failed,
  hindered,
  isOfItems,
  itemsOf,
  keysOf,
  openItems,
  type PassResult,
  refusal,
  reportedOf,
  stillRefused,
  unfinished,
  waitsForPeople,
} from '../../../src/engine/pass/result.ts'
import { Failure } from '../../../src/kernel/failure.ts'
import { silentLog } from '../../../src/kernel/log.ts'
import { silentMetrics } from '../../fakes/silent-metrics.ts'
import { fakeTarget, fakeWorld } from '../fake-target.ts'
import { differencesOf, LOOKED_AT, refusalOf, SLOW } from '../item-target.ts'

const HALF = { code: 'component_unavailable', message: 'half done', retry_after_ms: 5_000 } as const
const [A, B] = [differencesOf({ a: 'new' }, {})[0]!, differencesOf({ b: 'new' }, {})[0]!]
const [OF_A, OF_B] = [
  { domain_ids: [1], item: 'item a' },
  { domain_ids: [2], item: 'item b' },
]
/** Of the key as a whole. */
const { domain_ids: _no_ones, ...OF_KEY } = A
const OF_NOBODY = refusalOf('c', { domain_ids: [] })

describe('the items of a pass', () => {
  it('are repaired where nothing is known to be open', () => {
    expect(itemsOf([A, B])).toEqual([
      { ...OF_A, repaired: true },
      { ...OF_B, repaired: true },
    ])
  })

  it('are open by their key, and belong to no record where the difference is of the key as a whole', () => {
    expect(itemsOf([OF_KEY, B], new Set(['b']))).toEqual([
      { domain_ids: [], item: 'item a', repaired: true },
      { ...OF_B, repaired: false },
    ])
  })

  it('wait only where they are open and nobody refused them', () => {
    const refusals = new Map([
      [A, refusalOf('a', { failure: HALF, unfinished: true })],
      [B, refusalOf('b')],
    ])
    expect(itemsOf([A, B], new Set(['a', 'b']), refusals)).toEqual([
      { ...OF_A, repaired: false, waits: HALF },
      { ...OF_B, repaired: false },
    ])
    expect(itemsOf([A], new Set(), refusals)).toEqual([{ ...OF_A, repaired: true }])
  })

  it('are reported without our own notes', () => {
    expect(reportedOf([A, { ...B, is_note: true }])).toEqual([A])
  })

  it('are known by the keys of their differences', () => {
    expect([...keysOf([A, B])]).toEqual(['a', 'b'])
  })

  it('of refusals are open, and what only stands beside is none', () => {
    expect(openItems([refusalOf('a'), refusalOf('b', { beside: true })])).toEqual([
      { ...OF_A, repaired: false },
    ])
  })
})

const REFUSED = { outcome: 'failed', repaired: 0, observed_at: LOOKED_AT } as const

describe('a pass that did not end well', () => {
  it('has failed as a whole, with nothing repaired', () => {
    expect(failed(LOOKED_AT, 2, SLOW)).toEqual({ ...REFUSED, differences: 2, failure: SLOW, refusals: [] })
    expect(failed(LOOKED_AT, 2, SLOW, 'unknown').outcome).toBe('unknown')
  })

  it('or was only left unfinished', () => {
    expect(unfinished(LOOKED_AT, 3, HALF)).toEqual({
      ...REFUSED,
      outcome: 'left_unfinished',
      differences: 3,
      failure: HALF,
      refusals: [],
    })
  })

  it('or waits with what was refused before', () => {
    const refusals = [refusalOf('b', { failure: HALF }), refusalOf('a')]
    expect(stillRefused(refusals, LOOKED_AT)).toEqual({
      ...REFUSED,
      differences: 2,
      failure: HALF,
      refusals,
      items: [
        { ...OF_B, repaired: false },
        { ...OF_A, repaired: false },
      ],
    })
  })

  it.each([
    ['what hinders, before what only stands beside', true, SLOW],
    ['what stands beside, where nothing hinders', false, HALF],
  ])('or names %s', (_what, hinders, failure) => {
    const beside = refusalOf('b', { failure: HALF, beside: true })
    const obstacles = hinders ? [beside, refusalOf('a')] : [beside]
    const done = { ...OF_B, repaired: true }
    expect(hindered(obstacles, { repaired: 1, observed_at: LOOKED_AT }, [done])).toEqual({
      outcome: 'refused',
      differences: 1 + obstacles.length,
      repaired: 1,
      failure,
      refusals: obstacles,
      items: [done, ...(hinders ? [{ ...OF_A, repaired: false }] : [])],
      observed_at: LOOKED_AT,
    })
  })

  it('and has no items beside its obstacles where nothing was written', () => {
    const { items } = hindered([refusalOf('a')], { repaired: 0, observed_at: LOOKED_AT })
    expect(items).toEqual([{ ...OF_A, repaired: false }])
  })
})

describe('what went wrong', () => {
  const ended = (over: Partial<PassResult>): PassResult => ({ ...CLEAN, observed_at: LOOKED_AT, ...over })
  it.each<[what: string, result: Partial<PassResult>, of_items: boolean, for_people: boolean]>([
    ['nothing', {}, false, false],
    ['a record of its own', { outcome: 'failed', refusals: [refusalOf('a')] }, true, false],
    ['several', { outcome: 'failed', refusals: [refusalOf('a'), refusalOf('b')] }, true, false],
    ['the key', { outcome: 'failed', refusals: [] }, false, false],
    ['the key, beside a record', { outcome: 'failed', refusals: [refusalOf('a'), OF_NOBODY] }, false, false],
    [
      'a record, beside what nobody needs',
      { outcome: 'failed', refusals: [refusalOf('a'), { ...OF_NOBODY, beside: true }] },
      true,
      false,
    ],
    ['an obstacle', { outcome: 'refused', refusals: [refusalOf('a')] }, false, true],
    ['a guard', { outcome: 'refused', refusals: [] }, false, false],
    ['an unread world', { outcome: 'unknown', refusals: [refusalOf('a')] }, false, false],
  ])('is %s', (_what, result, of_items, for_people) => {
    expect([isOfItems(ended(result)), waitsForPeople(ended(result))]).toEqual([of_items, for_people])
  })
})

describe('an error', () => {
  const target = fakeTarget(fakeWorld())
  const asked = (error: unknown) => {
    const said: unknown[] = []
    const log = { ...silentLog, error: (...words: unknown[]) => void said.push(words) }
    const metrics = { ...silentMetrics, count: (...counted: unknown[]) => void said.push(counted) }
    return { refusal: asRefusal(error, target, { log, metrics }), said }
  }
  const LATE = refusal('component_unavailable', 'fake did not finish within 2000 ms.')
  const INSIDE = refusal('internal', 'The pass over fake failed inside; the log has the reason.')
  const panic = (error: unknown) => [
    ['plumbline_reconcile_panics_total', { component: 'fake' }],
    ['pass threw', { component: 'fake', target: 'fake', error }],
  ]

  it.each<[what: string, error: unknown, expected: unknown]>([
    ['that was foreseen says why', new Failure('storage_full', 'full'), refusal('storage_full', 'full')],
    [
      'that was foreseen says when to come back',
      new Failure('rate_limited', 'slow', { retry_after_ms: 7 }),
      refusal('rate_limited', 'slow', 7),
    ],
    ['of a pass that took too long says how long', new DOMException('', 'TimeoutError'), LATE],
  ])('%s', (_what, error, expected) => {
    expect(asked(error)).toEqual({ refusal: expected, said: [] })
  })

  it.each([
    ['of our own', new TypeError('a bug')],
    ['that is no end of time', new DOMException('', 'AbortError')],
    ['that only bears the name of one', Object.assign(new Error('x'), { name: 'TimeoutError' })],
  ])('%s is a bug: counted and logged, and told without its inside', (_what, error) => {
    expect(asked(error)).toEqual({ refusal: INSIDE, said: panic(error) })
  })
})
