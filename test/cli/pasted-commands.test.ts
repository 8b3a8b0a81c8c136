/** A command that a sentence tells people to run is pasted into a shell: what it names is one word there, whatever it holds. */
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { expect, it } from 'vitest'

const SOURCES = join(import.meta.dirname, '../../src')

/** What is set in beside `shellWord`, and why no shell reads anything else into it. */
const HARMLESS: Readonly<Record<string, string>> = {
  component: 'one of our own list',
  deploying: 'words of ours',
  hash: 'digits',
  id: 'made by us',
  'key.id': 'made by us',
  'kept.id': 'made by us',
  mode: 'one of our own list',
  namesIn: 'made of shellWord',
  planWords: 'made of shellWord',
  'planned.id': 'made by us',
  recordIn: 'made of shellWord',
  rrsetWords: 'made of shellWord',
  RESTORE: 'words of ours',
  scope: 'one of our own list',
  take: 'one of two words',
  'token.id': 'made by us',
  which: 'one of our own list',
  word: 'digits',
  words: 'words of ours',
}

/** A command in a template, as far as its words go, with what is set in. */
const COMMAND =
  /plumbline [a-z-]+(?: [\w=-]*(?:\$\{(?:[^{}`]|\{[^{}]*\}|`[^`]*`)*\}|[\w-]+)?|\$\{(?:[^{}`]|\{[^{}]*\})*\})*/g
const SET_IN = /\$\{((?:[^{}`]|\{[^{}]*\}|`[^`]*`)*)\}/g

const bare = (text: string): string[] =>
  [...text.matchAll(COMMAND)].flatMap(([command]) =>
    [...command.matchAll(SET_IN)].flatMap(([, what = '']) => {
      const name = /^[\w.]+/.exec(what)?.[0] ?? what
      return name === 'shellWord' || name in HARMLESS ? [] : [command]
    }),
  )

it('a name in a command that is told is quoted for the shell', () => {
  expect(bare('`say "plumbline rm ${domain}" now`')).toEqual(['plumbline rm ${domain}'])
  expect(bare('`plumbline dns remove ${type} ${name}.`')).toHaveLength(2)
  expect(bare('`plumbline rm ${shellWord(domain)}`')).toEqual([])
  const found = readdirSync(SOURCES, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .flatMap((path) =>
      bare(readFileSync(path, 'utf8')).map((command) => `${relative(SOURCES, path)}: ${command}`),
    )
  expect(found).toEqual([])
})
