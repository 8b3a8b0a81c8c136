/** Names in a sentence, as a table: up to the bound all of them, beyond it a count stands for the rest. */
import { expect, it } from 'vitest'
import { firstNames } from '../../../src/kernel/text/first-names.ts'

it.each<[readonly string[], string]>([
  [[], ''],
  [['a'], 'a'],
  [['a', 'b'], 'a, b'],
  [['a', 'b', 'c'], 'a, b and 1 more'],
  [['a', 'b', 'c', 'd'], 'a, b and 2 more'],
])('of %j, two at most, is %j', (names, words) => {
  expect(firstNames(names, 2)).toBe(words)
})
