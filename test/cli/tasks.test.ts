/** `plumbline help tasks`: every command of it is one that the command takes, and people's words lead there. */
import { expect, it } from 'vitest'
import { EXIT } from '../../src/cli/exit-codes.ts'
import { runCommand } from '../../src/cli/run.ts'
import type { Surroundings } from '../../src/cli/verb.ts'
import { readWords } from '../../src/cli/words/read-options.ts'
import { TASKS, tasksAbout } from '../../src/cli/words/tasks.ts'
import { VERBS } from '../../src/verbs.ts'

/** As a shell has them; of quotes only the double ones stand there. */
const shellWords = (line: string): readonly string[] =>
  (line.match(/"[^"]*"|[^\s"]+/g) ?? []).map((word) => word.replaceAll('"', ''))

async function printed(...words: string[]): Promise<{ readonly code: number; readonly text: string }> {
  const lines: string[] = []
  const out = (line: string) => void lines.push(line)
  const code = await runCommand(words, VERBS, {} as Surroundings, { out, note: out })
  return { code, text: lines.join('\n') }
}

it('names commands that there are, with words and options that they take', async () => {
  for (const [line] of TASKS.flatMap(({ steps }) => steps)) {
    const [name, ...rest] = shellWords(line)
    const verb = await VERBS.find((one) => one.name === name)?.load()
    expect(verb, line).toBeDefined()
    expect(readWords(verb!, rest), line).not.toBeNull()
  }
})

it.each([
  ['two-factor', 'Put a domain behind sign-in, with two factors'],
  ['undo', 'Undo a change'],
  ['who', 'Find who changed something'],
  ['public', 'Find what is open to everybody'],
  ['dry-run', 'Only save a change, and see what it would do'],
  ['ci', 'Make CI fail on drift'],
  ['prune', 'Keep the domains in a file in git'],
  ['certificate', 'Find why a domain does not work, or has no certificate'],
  ['hand', 'Put back what somebody edited by hand'],
  ['suspend', 'Suspend for a while, and resume'],
  ['ssl', 'Find why a domain does not work, or has no certificate'],
  ['firewall', 'Find what is open to everybody'],
  ['undelete', 'Undo a change'],
  ['settings', 'See the settings of the daemon, and change one'],
  ['fields', 'Change the fields of a domain'],
  ['grant', 'Give a person access, or end it'],
])('help %s tells how to: %s', async (word, what) => {
  const { code, text } = await printed('help', word)
  expect(code).toBe(EXIT.ok)
  expect(text).toContain(what)
})

it('of several words those tasks are meant that most of them are about', async () => {
  const { text } = await printed('help', 'who', 'changed')
  expect(text).toContain('Find who changed something')
  expect(text).not.toContain('Find what is open to everybody')
})

it('prints all of them, and no word that stands in every sentence finds one', async () => {
  const { text } = await printed('help', 'tasks')
  for (const { what } of TASKS) expect(text).toContain(what)
  expect(text.split('\n').filter((line) => line.length > 80)).toEqual([])
  for (const word of ['a', 'the', 'is', 'frobnicate']) expect(tasksAbout(word), word).toEqual([])
  expect((await printed('help', 'frobnicate')).text).toContain('"plumbline help tasks"')
  expect((await printed('help')).text.replaceAll(/\s+/g, ' ')).toContain('"plumbline help tasks" says')
})
