/** The command at a real terminal: it asks there and only there, keeps to forty columns, and shows nothing that drives it. */
import { spawn, spawnSync } from 'node:child_process'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { childEnv } from '../kit/child.ts'
import { programOf } from '../kit/programs.ts'
import { run } from './command.ts'
import { serve, type ServedDaemon } from './command-daemon.ts'
import { itInDepth } from '../kit/in-depth.ts'
import { newFolder } from '../kit/new-folder.ts'

const MAIN = programOf(new URL('../../src/main.ts', import.meta.url))
const HAS_SCRIPT = spawnSync('script', ['--version']).error === undefined

let directory: string
let env: Record<string, string>
let daemon: ServedDaemon

beforeAll(async () => {
  directory = newFolder('terminal')
  env = {
    PLUMBLINE_DATA_DIR: directory,
    PLUMBLINE_LISTEN: '127.0.0.1:0',
    PLUMBLINE_PUBLIC_IP: '203.0.113.7',
    PLUMBLINE_DNS_PROVIDER: 'zonefile',
  }
  daemon = await serve(env)
})
afterAll(() => daemon.stop())

interface Shown {
  readonly code: number | null
  readonly screen: string
}

/** In a terminal of so many columns, where somebody types. */
function atTerminal(
  words: readonly string[],
  typed: string,
  more: Record<string, string> = {},
): Promise<Shown> {
  const line = words.map((word) => `'${word}'`).join(' ')
  const command = `stty cols 40 rows 200; exec "${process.execPath}" "${MAIN}" ${line}`
  const child = spawn('script', ['-qefc', command, '/dev/null'], {
    env: { ...childEnv(), TERM: 'xterm', ...env, ...more },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  let screen = ''
  let was_asked = false
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    screen += text
    if (!screen.includes('[y/N]') || was_asked) return
    was_asked = true
    child.stdin.write(`${typed}\n`)
  })
  return new Promise((resolve) =>
    child.once('close', (code) => {
      child.stdin.destroy()
      resolve({ code, screen: screen.replaceAll('\r\n', '\n') })
    }),
  )
}

describe.skipIf(!HAS_SCRIPT)('at a terminal', () => {
  it('a plan is shown and asked about; no changes nothing, yes does it', async () => {
    const words = ['add', 'app.example.com', '10.0.0.5:80', '--no-auth-required']
    const no = await atTerminal(words, 'n')
    expect(no.code).toBe(1)
    expect(no.screen).toContain('Add and deploy app.example.com? [y/N]')
    expect(no.screen).toContain('Nothing was changed.')
    expect((await run(['domains', '-q'], env)).out).toBe('')
    const yes = await atTerminal(words, 'y')
    expect(yes.code, yes.screen).toBe(0)
    expect((await run(['domains', '-q'], env)).out).toBe('app.example.com\n')
  })

  itInDepth('a question goes on after Ctrl-Z and fg', async () => {
    // Job control is a shell's matter: the command is stopped, comes back, and is answered.
    const job = `set -m; "${process.execPath}" "${MAIN}" add stop.example.com 10.0.0.6:80; fg; echo "ended with $?"`
    const child = spawn('script', ['-qec', `bash -c '${job}'`, '/dev/null'], {
      env: { ...childEnv(), TERM: 'xterm', ...env },
      stdio: ['pipe', 'pipe', 'inherit'],
      signal: AbortSignal.timeout(180_000),
    })
    child.once('error', () => undefined)
    let screen = ''
    const steps = [
      ['[y/N]', '\u001a'],
      ['add stop.example.com', 'n\r'],
    ] as const
    let step = 0
    let from = 0
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      screen += text
      const [awaited, typed] = steps[step] ?? []
      if (awaited === undefined || !screen.slice(from).includes(awaited)) return
      from = screen.length
      step++
      // The terminal is read raw again a moment after the shell has said what it goes on with.
      setTimeout(() => child.stdin.write(typed), 1000)
    })
    await new Promise((resolve) => child.once('close', resolve))
    child.stdin.destroy()
    expect(screen).toContain('Nothing was changed.')
    expect(screen).toContain('ended with 1')
    expect(screen).not.toContain('unsettled')
  })

  itInDepth('tables keep to forty columns', async () => {
    const { code, screen } = await atTerminal(['domains'], '', { NO_COLOR: '1' })
    expect(code).toBe(0)
    expect(screen.split('\n').filter((line) => line.length > 40)).toEqual([])
    expect(screen).toContain('backend: 10.0.0.5:80')
    expect(screen).not.toContain('\u001b[3')
  })
})

describe('a hostile value from the API', () => {
  const HOSTILE = 'a\u001b]0;owned\u0007\u009b2J\u202eb'
  let server: Server
  let url: string

  beforeAll(async () => {
    const record = {
      id: 1,
      domain: HOSTILE,
      domain_unicode: HOSTILE,
      status: 'active',
      status_reason: HOSTILE,
    }
    const body = JSON.stringify([
      { ...record, service_type: 'http', protocol: 'http', backend_host: HOSTILE, tags: [] },
    ])
    const entry = { domain: HOSTILE, policy: 'deny', can_open: false }
    const exceptions = [{ policy: 'bypass', resources: [HOSTILE] }]
    const difference = { domains: [HOSTILE], cause: 'shadowed', detail: HOSTILE }
    const answers: Readonly<Record<string, string>> = {
      '/api/control-plane/health': JSON.stringify({
        components: [{ name: 'proxy', differences: [difference] }],
      }),
      '/api/drift': JSON.stringify({ detail: HOSTILE }),
      '/api/access': JSON.stringify({ rules: null, entries: [{ ...entry, exceptions }], notes: [HOSTILE] }),
    }
    server = createServer((request, response) => {
      const is_list = request.url?.startsWith('/api/domains') === true
      response.writeHead(request.url === '/api/drift' ? 409 : 200, { 'content-type': 'application/json' })
      response.end(answers[request.url ?? ''] ?? (is_list ? body : '[]'))
    }).listen(0, '127.0.0.1')
    await new Promise((resolve) => server.once('listening', resolve))
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })
  afterAll(() => new Promise((resolve) => server.close(resolve)))

  // eslint-disable-next-line no-control-regex
  const DRIVES = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/

  it.each([
    ['as text', ['domains']],
    ['as names', ['domains', '-q']],
    ['as JSON', ['domains', '--json']],
    ['in an error', ['drift']],
  ])('is harmless %s', async (_how, words) => {
    const { out, err } = await run([...words, '--url', url], { ...env, API_KEY: 'any-key-of-this-test' })
    expect(`${out}${err}`).toMatch(/owned/)
    expect(`${out}${err}`).not.toMatch(DRIVES)
  })
})

it('a daemon that ends amid a plan is told in one sentence, and nothing hangs', async () => {
  const server = createServer((request, response) => {
    if (request.url?.includes('dry_run') === true) request.socket.destroy()
    else response.writeHead(200, { 'content-type': 'application/json' }).end('{"id":1}')
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const person = { types: () => 'y' }
  const ran = await run(
    ['off', 'app.example.com', '--url', url],
    { ...env, API_KEY: 'any-key-of-this-test' },
    person,
  )
  await new Promise((resolve) => server.close(resolve))
  expect(ran).toMatchObject({ code: 1, out: '' })
  expect(ran.err).toMatch(/^plumbline: No answer from http:[^\n]+\n$/)
})
