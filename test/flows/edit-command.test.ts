/** `plumbline edit`: whatever the editor, the person or somebody else does, nothing that was written is lost. */
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { run, start } from './command.ts'
import { serve, type ServedDaemon } from './command-daemon.ts'
import { itInDepth, itOneIn } from '../kit/in-depth.ts'
import { newFolder } from '../kit/new-folder.ts'

let directory: string
let env: Record<string, string>
let daemon: ServedDaemon

beforeAll(async () => {
  directory = newFolder('edit-flow')
  env = { PLUMBLINE_DATA_DIR: directory, PLUMBLINE_LISTEN: '127.0.0.1:0' }
  daemon = await serve(env)
})
afterAll(() => daemon.stop())

beforeEach(async () => {
  await run(['rm', 'app.example.com', '--yes'], env)
  await run(['add', 'app.example.com', '10.0.0.5:80', '--save', '--note', 'first'], env)
})

let made = 0
/** A program that does this to the file that it is given, as `$1`. */
function editor(script: string): Record<string, string> {
  const path = join(directory, `editor-${++made}`)
  writeFileSync(path, `#!/bin/sh\n${script}\n`)
  chmodSync(path, 0o755)
  return { ...env, EDITOR: path }
}

/** One script for each time that it is opened. */
const editors = (...scripts: string[]): Record<string, string> => {
  const count = join(directory, `count-${++made}`)
  const cases = scripts.map((script, i) => `${i + 1}) ${script} ;;`).join('\n')
  return editor(`echo x >> ${count}; case $(wc -l < ${count}) in\n${cases}\nesac`)
}

const record = async () =>
  JSON.parse((await run(['show', 'app.example.com', '--json'], env)).out) as Record<string, unknown>
const edit = (how: Record<string, string>, ...answers: string[]) =>
  run(['edit', 'app.example.com'], how, answers.length === 0 ? {} : { types: () => answers.shift() ?? 'n' })
const keptIn = (said: string): string => /kept in (\S+)/.exec(said)?.[1] ?? 'nowhere'

const PORT = (port: number | string) => `sed -i 's/^backend_port: .*/backend_port: ${port}/' "$1"`

it('saves what the editor leaves, and explains every field in the text', async () => {
  const seen = join(directory, 'seen.yml')
  const ran = await edit(editor(`cp "$1" ${seen}; ${PORT(8081)}`))
  expect(ran, ran.err).toMatchObject({ code: 0 })
  expect(ran.out).toMatch(/backend_port +80 -> 8081/)
  expect(await record()).toMatchObject({ backend_port: 8081, note: 'first' })
  const text = readFileSync(seen, 'utf8')
  expect(text).toMatch(/# Port of the backend\.\nbackend_port: 80\n/)
  expect(text.match(/^[a-z_]+:/gm)).toHaveLength(22)
})

it('left as it is changes nothing', async () => {
  const before = await record()
  expect(await edit(editor('true'))).toMatchObject({ code: 0, err: 'Nothing was changed.\n' })
  expect(await record()).toEqual(before)
})

describe('an editor that', () => {
  itOneIn(3).each([
    ['is not set', { VISUAL: '', EDITOR: '  ' }, 78, 'No editor is set. Name yours: EDITOR=nano'],
    ['is not there', { EDITOR: '/nowhere/editor' }, 1, 'cannot be found. Nothing was changed.'],
    ['is a folder', { EDITOR: tmpdir() }, 1, 'may not be run. Nothing was changed.'],
  ])('%s is told in one sentence', async (_what, how, code, said) => {
    const ran = await edit({ ...env, ...how })
    expect(ran).toMatchObject({ code, out: '' })
    expect(ran.err).toContain(said)
    expect(ran.err.trimEnd().split('\n')).toHaveLength(1)
  })

  itOneIn(2).each([
    ['fails', 'exit 3', 'ended with exit code 3'],
    ['is killed', 'kill -9 $$', 'was ended by SIGKILL'],
  ])('%s changes nothing, and what was written is kept', async (_what, end, said) => {
    const ran = await edit(editor(`${PORT(8082)}; ${end}`))
    expect(ran.code).toBe(1)
    expect(ran.err).toContain(said)
    expect(readFileSync(keptIn(ran.err), 'utf8')).toContain('backend_port: 8082')
    expect(await record()).toMatchObject({ backend_port: 80 })
  })

  it('takes the file away changes nothing', async () => {
    const ran = await edit(editor('rm "$1"'))
    expect(ran.err).toContain('left no file')
    expect(await record()).toMatchObject({ backend_port: 80 })
  })

  itInDepth('has words of its own gets them', async () => {
    const how = editor(`test "$1" = "--two words" && shift && ${PORT(8083)}`)
    expect(await edit({ ...how, EDITOR: `${how['EDITOR']} "--two words"` })).toMatchObject({ code: 0 })
    expect(await record()).toMatchObject({ backend_port: 8083 })
  })

  it('is given no secrets', async () => {
    const seen = join(directory, 'seen.env')
    const API_KEY = readFileSync(join(directory, 'api-key'), 'utf8').trim()
    const how = { ...editor(`env > ${seen}`), PLUMBLINE_SMTP_PASSWORD: 'hush', API_KEY }
    expect(await edit(how)).toMatchObject({ code: 0 })
    expect(readFileSync(seen, 'utf8')).not.toMatch(/API_KEY|PLUMBLINE/)
  })
})

describe('faults', () => {
  it('are shown in the text, above their field, and the text is opened again', async () => {
    const seen = join(directory, 'again.yml')
    const ran = await edit(editors(PORT(99999), `cp "$1" ${seen}; ${PORT(8084)}`), 'y')
    expect(ran, ran.err).toMatchObject({ code: 0 })
    const lines = readFileSync(seen, 'utf8').split('\n')
    const at = lines.indexOf('backend_port: 99999')
    expect(lines.slice(at - 3, at).join('\n')).toMatch(/^# ! backend_port must/m)
    expect(await record()).toMatchObject({ backend_port: 8084 })
  })

  itInDepth('give back what was typed as it was typed, and a number in quotes is that number', async () => {
    const seen = join(directory, 'typed.yml')
    const mistyped = `${PORT('30o2   # the new one')}; sed -i 's/^# Port of.*/# my own remark/' "$1"`
    const ran = await edit(editors(mistyped, `cp "$1" ${seen}; ${PORT('"3002"')}`), 'y')
    expect(ran, ran.err).toMatchObject({ code: 0 })
    const text = readFileSync(seen, 'utf8')
    expect(text).toMatch(
      /# my own remark\n# ! backend_port must [^\n]*\nbackend_port: 30o2 {3}# the new one\n/,
    )
    expect(await record()).toMatchObject({ backend_port: 3002 })
  })

  itInDepth('of the text name its line, before and after the remark stands above it', async () => {
    const seen = join(directory, 'lines.yml')
    const broken = `sed -i '6s/.*/note: "never closed/' "$1"`
    const ran = await edit(editors(broken, broken, `cp "$1" ${seen}`), 'y', 'maybe', 'y', 'n')
    expect(ran.err).toMatch(/plumbline: line 6 of what you wrote: /)
    expect(ran.err).toContain('Say y for yes, or n for no.')
    const lines = readFileSync(seen, 'utf8').split('\n')
    const [, told] = /^# ! line ([0-9]+): /.exec(lines[0]!) ?? []
    expect(lines[Number(told) - 1]).toBe('note: "never closed')
    expect(lines.filter((line) => line.startsWith('# ! '))).toHaveLength(1)
  })

  itOneIn(3).each([
    ['a field that there is not', `echo 'bakend_port: 1' >> "$1"`, 'Did you mean "backend_port"'],
    ['no YAML', `echo '{ [' >> "$1"`, 'line '],
    ['a list', `echo '- x' > "$1"`, 'no list of fields'],
  ])('%s is told, and no leaves what was written in its file', async (_what, script, said) => {
    const ran = await edit(editor(script), 'n')
    expect(ran.code).toBe(1)
    expect(ran.err).toContain(said)
    expect(existsSync(keptIn(ran.err))).toBe(true)
    expect(await record()).toMatchObject({ backend_port: 80, note: 'first' })
  })

  it('without a terminal what was written is kept, and nobody is asked', async () => {
    const ran = await edit(editor(PORT(0)))
    expect(ran.code).toBe(1)
    expect(ran.err).toContain('backend_port')
    expect(readFileSync(keptIn(ran.err), 'utf8')).toContain('backend_port: 0')
  })
})

describe('somebody else who saves meanwhile', () => {
  /** Another terminal saves while the editor is open. */
  const theirs = (field: string) => {
    const main = new URL('../../src/main.ts', import.meta.url).pathname
    return `PLUMBLINE_DATA_DIR=${directory} ${process.execPath} ${main} set app.example.com ${field} > /dev/null 2>&1`
  }

  itInDepth('is not saved over: both versions are shown, and the edit goes on', async () => {
    const seen = join(directory, 'both.yml')
    const first = `${PORT(8085)}; ${theirs("'note=by somebody else'")}; ${theirs('backend_port=7000')}`
    const ran = await edit(editors(first, `cp "$1" ${seen}; echo >> "$1"`), 'y')
    expect(ran, ran.err).toMatchObject({ code: 0 })
    expect(ran.err).toContain('Somebody else has saved this domain meanwhile.')
    expect(ran.err).toMatch(/backend_port +80 +7000 +8085/)
    const text = readFileSync(seen, 'utf8')
    expect(text).toContain('# ! was 80, somebody else saved 7000')
    expect(text).toContain('backend_port: 8085')
    expect(await record()).toMatchObject({ backend_port: 8085, note: 'by somebody else' })
  })

  it('is not saved over by a script, and the edit is kept', async () => {
    const ran = await edit(editor(`${PORT(8086)}; ${theirs('backend_port=7001')}`))
    expect(ran.code).toBe(1)
    expect(readFileSync(keptIn(ran.err), 'utf8')).toContain('backend_port: 8086')
    expect(await record()).toMatchObject({ backend_port: 7001 })
  })
})

itInDepth('a daemon that ends while the editor is open leaves the edit in its file', async () => {
  const other = newFolder('edit-gone')
  const there = { ...env, PLUMBLINE_DATA_DIR: other }
  const second = start(['serve'], there)
  await second.saw('listening')
  try {
    await run(['add', 'app.example.com', '10.0.0.5:80', '--save'], there)
    const { pid } = JSON.parse(readFileSync(join(other, 'holder.json'), 'utf8')) as { pid: number }
    const how = editor(`${PORT(8087)}; kill -9 ${pid}; sleep 0.2`)
    const ran = await run(['edit', 'app.example.com'], { ...how, PLUMBLINE_DATA_DIR: other })
    // On a slow machine its connection ends only when the change is under way, and nobody knows.
    expect(ran.code).toBe(ran.err.includes('Whether it was carried out is unknown') ? 3 : 1)
    expect(ran.err).toContain('No answer from')
    expect(readFileSync(keptIn(ran.err), 'utf8')).toContain('backend_port: 8087')
  } finally {
    await second.stop('SIGKILL')
  }
})
