/** The ledger stops before an authority's limits do, for as long as needed and no longer. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { LIMITS, nextWithin, setSubject } from '../../../../src/features/certificates/issuing/ledger.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const NOW = Date.UTC(2026, 6, 22)
const { issued, failed_authorization } = LIMITS

const at = (...times: number[]) => times.map((time) => ({ at: time }))

test.each([
  ['none', issued, at(), null],
  ['three certificates in a week', issued, at(NOW - 3, NOW - 2, NOW - 1), null],
  ['four', issued, at(NOW - 4, NOW - 3, NOW - 2, NOW - 1), NOW - 4 + 7 * DAY],
  ['four, the first a week ago', issued, at(NOW - 7 * DAY, NOW - 3, NOW - 2, NOW - 1), null],
  ['six', issued, at(NOW - 6, NOW - 5, NOW - 4, NOW - 3, NOW - 2, NOW - 1), NOW - 4 + 7 * DAY],
  [
    'four failed within an hour',
    failed_authorization,
    at(NOW - 4, NOW - 3, NOW - 2, NOW - 1),
    NOW - 4 + HOUR,
  ],
  [
    'four from when the clock was 40 days ahead',
    issued,
    at(...[1, 2, 3, 4].map((i) => NOW + 40 * DAY + i)),
    null,
  ],
  ['four, and the clock went back an hour', issued, at(NOW + HOUR, NOW + HOUR, NOW + 1, NOW), NOW + 7 * DAY],
])('%s', (_what, limit, entries, until) => {
  expect(nextWithin(limit, entries, NOW)).toBe(until)
})

test('who heeds it never has more within any span, whenever they come', () => {
  fc.assert(
    fc.property(fc.array(fc.nat({ max: 3 * DAY }), { maxLength: 60 }), (gaps) => {
      const entries: { at: number }[] = []
      let now = NOW
      for (const gap of gaps) {
        now += gap
        if (nextWithin(issued, entries, now) === null) entries.push({ at: now })
      }
      for (const { at: from } of entries)
        expect(
          entries.filter(({ at: time }) => time >= from && time < from + issued.within_ms).length,
        ).toBeLessThanOrEqual(4)
    }),
  )
})

test('the time it names is the first at which there is room, and never beyond the span and a day', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: -10 * DAY, max: 60 * DAY }), { maxLength: 30 }), (offsets) => {
      const entries = offsets.map((offset) => ({ at: NOW + offset }))
      const until = nextWithin(issued, entries, NOW)
      if (until === null) return
      expect(until).toBeGreaterThan(NOW)
      expect(until).toBeLessThanOrEqual(NOW + issued.within_ms + DAY)
      // Those that were not believed now are believed when their time has come: they are no part of this promise.
      const believed = entries.filter((entry) => entry.at <= NOW + DAY)
      expect(nextWithin(issued, believed, until)).toBeNull()
      expect(nextWithin(issued, believed, until - 1)).not.toBeNull()
    }),
  )
})

test('the same names in another order are the same set', () => {
  expect(setSubject(['b', '*.a'])).toBe(setSubject(['*.a', 'b']))
})
