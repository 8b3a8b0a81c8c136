/** The line of each key is found in time that grows with the text, whatever somebody else wrote into it. */
import { expect, it } from 'vitest'
import { tomlLines } from '../../../src/io/toml/read.ts'

const at = (text: string, ...path: readonly string[]) => tomlLines(text).get(path.join('\0'))

it('keys are found bare, quoted, dotted with blanks, below tables and inside of inline tables', () => {
  const text = [
    'plain = 1',
    '  "quo ted" . inner\t.\'single\' = 2',
    '[ a . "b c" ]',
    'key={ one = 1, "two" = 2 }',
    '[[list]]',
    'key = 1',
  ].join('\n')
  expect(at(text, 'plain')).toBe(1)
  expect(at(text, 'quo ted', 'inner', 'single')).toBe(2)
  expect(at(text, 'a', 'b c')).toBe(3)
  expect(at(text, 'a', 'b c', 'key', 'two')).toBe(4)
  expect(at(text, 'list')).toBe(5)
  expect(at(text, 'list', 'key')).toBe(6)
})

it.each([
  ['blanks', `${' '.repeat(499)}!`],
  ['words without an equals sign', `${'a . '.repeat(124)}!`],
  ['quotes', `${'"" . '.repeat(99)}!`],
])('a thousand lines of %s are no work worth mentioning', (_what, line) => {
  // In time of the processor: on a busy machine it may wait for its turn.
  const began = process.cpuUsage()
  tomlLines(Array.from({ length: 1000 }, () => line).join('\n'))
  expect(process.cpuUsage(began).user / 1000).toBeLessThan(2_000)
})
