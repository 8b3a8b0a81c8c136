/** Counting looks by quarters of an hour, and what the percentage says. */
import { describe, expect, it } from 'vitest'
import { BUCKET_MS, Buckets, totalsOf, uptimeOf } from '../../../src/features/history/buckets.ts'
import { lookOf, newestSince } from '../../../src/features/history/look.ts'

const NOON = Date.UTC(2030, 0, 1, 12)

describe('buckets', () => {
  it('count what was seen in each, and forget what is older than a day', () => {
    const buckets = new Buckets()
    buckets.add(7, 'ok', NOON)
    buckets.add(7, 'bad', NOON + 1)
    buckets.add(7, 'unknown', NOON + BUCKET_MS)
    expect(buckets.read(7, NOON + BUCKET_MS, 3)).toEqual([
      { at: NOON - BUCKET_MS, ok: 0, bad: 0, unknown: 0 },
      { at: NOON, ok: 1, bad: 1, unknown: 0 },
      { at: NOON + BUCKET_MS, ok: 0, bad: 0, unknown: 1 },
    ])
    const a_day_later = NOON + 96 * BUCKET_MS
    expect(totalsOf(buckets.read(7, a_day_later, 96))).toEqual({ ok: 0, bad: 0, unknown: 1 })
    expect(totalsOf(buckets.read(7, NOON + 500 * BUCKET_MS, 96))).toEqual({ ok: 0, bad: 0, unknown: 0 })
  })

  it('are what they were after a restart, and a row of a day ago is left out', () => {
    const before = new Buckets()
    before.add(7, 'ok', NOON)
    before.add(8, 'bad', NOON)
    const after = new Buckets()
    after.restore(NOON, before.rows(NOON))
    after.restore(NOON - 96 * BUCKET_MS, [[7, 5, 5, 5]])
    after.add(7, 'ok', NOON)
    expect(after.read(7, NOON, 1)).toEqual([{ at: NOON, ok: 2, bad: 0, unknown: 0 }])
    expect(after.rows(NOON)).toEqual([
      [7, 2, 0, 0],
      [8, 0, 1, 0],
    ])
  })

  it('say 100 for always alone, and nothing where nothing is known', () => {
    const of = (ok: number, bad: number, unknown: number) => uptimeOf([{ at: NOON, ok, bad, unknown }])
    expect(of(0, 0, 9)).toBeNull()
    expect(of(5, 0, 9)).toBe(100)
    expect(of(199_999, 1, 0)).toBe(99.99)
    expect(of(0, 3, 0)).toBe(0)
  })
})

describe('a look', () => {
  const answered = { at: NOON, answered: true, said: null }
  const silent = { at: NOON, answered: false, said: 'no connection' }
  it.each([
    [false, answered, 'bad'],
    [true, answered, 'ok'],
    [null, answered, 'ok'],
    [true, silent, 'unknown'],
    [null, silent, 'unknown'],
    [true, null, 'ok'],
    [null, null, 'unknown'],
  ] as const)('of a backend %s and a proxy %o is %s', (reachable, proxy, state) => {
    expect(lookOf(NOON, { reachable, failure: null }, proxy).state).toBe(state)
  })

  it('takes the newest answer of the proxy, and none from before', () => {
    expect(newestSince([silent, { ...answered, at: NOON + 1 }, null], NOON - 1)?.answered).toBe(true)
    expect(newestSince([silent], NOON)).toBeNull()
  })
})
