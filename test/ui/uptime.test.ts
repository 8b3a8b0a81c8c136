/** The bars of a day: what each quarter of an hour says of a domain, and what the percentage says where nothing is known. */
import { expect, it } from 'vitest'
import { barState, looksText, uptimeText } from '../../src/ui/model/looked-at/uptime.ts'

it.each([
  [{ ok: 3, bad: 0, unknown: 0 }, 'ok', '3 answered'],
  [{ ok: 2, bad: 1, unknown: 0 }, 'drift', '2 answered, 1 did not'],
  [{ ok: 0, bad: 3, unknown: 1 }, 'bad', '0 answered, 3 did not, 1 found nothing out'],
  [{ ok: 2, bad: 0, unknown: 1 }, 'unknown', '2 answered, 1 found nothing out'],
  [{ ok: 0, bad: 0, unknown: 0 }, 'off', 'Nobody looked'],
] as const)('a quarter of %j is %s', (bucket, state, text) => {
  expect(barState(bucket)).toBe(state)
  expect(looksText(bucket)).toBe(text)
})

it('a percentage is as the API rounds it, and where nothing is known there is none', () => {
  expect([100, 99.3, 0, null].map(uptimeText)).toEqual(['100 %', '99.3 %', '0 %', 'not known'])
})
