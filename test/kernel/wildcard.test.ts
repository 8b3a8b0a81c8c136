/** Patterns with stars: what they mean, and that no number of stars takes long. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { matchesWildcard } from '../../src/features/dns/wildcard.ts'
import { runs } from '../kit/tier.ts'

it.each<[pattern: string, text: string, matches: boolean]>([
  ['*.conf', 'local.conf', true],
  ['*.conf', '.conf', true],
  ['*.conf', 'local.conf.bak', false],
  ['a?c', 'abc', true],
  ['a?c', 'ac', false],
  ['', '', true],
  ['', 'a', false],
  ['**', '', true],
  ['a*b*c', 'a-b-b-c', true],
  ['a*b*c', 'a-b-b', false],
  ['[ab].(x)+', '[ab].(x)+', true],
  ['*a', 'ba\nca', true],
])('%j and %j: %s', (pattern, text, matches) => {
  expect(matchesWildcard(pattern, text)).toBe(matches)
})

it('says what a regular expression says', () => {
  const letters = (of: string) => fc.string({ unit: fc.constantFrom(...of.split('')), maxLength: 8 })
  fc.assert(
    fc.property(letters('ab*?'), letters('ab'), (pattern, text) => {
      const form = new RegExp(`^${pattern.replaceAll('*', '.*').replaceAll('?', '.')}$`)
      expect(matchesWildcard(pattern, text)).toBe(form.test(text))
    }),
    { numRuns: runs(300) },
  )
})

it('takes no more steps than the lengths multiplied, however many stars there are', () => {
  let steps = 0
  const text = new Proxy(Object('a'.repeat(250)) as object, {
    get: (of: object, key) => {
      if (typeof key === 'string' && /^\d+$/.test(key)) steps++
      return Reflect.get(of, key) as unknown
    },
  })
  expect(matchesWildcard(`${'*a'.repeat(100)}*b`, text as unknown as string)).toBe(false)
  expect(steps).toBeGreaterThan(0)
  expect(steps).toBeLessThanOrEqual(250 * 202)
})
