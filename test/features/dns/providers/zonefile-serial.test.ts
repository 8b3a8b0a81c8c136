/** Serials only grow (RFC 1982), whatever the clock does, and keep the style that they have. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { dateSerial, isAfter, nextSerial } from '../../../../src/features/dns/providers/zonefile/serial.ts'

const NOON = Date.UTC(2026, 10, 21, 12)
const MOST = 2 ** 32 - 1

describe('the next serial', () => {
  it.each([
    ['of yesterday is the first of today', 2026112007, 2026112101],
    ['of today is the next of today', 2026112101, 2026112102],
    ['of the hundredth change runs over into tomorrow', 2026112199, 2026112200],
    ['of a clock that stepped back adds one', 2027010105, 2027010106],
    ['of a counter adds one', 7, 8],
    ['of a time in seconds adds one', 1_795_000_000, 1_795_000_001],
    ['of what looks like a date and is none adds one', 2026023001, 2026023002],
    ['of the largest is one, never zero', MOST, 1],
    ['of zero is one', 0, 1],
  ])('%s', (_what, present, next) => {
    expect(nextSerial(present, NOON)).toBe(next)
  })

  it('always comes after the present one', () => {
    const instant = fc.integer({ min: Date.UTC(1990, 0), max: Date.UTC(2100, 0) })
    const style = fc.oneof(fc.integer({ min: 0, max: MOST }), instant.map(dateSerial))
    fc.assert(
      fc.property(style, instant, (present, now) => {
        const next = nextSerial(present, now)
        expect(isAfter(next, present)).toBe(true)
        expect(next).toBeGreaterThan(0)
        expect(next).toBeLessThanOrEqual(MOST)
      }),
    )
  })
})
