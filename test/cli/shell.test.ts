/** Completion and the manual page are made of the verbs, and the programs that read them take them. */
import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { EXIT } from '../../src/cli/exit-codes.ts'
import { runCommand } from '../../src/cli/run.ts'
import type { Surroundings } from '../../src/cli/verb.ts'
import { allVerbs, VERBS } from '../../src/verbs.ts'
import { sample } from '../kit/tier.ts'
import { newFolder } from '../kit/new-folder.ts'

async function printed(...words: string[]): Promise<string> {
  const lines: string[] = []
  const surroundings = { version: '1.2.3', verbs: allVerbs } as unknown as Surroundings
  const write = {
    out: (line: string) => void lines.push(line),
    note: (line: string) => void lines.push(line),
  }
  expect(await runCommand(words, VERBS, surroundings, write)).toBe(EXIT.ok)
  return `${lines.join('\n')}\n`
}

describe('help', () => {
  it('lists every verb once, in groups', async () => {
    const text = await printed('help')
    for (const { name } of VERBS) expect(text.match(new RegExp(`^  ${name} `, 'gm')), name).toHaveLength(1)
  })

  it('is listed without loading a verb, by the sentence that each verb has', async () => {
    const lines: string[] = []
    const unloaded = VERBS.map((verb) => ({ ...verb, load: () => Promise.reject(new Error(verb.name)) }))
    const write = { out: (line: string) => lines.push(line), note: () => undefined }
    expect(await runCommand(['--help'], unloaded, {} as Surroundings, write)).toBe(EXIT.ok)
    expect(lines.length).toBeGreaterThan(VERBS.length)
    const loaded = (await allVerbs()).flatMap(({ title, verbs }) =>
      verbs.map(({ name, help }) => ({ name, title, help })),
    )
    expect(VERBS.map(({ name, title, help }) => ({ name, title, help }))).toEqual(loaded)
  })

  it.each(VERBS.map(({ name }) => name))('of %s has an example', async (name) => {
    expect(await printed(name, '--help')).toMatch(new RegExp(`\\nExamples\\n {2}plumbline .*?${name}\\b`))
  })
})

const PROGRAMS_OF = { bash: ['bash'], fish: ['fish'], zsh: ['zsh', 'script'] } as const
type Shell = keyof typeof PROGRAMS_OF

/** zsh completes only where lines are edited: whatever it would add to a line stands in a file afterwards. */
const ZSHRC = `autoload -Uz compinit && compinit -u -D
source ./completion
compadd() {
  if (( \${@[(I)-[a-zA-Z]#[OAD]*]} )); then builtin compadd "$@"; return; fi
  local -a hits
  builtin compadd -A hits "$@"
  print -rl -- $hits >> ./matches
  builtin compadd "$@"
}
zle -C complete complete-word _main_complete
zle -C capture list-choices _main_complete
zle-line-init() { BUFFER=$LINE; CURSOR=$#BUFFER; zle complete; print -r -- $BUFFER > ./line; BUFFER=$LINE; CURSOR=$#BUFFER; : > ./matches; zle capture; BUFFER=exit; zle .accept-line }
zle -N zle-line-init
`

/** Of those that are completed, one in so many in the gate: each starts a shell, and one that draws its screen is slow. */
const NTH: Record<Shell, number> = { bash: 1, fish: 4, zsh: 17 }

/** Whoever holds the data directory says what names there are, and it may be anybody: two are names, the rest would run or be read. */
const NAMES = [
  '#!/bin/sh',
  "cat << 'END'",
  'app.example.com',
  '*.apps.example.com',
  '$(touch ran).example.com',
  '$(touch$' + '{IFS}ran)',
  'a`touch$' + '{IFS}ran`.example.com',
  'a;touch ran',
  '(touch ran)',
  '<(touch ran)',
  '$' + '{x:-$(touch ran)}',
  '{app,b}.example.com',
  '~root',
  '--yes',
  'app.Example.com',
  'END',
  '',
].join('\n')

const BASH = `source ./completion; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _plumbline; printf '%s\\n' "\${COMPREPLY[@]}"`

describe.each(Object.entries(PROGRAMS_OF) as [Shell, readonly string[]][])('%s', (shell, programs) => {
  let folder: string
  beforeAll(async () => {
    folder = newFolder('completion')
    writeFileSync(join(folder, 'completion'), await printed('completion', shell))
    writeFileSync(join(folder, '.zshrc'), ZSHRC)
    // Whoever completes asks the command for names.
    writeFileSync(join(folder, 'plumbline'), NAMES)
    chmodSync(join(folder, 'plumbline'), 0o755)
    writeFileSync(join(folder, 'estate.yaml'), '')
    // What the pattern of the wildcard would be read as.
    writeFileSync(join(folder, 'x.apps.example.com'), '')
  })

  function ran(program: string, args: readonly string[], more: Record<string, string> = {}): string {
    const env = { PATH: `${folder}:${process.env['PATH']}`, HOME: folder, TERM: 'xterm', ...more }
    const { stdout, stderr } = spawnSync(program, args, { cwd: folder, env, input: '', encoding: 'utf8' })
    expect(stderr).toBe('')
    return stdout
  }

  /** What the shell offers for the last of these words, in its order. */
  const OFFERS: Record<Shell, (words: readonly string[]) => string> = {
    bash: (words) => ran('bash', ['--norc', '-c', BASH, 'bash', 'plumbline', ...words]),
    fish: (words) =>
      ran('fish', [
        '--no-config',
        '-c',
        'source completion; complete -C $argv[1]',
        ['plumbline', ...words].join(' '),
      ]).replaceAll(/\t.*$/gm, ''),
    zsh: (words) => {
      const line = ['plumbline', ...words].join(' ')
      const screen = ran('script', ['-qefc', 'zsh -d -i', '/dev/null'], { ZDOTDIR: folder, LINE: line })
      const matches = join(folder, 'matches')
      expect(existsSync(matches), screen).toBe(true)
      const offered = readFileSync(matches, 'utf8')
      rmSync(matches)
      return offered.replaceAll('\\', '')
    },
  }
  const offered = (words: readonly string[]) =>
    OFFERS[shell](words)
      .split('\n')
      .filter((word) => word.trim() !== '')
      .toSorted()

  it('has every verb', async () => {
    const script = await printed('completion', shell)
    for (const { name } of VERBS) expect(script, name).toMatch(new RegExp(`\\b${name}\\b`))
  })

  const is_here = programs.every((program) => spawnSync(program, ['--version']).error === undefined)
  const completed: readonly (readonly [readonly string[], readonly string[]])[] = [
    [['dom'], ['domains']],
    [['edges', 'ro'], ['rotate']],
    [['edges', 'show', 'app'], []],
    [['edges', 'rotate', 'ro'], []],
    [['domains', '--st'], ['--status']],
    [['domains', '--status', 'in'], ['inactive']],
    [['show', 'app'], ['app.example.com']],
    [
      ['rm', ''],
      ['*.apps.example.com', 'app.example.com'],
    ],
    [
      ['access', '--host', ''],
      ['*.apps.example.com', 'app.example.com'],
    ],
    [['sync', 'est'], ['estate.yaml']],
    [
      ['mode', 'set', 's'],
      ['ssh-gateway', 'ssh-proxy', 'sso', 'sso-proof', 'suspend'],
    ],
    [['reconcile', 'rou'], ['routes']],
    [['set', 'app.example.com', 'backend_p'], ['backend_port=']],
    [['releases', 'undo', 'app'], ['app.example.com']],
    [['access', '--host', 'app'], ['app.example.com']],
    [['help', 'reco'], ['reconcile']],
    [['export', '-o', 'est'], ['estate.yaml']],
    [['add', 'x.example.com', '1.2.3.4:80', '--no-auth'], ['--no-auth-required']],
  ]
  it.skipIf(!is_here).each(sample(completed, NTH[shell]))('%j', (words, expected) => {
    expect(offered(words)).toEqual(expected)
    expect(existsSync(join(folder, 'ran'))).toBe(false)
  })

  const sole = [
    ['domains --dr', 'domains --drift '],
    ['add x --sa', 'add x --save '],
  ] as const
  it.skipIf(!is_here || shell !== 'zsh').each(sample(sole, 2))(
    'a sole match is inserted at once: %s',
    (typed, line) => {
      offered(typed.split(' '))
      expect(readFileSync(join(folder, 'line'), 'utf8')).toBe(`plumbline ${line}\n`)
    },
  )

  it.skipIf(shell !== 'zsh')('a colon of a description stays in it', async () => {
    expect(await printed('completion', shell)).toContain('Only saves it\\: nothing outside moves')
  })
})

describe.skipIf(spawnSync('man', ['--version']).error !== undefined)('man', () => {
  it('shows the page without a warning, with every verb and option', async () => {
    const page = await printed('man')
    const ran = spawnSync('man', ['--warnings', '-l', '-'], {
      input: page,
      encoding: 'utf8',
      env: {
        PATH: process.env['PATH'],
        MANWIDTH: '80',
        LC_ALL: 'C.UTF-8',
        MANROFFOPT: '',
        MAN_KEEP_FORMATTING: '',
      },
    })
    expect({ status: ran.status, stderr: ran.stderr }).toEqual({ status: 0, stderr: '' })
    for (const { name } of VERBS) expect(ran.stdout, name).toMatch(new RegExp(`^ +${name}$`, 'm'))
    for (const part of ['--[no-]auth-required', 'plumbline add NAME [BACKEND]', 'EXIT STATUS'])
      expect(ran.stdout).toContain(part)
  })
})

it('the manual page has the tasks before the verbs, what all changes share once, files and the address', async () => {
  const page = await printed('man')
  expect(page.indexOf('.SH TASKS')).toBeGreaterThan(0)
  expect(page.indexOf('.SH TASKS')).toBeLessThan(page.indexOf('.SS add'))
  expect(page.match(/Carries out the plan with this hash and no other/g)).toHaveLength(1)
  expect(page).toMatch(/^\.B plumbline deploy .*\[CHANGE\]$/m)
  for (const part of ['.SH FILES', '.B PLUMBLINE_LISTEN']) expect(page).toContain(part)
})

it('the manual page has every exit code', async () => {
  const page = await printed('man')
  for (const code of Object.values(EXIT)) expect(page).toMatch(new RegExp(`^\\.B ${code}$`, 'm'))
})
