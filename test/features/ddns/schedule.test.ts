/** The quarterly rotation over twenty years, and what is due at any moment. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isRotationDue, latestRotation, nextRotation } from '../../../src/kernel/quarterly.ts'

const at = (text: string): number => Date.parse(text)
const DAY = 24 * 3_600_000

test.each([
  ['2026-01-01T00:00:00Z', '2026-03-29T02:00:00.000Z'],
  ['2026-03-29T01:59:59.999Z', '2026-03-29T02:00:00.000Z'],
  ['2026-03-29T02:00:00Z', '2026-06-28T02:00:00.000Z'],
  ['2026-11-21T00:00:00Z', '2026-12-27T02:00:00.000Z'],
  ['2026-12-27T02:00:00Z', '2027-03-28T02:00:00.000Z'],
  // The last day of the month is itself a Sunday.
  ['2028-12-01T00:00:00Z', '2028-12-31T02:00:00.000Z'],
  ['2028-12-31T23:59:59Z', '2029-03-25T02:00:00.000Z'],
  // A leap year.
  ['2028-02-29T12:00:00Z', '2028-03-26T02:00:00.000Z'],
])('the next rotation after %s is %s', (from, expected) => {
  expect(new Date(nextRotation(at(from))).toISOString()).toBe(expected)
})

describe('over twenty years', () => {
  const all: number[] = []
  for (
    let next = nextRotation(at('2026-01-01T00:00:00Z'));
    next < at('2046-01-01T00:00:00Z');
    next = nextRotation(next)
  )
    all.push(next)

  test('there are four each year, in March, June, September and December', () => {
    expect(all).toHaveLength(80)
    const months = all.map((one) => new Date(one).getUTCMonth() + 1)
    expect(months).toEqual(Array.from({ length: 20 }, () => [3, 6, 9, 12]).flat())
  })

  test('each is a Sunday at 02:00 UTC, and no Sunday of its month comes after it', () => {
    for (const one of all) {
      const date = new Date(one)
      expect([date.getUTCDay(), date.toISOString().slice(11)]).toEqual([0, '02:00:00.000Z'])
      expect(new Date(one + 7 * DAY).getUTCMonth()).not.toBe(date.getUTCMonth())
    }
  })
})

const moment = fc.integer({ min: at('2020-01-01T00:00:00Z'), max: at('2050-01-01T00:00:00Z') })

test('at any moment the latest rotation is not after it, the next one is, and none lies between', () => {
  fc.assert(
    fc.property(moment, (t) => {
      const latest = latestRotation(t)
      expect(latest).toBeLessThanOrEqual(t)
      expect(nextRotation(t)).toBeGreaterThan(t)
      expect(nextRotation(latest)).toBe(nextRotation(t))
    }),
  )
})

test.each([
  // Issued shortly before the rotation of March: it is due when June comes, and not before.
  ['2026-03-01T00:00:00Z', '2026-03-29T02:00:00Z', false],
  ['2026-03-01T00:00:00Z', '2026-06-28T01:59:59Z', false],
  ['2026-03-01T00:00:00Z', '2026-06-28T02:00:00Z', true],
  ['2026-02-27T01:59:59Z', '2026-03-29T02:00:00Z', true],
  // Rotated within days of each rotation, it is rotated quarterly.
  ['2026-03-29T02:00:00Z', '2026-06-28T02:00:00Z', true],
  ['2026-04-10T00:00:00Z', '2026-06-28T02:00:00Z', true],
  ['2026-06-27T00:00:00Z', '2026-06-28T02:00:00Z', false],
  ['2026-06-27T00:00:00Z', '2026-09-27T02:00:00Z', true],
  ['2020-01-01T00:00:00Z', '2026-01-01T00:00:00Z', true],
])('a credential of %s at %s: due is %s', (created, now, due) => {
  expect(isRotationDue(at(created), at(now))).toBe(due)
})
