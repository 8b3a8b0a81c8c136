/** What a deployment answers to the shell: done is what the proxy runs, as far as anybody knows. */
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { EXIT, exitCodeAfter } from '../../src/cli/exit-codes.ts'
import { EXIT_RULE, EXIT_WORDS } from '../../src/cli/exit-help.ts'
import { runCommand } from '../../src/cli/run.ts'
import type { Surroundings } from '../../src/cli/verb.ts'

it.each([
  [{ success: true, loaded: true }, 0],
  // No API of the proxy is set: the warning says so, and nothing is known to be wrong.
  [{ success: true, loaded: null }, 0],
  [{ success: true, loaded: false }, 1],
  [{ success: false, loaded: true }, 1],
  [{ message: 'an answer about something else' }, 0],
])('%j ends with %d', (answer, code) => {
  expect(exitCodeAfter(answer)).toBe(code)
})

const page = readFileSync(new URL('../../src/cli/README.md', import.meta.url), 'utf8')
const plain = (text: string) => text.replaceAll(/\s+/g, ' ')

it.each(['exit', 'exit-codes', 'exitcodes', 'exit-status'])(
  'help %s prints the rule of the page',
  async (topic) => {
    const lines: string[] = []
    const out = (line: string) => void lines.push(...line.split('\n'))
    expect(await runCommand(['help', topic], [], {} as Surroundings, { out, note: out })).toBe(EXIT.ok)
    expect(plain(page)).toContain(EXIT_RULE)
    expect(plain(lines.join(' '))).toContain(EXIT_RULE.replaceAll('`', '"'))
    for (const code of new Set(Object.values(EXIT)))
      expect(lines.join('\n')).toMatch(new RegExp(`^ +${code} +\\S`, 'm'))
    expect(Object.keys(EXIT_WORDS).length).toBe(new Set(Object.values(EXIT)).size)
    expect(lines.filter((line) => line.length > 80)).toEqual([])
  },
)
