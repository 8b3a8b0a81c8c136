/** When something that failed is tried again. */
import { expect, it } from 'vitest'
import { nextTry } from '../../../src/kernel/async/backoff.ts'

const policy = { first_ms: 1000, max_ms: 60_000 }
const now = 1_000_000
const at = (present: Parameters<typeof nextTry>[0], retry_after_ms = 0) =>
  nextTry(present, { policy, now, random: 1, retry_after_ms })

it.each([
  ['nothing before', null, 0, { failures: 1, at: now + 1000 }],
  ['a wait that is over', { failures: 2, next_attempt_at: now }, 0, { failures: 3, at: now + 4000 }],
  ['within a wait', { failures: 2, next_attempt_at: now + 1 }, 0, { failures: 2, at: now + 1 }],
  [
    'within one, and the other side asks for more',
    { failures: 2, next_attempt_at: now + 1 },
    90_000,
    { failures: 2, at: now + 90_000 },
  ],
  [
    'within one that no policy gives',
    { failures: 2, next_attempt_at: now + 900_000 },
    0,
    { failures: 2, at: now + 60_000 },
  ],
] as const)('after a failure: %s', (_, present, retry_after_ms, expected) => {
  expect(at(present, retry_after_ms)).toEqual(expected)
})
