/** Watching, waiting and the modes from a shell: over a restart of the daemon, with a deadline, and to a closed pipe. */
import { spawn } from 'node:child_process'
import { appendFileSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { childEnv } from '../kit/child.ts'
import { programOf } from '../kit/programs.ts'
import { run, start } from './command.ts'
import { serve, type ServedDaemon } from './command-daemon.ts'
import { itInDepth } from '../kit/in-depth.ts'
import { newFolder } from '../kit/new-folder.ts'

const MAIN = programOf(new URL('../../src/main.ts', import.meta.url))

let directory: string
let env: Record<string, string>
let daemon: ServedDaemon
const on = (...words: string[]) => run(words, env)

beforeAll(async () => {
  directory = newFolder('watch')
  env = {
    PLUMBLINE_DATA_DIR: directory,
    PLUMBLINE_LISTEN: '127.0.0.1:0',
    PLUMBLINE_PUBLIC_IP: '203.0.113.7',
    PLUMBLINE_DNS_PROVIDER: 'zonefile',
  }
  daemon = await serve(env)
  expect(await on('add', 'app.example.com', '10.0.0.5:80')).toMatchObject({ code: 0 })
})
afterAll(() => daemon.stop())

const routes = () => join(directory, 'traefik', 'routes.yml')

itInDepth('watch shows each event once, over a restart of the daemon at another port', async () => {
  const watching = start(['watch', '--json', '--since', '1h', '--kind', 'release'], env)
  await watching.saw('"kind":"release"')
  await daemon.stop()
  await watching.saw('The daemon is away.')
  daemon = await serve(env)
  await watching.saw('The daemon is back.')
  expect(await on('add', 'wiki.example.com', '10.0.0.6:80')).toMatchObject({ code: 0 })
  await watching.saw('wiki.example.com')
  const { out } = await watching.stop('SIGINT')
  const events = out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { id: number; kind: string })
  const ids = events.map(({ id }) => id)
  expect(new Set(ids).size).toBe(ids.length)
  expect(ids).toEqual(ids.toSorted((a, b) => a - b))
  expect(events.every(({ kind }) => kind === 'release')).toBe(true)
})

it('watch ends by itself where that is said, and where nobody is there', async () => {
  const ran_through = await on('watch', '--since', '1h', '--for', '1s')
  expect(ran_through).toMatchObject({ code: 0, err: '' })
  // Who and by which action, in the words of the audit trail.
  expect(ran_through.out).toMatch(/ {2}saved {2}key main saved app\.example\.com \(expose\)\.$/m)
  expect(ran_through.out).toMatch(/ {2}release {2}Release 2: expose app\.example\.com, by key main\.$/m)
  const gone = { ...env, PLUMBLINE_DATA_DIR: join(directory, 'nowhere') }
  const ran = await run(['watch'], gone)
  expect(ran.code).toBe(1)
  expect(ran.err).toContain('No daemon holds')
})

itInDepth.each([
  ['watch', 'watch', '--since', '1h', '--for', '2s'],
  ['domains', 'domains'],
  ['render', 'render'],
])('%s into a pipe that closes early leaves no trace of it', async (_line, ...words) => {
  const shell = `"${process.execPath}" "${MAIN}" ${words.join(' ')} | head -1; echo "code \${PIPESTATUS[0]}" >&2`
  const child = spawn('bash', ['--norc', '-c', shell], {
    env: { ...childEnv(), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text))
  child.stdout.resume()
  await new Promise((resolve) => child.once('close', resolve))
  expect(said).toMatch(/^code (?:0|141)\n$/)
})

describe('wait', () => {
  it('ends when all is as it should be', async () => {
    expect(await on('wait', '--for', '30s')).toMatchObject({ code: 0 })
    expect(await on('wait', 'app.example.com', '--for', '30s')).toMatchObject({
      code: 0,
      out: 'app.example.com is as it should be.\n',
    })
  })

  itInDepth('ends at its deadline with what stands against it', async () => {
    expect(await on('mode', 'set', 'observe', 'routes')).toMatchObject({ code: 0 })
    appendFileSync(routes(), '# stranger\n')
    const ran = await on('wait', '--for', '1s')
    expect(ran).toMatchObject({
      code: 2,
      out: expect.stringMatching(/^Gave up waiting\. routes differs from the database: .+\n$/) as string,
    })
    expect((await on('reconcile', 'routes', '--dry-run')).out).toContain(
      '0 to add, 1 to change, 0 to remove.',
    )
    expect(readFileSync(routes(), 'utf8')).toContain('# stranger')
    expect(await on('reconcile', 'routes')).toMatchObject({ code: 0 })
    expect(readFileSync(routes(), 'utf8')).not.toContain('# stranger')
    expect(await on('mode', 'set', 'repair', 'routes')).toMatchObject({ code: 0 })
  })

  it('does not know where nobody answers', async () => {
    const ran = await on('wait', '--for', '1s', '--url', 'http://127.0.0.1:9')
    expect(ran.code).toBe(3)
    expect(ran.out).toContain('No answer from http://127.0.0.1:9')
  })

  it('does not wait for a name that is wrong', async () => {
    expect((await on('wait', 'ap.example.com')).err).toContain('Did you mean "app.example.com"')
  })
})

describe('mode', () => {
  it('shows and sets what is in force', async () => {
    const suspended = await on('mode', 'set', 'suspend', 'routes', '--reason', 'moved', '--for', '2h')
    expect(suspended, suspended.err).toMatchObject({ code: 0 })
    expect((await on('mode')).out).toMatch(/^routes +suspend +routes +moved, by .*until /m)
    expect(await on('mode', 'set', 'repair', 'routes')).toMatchObject({ code: 0 })
  })

  it.each([
    [['set', 'heal'], '"heal" is no mode'],
    [['set', 'suspend', '--for', 'soon'], '--for takes a time such as 30s'],
  ])('%j is wrong usage', async (words, said) => {
    const ran = await on('mode', ...words)
    expect(ran.code).toBe(64)
    expect(ran.err).toContain(said)
  })

  it('a component that there is not is told by the verb', async () => {
    expect((await on('reconcile', 'dsn')).err).toContain('is no component: say one of')
  })
})

it('version says which one the daemon has', async () => {
  const { out } = await on('version')
  expect(out).toMatch(/^plumbline (\S+)\ndaemon \1 at http:\/\/127\.0\.0\.1:\d+\n$/)
})
