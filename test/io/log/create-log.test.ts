/** The lines themselves: their members, their bounds, their form on a terminal and in the journal, and that none is lost. */
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { closeSync, fstatSync, mkdtempSync, openSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text as textOf } from 'node:stream/consumers'
import { afterAll, describe, expect, it } from 'vitest'
import { createLog, type LogOptions } from '../../../src/io/log/create-log.ts'
import { Failure } from '../../../src/kernel/failure.ts'
import type { Facts } from '../../../src/kernel/log.ts'
import { itOneIn } from '../../kit/in-depth.ts'

const CHILD = join(import.meta.dirname, 'children', 'say.ts')

function logTo(lines: string[], options: Partial<LogOptions> = {}) {
  return createLog({
    level: 'info',
    format: 'json',
    destination: { write: (line) => lines.push(line) },
    ...options,
  })
}

/** The parsed JSON line of one call. */
function lineOf(facts: Facts, message = 'constant'): Record<string, unknown> {
  const lines: string[] = []
  logTo(lines).info(message, facts)
  expect(lines).toEqual([expect.stringMatching(/^[^\n]*\n$/)])
  return JSON.parse(lines[0]!) as Record<string, unknown>
}

describe('a line of JSON', () => {
  it('has level, time, facts and message, and nothing about the process', () => {
    const line = lineOf({ revision: 4, domains: ['a.example'], nested: { ok: true } })
    expect(line).toEqual({
      level: 'info',
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      revision: 4,
      domains: ['a.example'],
      nested: { ok: true },
      msg: 'constant',
    })
  })

  it('is written from its level on', () => {
    const lines: string[] = []
    const log = logTo(lines, { level: 'warn' })
    log.debug('no')
    log.info('no')
    log.warn('yes')
    log.error('yes')
    expect(lines.map((line) => (JSON.parse(line) as { level: string }).level)).toEqual(['warn', 'error'])
  })

  it('keeps its own members when a fact has the same name', () => {
    const line = lineOf({ level: 'x', time: 'y', msg: 'z' })
    expect(line).toMatchObject({ level: 'info', msg: 'constant', level_: 'x', time_: 'y', msg_: 'z' })
  })

  it('tells a failure with its code, what it keeps for the log, its stack, and its cause once', () => {
    const cause = Object.assign(new Error('EIO: i/o error'), { code: 'EIO' })
    const { error } = lineOf({
      error: new Failure('storage_unwritable', 'outside', { inside: 'inside', cause }),
    })
    expect(error).toMatchObject({
      type: 'Failure',
      code: 'storage_unwritable',
      message: 'outside',
      details: { inside: 'inside' },
      stack: expect.stringContaining('create-log.test.ts'),
      cause: { code: 'EIO', message: 'EIO: i/o error' },
    })
    expect(JSON.stringify(error).match(/"message":"EIO/g)).toHaveLength(1)
  })

  it('takes whatever it is given and is never the reason that something fails', () => {
    const circular: Record<string, unknown> = { name: 'loop' }
    circular['self'] = circular
    const hostile = {
      circular,
      big: 10n ** 30n,
      date: new Date(0),
      bad_date: new Date(Number.NaN),
      nan: Number.NaN,
      f: () => 1,
      symbol: Symbol('s'),
      nothing: undefined,
      set: new Set([1]),
      bytes: Buffer.alloc(3),
      proto: JSON.parse('{"__proto__":{"polluted":true}}') as unknown,
      getter: Object.defineProperty({}, 'x', {
        enumerable: true,
        get: () => {
          throw new Error('x')
        },
      }),
      proxy: new Proxy(
        {},
        {
          ownKeys: () => {
            throw new Error('x')
          },
        },
      ),
      to_json: {
        toJSON: () => {
          throw new Error('x')
        },
      },
      no_prototype: Object.create(null) as unknown,
    }
    const line = lineOf(hostile)
    expect(line).toMatchObject({
      circular: { name: 'loop', self: '[circular]' },
      big: '1000000000000000000000000000000',
      date: '1970-01-01T00:00:00.000Z',
      nan: 'NaN',
      f: '[function]',
      set: [1],
      bytes: '[3 bytes]',
      getter: { x: '[unreadable]' },
      proxy: '[unreadable]',
      to_json: '[unreadable]',
      msg: 'constant',
    })
    expect(line).not.toHaveProperty('nothing')
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
  })

  it('stays small: deep, wide and long facts are cut and say so', () => {
    let deep: unknown = 'bottom'
    for (let i = 0; i < 10_000; i++) deep = { deep }
    const wide = Array.from({ length: 200 }, () => Array.from({ length: 200 }, () => 'x'.repeat(500)))
    const long = 'y'.repeat(10_000_000)
    const lines: string[] = []
    logTo(lines).info('constant', { deep, long, ['z'.repeat(100_000)]: 1, wide })
    expect(lines[0]!.length).toBeLessThan(300_000)
    expect(lines[0]).toMatch(/\[deeper\].*more characters\).*\[more\]/)
  })

  it('holds no character that acts on a terminal or ends a line, and still means the same', () => {
    const active = '\u0000\u001b[2J\r\n\u007f\u009b31m\u2028\u2029\u202eabc\u2066\ufeff\u200f'
    const lines: string[] = []
    logTo(lines).info(active, { [active]: active })
    expect(lines[0]).toMatch(/^[\u0020-\u007e]+\n$/)
    expect(JSON.parse(lines[0]!)).toMatchObject({ msg: active, [active]: active })
  })
})

describe('a line for people', () => {
  const shown = (facts: Facts, message = 'routes repaired'): string => {
    const lines: string[] = []
    logTo(lines, { format: 'pretty' }).warn(message, facts)
    return lines.join('')
  }

  it('reads time, level, message, facts', () => {
    expect(shown({ revision: 4, path: '/srv/x', reason: 'two words', list: [1] })).toMatch(
      /^\d\d:\d\d:\d\d\.\d{3} warn {2}routes repaired revision=4 path=\/srv\/x reason="two words" list=\[1\]\n$/,
    )
  })

  it('puts the stack of an error and of its cause below, indented, and not into the line', () => {
    const [head, ...below] = shown({ error: new Error('outer', { cause: new Error('inner') }) })
      .trimEnd()
      .split('\n')
    expect(head).toMatch(/error=\{"type":"Error","message":"outer"\}$/)
    expect(below.every((line) => line.startsWith('    '))).toBe(true)
    expect(below.join('\n')).toMatch(
      /^ {4}at [^]*\n {4}caused by \{"type":"Error","message":"inner"\}\n {4}at /,
    )
  })

  it('cannot be forged or turned around by what stands in it', () => {
    const forged = 'x\n00:00:00.000 info  all is well\u001b[2J\u009b2J\u202e'
    for (const text of [
      shown({ forged }),
      shown({ [forged]: 1 }),
      shown({}, forged),
      shown({ list: [forged] }),
    ]) {
      expect(text).toMatch(/^[\u0020-\u007e]+\n$/)
    }
    const error = new Error(forged)
    expect(shown({ error })).toMatch(/^[\u0020-\u007e\n]+$/)
    expect(
      shown({ error })
        .split('\n')
        .slice(1, -1)
        .every((line) => line.startsWith('    at ')),
    ).toBe(true)
  })
})

const folder = mkdtempSync(join(realpathSync(tmpdir()), 'plumbline-log-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** What a child writes to a file, with `$JOURNAL_STREAM` as the journal would set it for `stream`. */
function saidToFile(format: string, stream: (file: { dev: number; ino: number }) => string): string {
  const path = join(folder, `out-${format}`)
  const out = openSync(path, 'w')
  const env = { ...process.env, JOURNAL_STREAM: stream(fstatSync(out)) }
  spawnSync(process.execPath, [CHILD, format, '2', 'exit'], { env, stdio: ['ignore', out, 'inherit'] })
  closeSync(out)
  return readFileSync(path, 'utf8')
}

describe('in the journal', () => {
  it('a line begins with its priority and has no time of its own', () => {
    const [first, , last] = saidToFile('auto', ({ dev, ino }) => `${dev}:${ino}`).split('\n')
    expect(first).toBe('<6>{"level":"info","number":0,"msg":"line"}')
    expect(last).toMatch(/^<4>\{"level":"warn","error"/)
  })

  it('every line of an error for people begins with its priority', () => {
    const lines = saidToFile('pretty', ({ dev, ino }) => `${dev}:${ino}`)
      .trimEnd()
      .split('\n')
    expect(lines[0]).toBe('<6>info  line number=0')
    expect(lines.slice(2).every((line) => line.startsWith('<4>'))).toBe(true)
    expect(lines.length).toBeGreaterThan(3)
  })

  it('is not where the output goes when the variable was only inherited', () => {
    const [first] = saidToFile('auto', ({ dev, ino }) => `${dev}:${ino + 1}`).split('\n')
    expect(JSON.parse(first!)).toMatchObject({ level: 'info', time: expect.any(String), number: 0 })
  })
})

const HAS_SCRIPT = spawnSync('script', ['-qec', 'true', '/dev/null'], { stdio: 'ignore' }).status === 0

describe.skipIf(!HAS_SCRIPT)('on a terminal (needs the script command)', () => {
  const said = (format: string, env: Record<string, string>) =>
    execFileSync('script', ['-qec', `"${process.execPath}" "${CHILD}" ${format} 1 exit`, '/dev/null'], {
      encoding: 'utf8',
      env: { PATH: process.env['PATH'], TERM: 'xterm-256color', ...env },
      stdio: ['ignore', 'pipe', 'inherit'],
    })

  it('lines are for people, with colours unless NO_COLOR is set', () => {
    expect(said('auto', {})).toContain('\u001b[32minfo \u001b[39m line')
    const plain = said('auto', { NO_COLOR: '1' })
    expect(plain).toMatch(/^\d\d:\d\d:\d\d\.\d{3} info  line number=0\r\n/)
    expect(plain).not.toContain('\u001b')
  })

  it('lines are JSON when that was asked for', () => {
    expect(JSON.parse(said('json', {}).split('\r\n')[0]!)).toMatchObject({ msg: 'line' })
  })
})

describe('a process that ends', () => {
  const COUNT = 2000

  itOneIn(4).each(['exit', 'throw', 'kill', 'quietly'])('has written every line before: %s', async (end) => {
    const child = spawn(process.execPath, [CHILD, 'json', String(COUNT), end], {
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    const lines = (await textOf(child.stdout)).trimEnd().split('\n')
    expect(lines).toHaveLength(COUNT + 1)
    expect(JSON.parse(lines.at(-1)!)).toMatchObject({ msg: 'last' })
  })

  it('does so by itself and not because nobody reads its log any more', async () => {
    const child = spawn(process.execPath, [CHILD, 'json', String(COUNT), 'exit'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    child.stdout.destroy()
    const code = await new Promise((resolve) => child.on('exit', resolve))
    expect(code).toBe(0)
  })
})
