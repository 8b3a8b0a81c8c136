/** How long is waited after trouble: longer each time, as long as was asked for, and never because of a clock set back. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { CertificateFailure } from '../../../../src/features/certificates/records.ts'
import {
  type AttemptFailure,
  failureAfter,
  waitAfter,
  waitsUntil,
} from '../../../../src/features/certificates/issuing/backoff.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const NOW = Date.UTC(2026, 6, 22)

const SETBACK: AttemptFailure = {
  name: 'app.example.com',
  directory: 'https://ca.test/directory',
  code: 'provider_refused',
  message: 'It said no.',
  ladder: 'authority',
  retry_after_ms: null,
  rehearse: false,
}

describe('in a row', () => {
  test.each([
    ['authority', [1, 2, 4, 8, 16, 24, 24].map((hours) => hours * HOUR)],
    ['here', [1, 2, 4, 8, 16, 32, 60, 60].map((minutes) => minutes * MINUTE)],
  ] as const)('%s', (ladder, waits) => {
    for (const [index, wait] of waits.entries()) {
      const setback = { code: 'component_unavailable', ladder, retry_after_ms: null } as const
      expect(waitAfter(setback, index + 1, 0)).toBe(wait)
      expect(waitAfter(setback, index + 1, 0.999)).toBeLessThanOrEqual(wait * 1.1)
    }
  })
})

test.each([
  ['longer than the ladder: what was asked for', 'provider_refused', 5 * HOUR, 5 * HOUR],
  ['shorter, after a refusal: the ladder', 'provider_refused', MINUTE, HOUR],
  ['busy for an hour: an hour', 'provider_busy', HOUR, HOUR],
  ['busy for a minute and a half: that', 'provider_busy', 1.5 * MINUTE, 1.5 * MINUTE],
  ['busy without a word: the ladder', 'provider_busy', null, HOUR],
  ['a thousand days: a week', 'provider_busy', 1000 * DAY, 7 * DAY],
] as const)('Retry-After %s', (_what, code, retry_after_ms, wait) => {
  expect(waitAfter({ code, ladder: 'authority', retry_after_ms }, 1, 0)).toBe(wait)
})

test('failures are counted while they are of a kind: a refusal after many network failures is the first', () => {
  const at = { now: NOW, random: 0 }
  const broken: AttemptFailure = { ...SETBACK, code: 'component_unavailable', ladder: 'here' }
  let trouble: CertificateFailure | null = null
  for (let i = 0; i < 9; i++) trouble = failureAfter(trouble, broken, at)
  expect(trouble).toMatchObject({ failures: 9, next_try_at: NOW + HOUR })
  trouble = failureAfter(trouble, SETBACK, at)
  expect(trouble).toMatchObject({ failures: 1, next_try_at: NOW + HOUR })
  trouble = failureAfter(trouble, { ...SETBACK, code: 'provider_busy' }, at)
  expect(trouble).toMatchObject({ failures: 2, next_try_at: NOW + 2 * HOUR })
})

describe('the wait', () => {
  const trouble: CertificateFailure = {
    ...SETBACK,
    failures: 6,
    failed_at: NOW,
    next_try_at: NOW + 24 * HOUR,
  }
  const young = { not_before: NOW - DAY, not_after: NOW + 89 * DAY }
  const ending = { not_before: NOW - 89 * DAY, not_after: NOW + DAY }

  test.each([
    ['lasts until the time that was kept', trouble, young, NOW + 1, NOW + 24 * HOUR],
    ['is over then', trouble, young, NOW + 24 * HOUR, null],
    ['is an hour for a certificate that is about to end', trouble, ending, NOW + 1, NOW + HOUR],
    [
      'is as long as an authority wants, also then',
      { ...trouble, code: 'provider_busy' as const },
      ending,
      NOW + 1,
      NOW + 24 * HOUR,
    ],
    ['is as long for a name without a certificate', trouble, null, NOW + 1, NOW + 24 * HOUR],
    ['holds nobody up when the clock was set back', trouble, young, NOW - 40 * DAY, null],
    ['is there when the clock went back by a second', trouble, young, NOW - 1000, NOW + 24 * HOUR],
  ])('%s', (_what, row, standing, now, until) => {
    expect(waitsUntil(row, standing, now)).toBe(until)
  })

  test('ends within a week and a day of now, whatever the clock did', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: -400 * DAY, max: 400 * DAY }),
        fc.integer({ min: 1, max: 60 }),
        fc.option(fc.nat({ max: 1000 * DAY })),
        (step, failures, retry_after_ms) => {
          const before = { ...trouble, failures }
          const row = failureAfter(before, { ...SETBACK, retry_after_ms }, { now: NOW, random: 0.5 })
          const until = waitsUntil(row, null, NOW + step)
          if (until !== null) expect(until - (NOW + step)).toBeLessThanOrEqual(8 * DAY)
        },
      ),
    )
  })
})
