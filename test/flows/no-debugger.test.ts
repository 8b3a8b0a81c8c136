/** No signal opens Node's debugger, however Plumbline is started: whoever reached it could run what they like. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { request } from 'undici'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { childEnv } from '../kit/child.ts'
import { freePort } from '../kit/ports.ts'
import { itInDepth } from '../kit/in-depth.ts'
import { newFolder } from '../kit/new-folder.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')
const { scripts } = JSON.parse(read('package.json')) as { scripts: Readonly<Record<string, string>> }

let directory: string
let child: ChildProcess | null
let said: string

beforeEach(() => {
  directory = newFolder('signal')
  child = null
  said = ''
})
afterEach(async () => {
  if (child !== null && child.exitCode === null && child.signalCode === null) {
    const over = once(child, 'exit')
    child.kill('SIGKILL')
    await over
  }
  // What it has started may write for a moment longer.
})

/** Every place of which one is used to start a daemon, beside the plainest. */
itInDepth.each<[string, readonly string[]]>([
  ['by hand', [process.execPath, 'src/main.ts', 'serve']],
  ['as a program', ['src/plumbline', 'serve']],
  ['without what picks the Node', ['src/main.ts', 'serve']],
  ['npm start', scripts['start']!.split(' ')],
])('started %s', async (_how, [program = '', ...args]) => {
  const port = await freePort()
  child = spawn(program, args, {
    cwd: ROOT,
    env: {
      ...childEnv(),
      PATH: `${dirname(process.execPath)}:${process.env['PATH'] ?? ''}`,
      PLUMBLINE_DATA_DIR: directory,
      PLUMBLINE_LISTEN: `127.0.0.1:${port}`,
      PLUMBLINE_DNS_PROVIDER: 'none',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  for (const stream of [child.stdout!, child.stderr!])
    stream.on('data', (text: Buffer) => (said += text.toString()))
  const answers = async () => {
    const answer = await request(`http://127.0.0.1:${port}/health`).catch(() => null)
    await answer?.body.dump()
    return answer?.statusCode
  }
  await expect.poll(answers, { timeout: 60_000 }).toBe(200)
  for (let time = 0; time < 5; time++) {
    child.kill('SIGUSR1')
    expect(await answers()).toBe(200)
  }
  expect(said).not.toMatch(/debugger listening/i)
  expect([child.exitCode, child.signalCode]).toEqual([null, null])
})

it('what picks the Node, and the unit, start it with the flag that ends it from the first moment on', () => {
  expect(read('src/plumbline')).toMatch(/^exec "\$node" --disable-sigusr1 /m)
  expect(read('src/service/service.ts')).toContain("flags: ['--disable-sigusr1'")
  expect(read('src/main.ts')).toMatch(/^#!.*--disable-sigusr1\n/)
})
