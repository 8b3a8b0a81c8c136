/** Wrong usage is told in one way by every verb: its own name, its usage line, exit code 64, and nobody is asked for anything. */
import { describe, expect, it } from 'vitest'
import { EXIT } from '../../src/cli/exit-codes.ts'
import { runCommand } from '../../src/cli/run.ts'
import type { Surroundings, Verb } from '../../src/cli/verb.ts'
import { wordsOf } from '../../src/cli/words/form.ts'
import { VERBS } from '../../src/verbs.ts'

/** Whoever is asked for anything was not refused. */
const nobody = new Proxy({} as Surroundings, {
  get(_target, name) {
    throw new Error(`asked for ${String(name)}`)
  },
})

async function refused(...words: string[]): Promise<readonly string[]> {
  const told: string[] = []
  const note = (line: string) => void told.push(line)
  const out = (line: string) => expect(line).toBe('nothing')
  expect(await runCommand(words, VERBS, nobody, { out, note })).toBe(EXIT.usage)
  return told
}

const verbs = await Promise.all(VERBS.map((verb) => verb.load()))
const wantsWords = verbs.filter(({ forms }) =>
  forms.every((form) => wordsOf(form).some(({ may_lack }) => !may_lack)),
)
/** Those that do nothing alone show what there is, as other tools do. */
const isGroup = ({ forms }: Verb) => forms.every((form) => wordsOf(form)[0]?.is_value === false)

it('a verb is called as the list calls it', () => {
  expect(verbs.map(({ name }) => name)).toEqual(VERBS.map(({ name }) => name))
})

it('no help is wider than 80 columns in a pipe, but for a command line that is to be copied', async () => {
  const wide: string[] = []
  for (const words of [['--help'], ...verbs.map(({ name }) => [name, '--help'])]) {
    const lines: string[] = []
    const out = (line: string) => void lines.push(...line.split('\n'))
    expect(await runCommand(words, VERBS, nobody, { out, note: out })).toBe(EXIT.ok)
    wide.push(...lines.filter((line) => line.length > 80 && !/^ *plumbline /.test(line)))
  }
  expect(wide).toEqual([])
})

it.each([80, 40])(
  'on a terminal of %d columns help keeps to it: a command line is broken as a shell takes it',
  async (width) => {
    const wide: string[] = []
    for (const { name } of verbs) {
      const lines: string[] = []
      const out = (line: string) => void lines.push(...line.split('\n'))
      expect(await runCommand([name, '--help'], VERBS, nobody, { out, note: out, width })).toBe(EXIT.ok)
      // One word, a path say, is never broken.
      wide.push(...lines.filter((line) => line.length > width && /\S \S/.test(line.replace(/ \\$/, ''))))
    }
    expect(wide).toEqual([])
  },
)

describe.each(verbs)('$name', ({ name }) => {
  const usage = new RegExp(`^plumbline ${name}( |$)`)

  it('tells of an option that it does not have', async () => {
    const [fault, line] = await refused(name, '--no-such-option')
    expect(fault).toMatch(new RegExp(`^plumbline ${name}: .*no-such-option`))
    expect(line).toMatch(usage)
  })

  it('tells of words that it can do nothing with', async () => {
    const [fault, line] = await refused(name, 'no-such-deed', 'x', 'y', 'z', 'and', 'more')
    expect(fault).toMatch(new RegExp(`^plumbline ${name}: `))
    expect(line).toMatch(usage)
  })
})

it.each(wantsWords.filter((verb) => !isGroup(verb)))(
  '$name tells what it wants where nothing is said',
  async ({ name }) => {
    expect((await refused(name))[0]).toMatch(new RegExp(`^plumbline ${name}: `))
  },
)

it.each([
  ['audit', '--limit', 'abc'],
  ['audit', '--limit', '-1'],
  ['audit', '--since', 'yesterday'],
  ['keys', 'issue'],
  ['edges', 'add'],
  ['releases', 'restore'],
  ['users', 'invite'],
  ['dns', 'adopt', 'A'],
  ['deploy'],
  ['deploy', 'app.example.com', '--all'],
  ['token', 'issue'],
  ['access', '--user'],
])('refuses %s %s %s', async (...words) => {
  const [fault, line] = await refused(...words)
  expect(fault).toMatch(new RegExp(`^plumbline ${words[0]}: `))
  expect(line).toMatch(new RegExp(`^plumbline ${words[0]}`))
})
