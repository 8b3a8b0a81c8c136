/** `Retry-After` in all of its forms, and what is none. */
import { expect, it } from 'vitest'
import { retryAfter } from '../../../src/io/http-client/create-client.ts'

const NOW = Date.UTC(2026, 6, 22, 10, 15)
const DAY = 24 * 60 * 60 * 1000

it.each([
  ['0', 0],
  [' 120 ', 120_000],
  ['99999999999999', DAY],
  ['Wed, 22 Jul 2026 10:16:00 GMT', 60_000],
  ['Wednesday, 22-Jul-26 10:16:00 GMT', 60_000],
  ['Wed Jul 22 10:16:00 2026', 60_000],
  ['Wed, 22 Jul 2026 10:14:00 GMT', 0],
  ['Wed, 22 Jul 2099 10:14:00 GMT', DAY],
  [undefined, null],
  ['', null],
  ['-5', null],
  ['1.5', null],
  ['soon', null],
  ['Wed, 99 Jul 2026', null],
  ['2026-07-22T10:16:00Z', null],
])('%s means %s ms', (value, wanted) => {
  expect(retryAfter(value, NOW)).toBe(wanted)
})
