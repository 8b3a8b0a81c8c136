/** When a certificate is renewed: by its own dates, by the authority's hint, and whatever the clock does. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { RenewalHint } from '../../../../src/features/certificates/records.ts'
import {
  hintFrom,
  isAhead,
  isAtItsEnd,
  isToBeAsked,
  type Renewable,
  renewalDue,
} from '../../../../src/features/certificates/issuing/renewal.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const BORN = Date.UTC(2026, 6, 1)
const ID = 'aki.serial'

const lasting = (life_ms: number, renewal: Partial<RenewalHint> | null = null): Renewable => ({
  not_before: BORN,
  not_after: BORN + life_ms,
  obtained_at: BORN,
  ari_id: ID,
  renewal:
    renewal === null ? null : { ari_id: ID, start: BORN, end: BORN, moment: BORN, ask_at: BORN, ...renewal },
})

describe('without a hint, at two thirds of the actual lifetime', () => {
  test.each([
    // lifetime, renewed when so much is left
    [90 * DAY, 30 * DAY],
    [64 * DAY, 64 * 8 * HOUR],
    [45 * DAY, 15 * DAY],
    [6 * DAY, 2 * DAY],
    [6 * HOUR, 2 * HOUR],
  ])('%i ms', (life_ms, left_ms) => {
    const certificate = lasting(life_ms)
    const at = certificate.not_after - left_ms
    expect(renewalDue(certificate, at - 1)).toEqual({ at, now: false, by: 'lifetime' })
    expect(renewalDue(certificate, at)).toEqual({ at, now: true, by: 'lifetime' })
  })
})

describe('a hint', () => {
  test.each([
    ['earlier than two thirds is followed', 10 * DAY, 10 * DAY, 'hint'],
    ['later than two thirds is followed', 80 * DAY, 80 * DAY, 'hint'],
    ['later than 19/20 is not waited for', 89 * DAY, 85.5 * DAY, 'floor'],
    ['of the past waits until the certificate is an hour old', -5 * DAY, HOUR, 'hint'],
  ])('%s', (_what, moment, at, by) => {
    const due = renewalDue(lasting(90 * DAY, { moment: BORN + moment }), BORN)
    expect(due).toEqual({ at: BORN + at, now: false, by })
  })

  test('for the certificate before says nothing of this one', () => {
    const certificate = lasting(90 * DAY, { ari_id: 'aki.other', moment: BORN })
    expect(renewalDue(certificate, BORN + HOUR)).toMatchObject({ now: false, by: 'lifetime' })
    expect(isToBeAsked(certificate, BORN + HOUR)).toBe(true)
  })
})

const lives = fc.integer({ min: HOUR, max: 400 * DAY })
const hints = fc.option(
  fc.record({
    moment: fc.integer({ min: BORN - 400 * DAY, max: BORN + 800 * DAY }),
    ari_id: fc.constantFrom(ID, 'aki.other'),
  }),
)

test('never later than 19/20 of the lifetime, whatever the hint; once due, due for ever', () => {
  fc.assert(
    fc.property(lives, hints, fc.nat({ max: 1000 * DAY }), (life_ms, hint, later) => {
      const certificate = lasting(life_ms, hint)
      const { at } = renewalDue(certificate, BORN)
      expect(at).toBeLessThanOrEqual(BORN + Math.floor((life_ms * 19) / 20))
      expect(renewalDue(certificate, at + later).now).toBe(true)
      expect(renewalDue(certificate, at - 1).now).toBe(false)
    }),
  )
})

test('a host that slept, or a clock that was set, changes nothing but now: the due time is the same', () => {
  fc.assert(
    fc.property(
      lives,
      hints,
      fc.array(fc.integer({ min: -400 * DAY, max: 400 * DAY })),
      (life, hint, steps) => {
        const certificate = lasting(life, hint)
        const { at } = renewalDue(certificate, BORN)
        for (const step of steps)
          expect(renewalDue(certificate, BORN + step)).toMatchObject({ at, now: BORN + step >= at })
      },
    ),
  )
})

test('a certificate is at its end in its last fiftieth and after it', () => {
  const certificate = lasting(50 * DAY)
  expect(isAtItsEnd(certificate, BORN + 49 * DAY - 1)).toBe(false)
  expect(isAtItsEnd(certificate, BORN + 49 * DAY)).toBe(true)
  expect(isAtItsEnd(certificate, BORN + 100 * DAY)).toBe(true)
})

describe('the authority is asked', () => {
  const window = { start: BORN + DAY, end: BORN + 3 * DAY, explanation_url: null }
  const context = { ari_id: ID, kept: null, now: BORN, random: 0.25 }

  test.each([
    ['when it says so', 2 * HOUR, 2 * HOUR],
    ['at least every six hours', 48 * HOUR, 6 * HOUR],
    ['every six hours where it does not say', null, 6 * HOUR],
    ['not more often than every minute', 0, MINUTE],
  ])('%s', (_what, retry_after_ms, wait) => {
    const hint = hintFrom({ ...window, retry_after_ms }, context)
    expect(hint).toEqual({
      ari_id: ID,
      start: window.start,
      end: window.end,
      moment: BORN + 1.5 * DAY,
      ask_at: BORN + wait,
    })
  })

  test('again and again, and the moment stays while the window does', () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: 0, max: 0.999, noNaN: true }), { minLength: 2 }), (draws) => {
        let kept: RenewalHint | null = null
        const moments = draws.map((random, i) => {
          kept = hintFrom({ ...window, retry_after_ms: null }, { ari_id: ID, kept, now: BORN + i, random })
          return kept!.moment
        })
        expect(new Set(moments).size).toBe(1)
        expect(moments[0]).toBeGreaterThanOrEqual(window.start)
        expect(moments[0]).toBeLessThan(window.end)
      }),
    )
  })

  test('and a window that moved, or one for another certificate, gives another moment', () => {
    const kept = hintFrom({ ...window, retry_after_ms: null }, context)!
    const other = { ...context, kept, random: 0.75 }
    const moved = hintFrom({ ...window, end: window.end + DAY, retry_after_ms: null }, other)
    expect(moved?.moment).toBe(BORN + DAY + 0.75 * 3 * DAY)
    const renewed = hintFrom({ ...window, retry_after_ms: null }, { ...other, ari_id: 'aki.new' })
    expect(renewed).toMatchObject({ ari_id: 'aki.new', moment: BORN + 2.5 * DAY })
  })

  test('and a window that ends before it begins says nothing', () => {
    const turned = { start: window.end, end: window.start, explanation_url: null, retry_after_ms: null }
    expect(hintFrom(turned, context)).toBeNull()
    expect(hintFrom({ ...turned, start: NaN }, context)).toBeNull()
  })

  test('not before the time that was kept; a time that lies farther ahead than any is from a clock set back', () => {
    expect(isAhead(BORN + HOUR, BORN)).toBe(true)
    expect(isAhead(BORN, BORN)).toBe(false)
    expect(isAhead(BORN + 40 * DAY, BORN)).toBe(false)
    expect(isToBeAsked(lasting(90 * DAY, { ask_at: BORN + HOUR }), BORN)).toBe(false)
    expect(isToBeAsked(lasting(90 * DAY, { ask_at: BORN + HOUR }), BORN + HOUR)).toBe(true)
    expect(isToBeAsked({ ...lasting(90 * DAY), ari_id: null }, BORN)).toBe(false)
  })
})
