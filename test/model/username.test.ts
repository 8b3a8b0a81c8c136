/** User names: what is made of suggestions, what is refused, and that nobody gets another's. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { parseDocument } from 'yaml'
import { parseUsername, uniqueUsername, usernameFrom } from '../../src/features/people/username.ts'
import { runs } from '../kit/tier.ts'

it.each([
  ['José Müller', 'jose.muller'],
  ['  Ann-Marie  O’Neill ', 'ann-marie.o.neill'],
  ['Straße', 'strasse'],
  ['Øystein Æsir', 'oystein.aesir'],
  ['42bob', 'bob'],
  ['BOB', 'bob'],
  ['a@b.c', 'a.b.c'],
  ['x\r\nadmin: true', 'x.admin.true'],
  [`${'a'.repeat(200)}`, 'a'.repeat(32)],
  ['ＢＯＢ', 'bob'],
])('%j becomes %s', (suggestion, name) => {
  expect(usernameFrom(suggestion)).toEqual({ ok: true, value: name })
})

it.each([
  '',
  ' ',
  '123',
  '漢字',
  '🙂',
  'root',
  'Admin',
  'no',
  'NULL',
  'true',
  '__proto__',
  'constructor',
  'x'.repeat(257),
])('%j makes no name', (suggestion) => {
  expect(usernameFrom(suggestion).ok).toBe(false)
})

it('a lone e is numbered so that nobody reads an exponent', () => {
  expect(uniqueUsername('e', new Set(['e', 'e_2']))).toBe('e_3')
})

it('whatever is suggested, a name is a plain word to every reader of YAML, and nobody’s yet', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'binary', maxLength: 300 }),
      fc.array(fc.string()),
      (suggestion, others) => {
        const parsed = usernameFrom(suggestion)
        if (!parsed.ok) return
        const taken = new Set([...others, parsed.value, `${parsed.value}2`])
        const name = uniqueUsername(parsed.value, taken)
        expect(taken.has(name)).toBe(false)
        for (const one of [parsed.value, name]) {
          expect(one).toMatch(/^[a-z][a-z0-9._-]{0,31}$/)
          expect(parseDocument(one, { version: '1.1' }).toJS()).toBe(one)
        }
        expect(parseUsername(parsed.value)).toEqual(parsed)
      },
    ),
    { numRuns: runs(2000) },
  )
})
