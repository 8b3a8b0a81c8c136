/** What doctor makes of the invariants of the database, as a table. */
import { expect, it } from 'vitest'
import { evaluateInvariants, lookWithin } from '../../src/doctor/database.ts'
import type { Invariant } from '../../src/ports/invariants.ts'
import { told } from './told.ts'

const invariant = (name: string, holds: boolean | null, detail: string | null = null): Invariant => ({
  name,
  promise: `${name} holds.`,
  holds,
  detail,
  checked_at: 0,
})

it.each<[string, readonly Invariant[], readonly string[]]>([
  ['all hold', [invariant('a', true), invariant('b', true)], ['good database: all 2 invariants hold']],
  [
    'one is broken',
    [invariant('a', true), invariant('b', false, 'row 3 is torn')],
    ['bad database: b: row 3 is torn → The promise is: b holds.'],
  ],
  [
    'one is not known, which is not the same as sound',
    [invariant('a', true), invariant('b', null, 'is locked')],
    ['warning database: b: is locked → Make the database readable.'],
  ],
  [
    'nobody says why',
    [invariant('a', false), invariant('b', null)],
    [
      'bad database: a: is broken → The promise is: a holds.',
      'warning database: b: is not known → Make the database readable.',
    ],
  ],
])('%s', (_, all, lines) => {
  expect(evaluateInvariants(all).map(told)).toEqual(lines)
})

it('a look that does not end in time is not known, and not the end of the examination', async () => {
  const endless = (signal: AbortSignal) =>
    new Promise<never>((_, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason as Error))
    })
  expect((await lookWithin(endless, 20)).map(told)).toEqual([
    'warning database: was not looked through within 0.02 s → Look again when the disk has less to do.',
  ])
})

it('a look that goes wrong in another way is a surprise', async () => {
  const wrong = () => Promise.reject(new TypeError('a bug'))
  await expect(lookWithin(wrong, 60_000)).rejects.toThrow('a bug')
})
