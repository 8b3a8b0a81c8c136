/** Completion and the manual page are made of the verbs, and the programs that read them take them. */
import { spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { EXIT } from '../../src/cli/exit-codes.ts'
import { runCommand } from '../../src/cli/run.ts'
import type { Surroundings } from '../../src/cli/verb.ts'
import { allVerbs, VERBS } from '../../src/verbs.ts'

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

  it.each(VERBS.map(({ name }) => name))('of %s has an example', async (name) => {
    expect(await printed(name, '--help')).toMatch(new RegExp(`\\nExamples\\n {2}plumbline .*?${name}\\b`))
  })
})

describe('bash', () => {
  let folder: string
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'plumbline-completion-'))
    writeFileSync(join(folder, 'completion'), await printed('completion', 'bash'))
    // Whoever completes asks the command for names.
    writeFileSync(join(folder, 'plumbline'), '#!/bin/sh\necho app.example.com\necho "*.apps.example.com"\n')
    chmodSync(join(folder, 'plumbline'), 0o755)
    writeFileSync(join(folder, 'estate.yaml'), '')
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  function completed(...words: string[]): readonly string[] {
    const script = `source ./completion; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _plumbline; printf '%s\\n' "\${COMPREPLY[@]}"`
    const { stdout, stderr } = spawnSync('bash', ['--norc', '-c', script, 'bash', 'plumbline', ...words], {
      cwd: folder,
      env: { PATH: `${folder}:${process.env['PATH']}` },
      encoding: 'utf8',
    })
    expect(stderr).toBe('')
    return stdout.split('\n').filter(Boolean)
  }

  it.each([
    [['dom'], ['domains']],
    [['edges', 'ro'], ['rotate']],
    [['domains', '--st'], ['--status']],
    [['domains', '--status', 'in'], ['inactive']],
    [['show', 'app'], ['app.example.com']],
    [
      ['rm', ''],
      ['app.example.com', '*.apps.example.com'],
    ],
    [['sync', 'est'], ['estate.yaml']],
    [['export', '-o', 'est'], ['estate.yaml']],
    [['add', 'x.example.com', '1.2.3.4:80', '--no-auth'], ['--no-auth-required']],
  ])('%j', (words, expected) => {
    expect(completed(...words)).toEqual(expected)
  })
})

describe.each([
  ['zsh', ['-n', '/dev/stdin'], '#compdef plumbline'],
  ['fish', ['--no-execute', '/dev/stdin'], 'complete -c plumbline'],
])('%s', (shell, check, said) => {
  it('has every verb, and is no error to the shell where that is here', async () => {
    const script = await printed('completion', shell)
    expect(script).toContain(said)
    for (const { name } of VERBS) expect(script, name).toMatch(new RegExp(`\\b${name}\\b`))
    const ran = spawnSync(shell, check, { input: script, encoding: 'utf8' })
    if (ran.error === undefined) expect(ran).toMatchObject({ status: 0, stderr: '' })
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
