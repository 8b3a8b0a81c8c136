/** The command for somebody who has nothing but its help: what is wrong, missing or gone is said in the words that mend it. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Person, run, start } from './command.ts'
import { serve, type ServedDaemon } from './command-daemon.ts'
import { itInDepth } from '../kit/in-depth.ts'
import { newFolder } from '../kit/new-folder.ts'

const APP = 'app.example.com'

let directory: string
let env: Record<string, string>
let daemon: ServedDaemon

beforeAll(async () => {
  directory = newFolder('alone-flow')
  env = { PLUMBLINE_DATA_DIR: directory, PLUMBLINE_LISTEN: '127.0.0.1:0', PLUMBLINE_PUBLIC_IP: '203.0.113.7' }
  daemon = await serve(env)
  await good('add', APP, '10.0.0.5:80', '--no-auth-required')
})
afterAll(() => daemon.stop())

const on = (words: readonly string[], person?: Person) => run(words, env, person)

async function good(...words: string[]): Promise<string> {
  const ran = await on(words)
  expect(ran.code, `${words.join(' ')}: ${ran.err}`).toBe(0)
  return ran.out
}

describe('wrong words', () => {
  it.each<[string[], RegExp]>([
    [['mode', 'set', 'suspend'], /suspend needs --reason TEXT and --for TIME/],
    [['mode', 'set', 'suspend', '--reason', 'x'], /suspend needs --for TIME/],
    [['mode', 'suspend'], /Did you mean "plumbline mode set suspend"\?/],
  ])('%j have the exit code of wrong usage', async (words, said) => {
    const ran = await on(words)
    expect(ran).toMatchObject({ code: 64, out: '' })
    expect(ran.err).toMatch(said)
  })

  it('are JSON where JSON is asked for, also of a verb that there is not', async () => {
    const ran = await on(['shwo', APP, '--json'])
    expect(ran.code).toBe(64)
    expect(JSON.parse(ran.out)).toEqual({
      code: 'usage',
      detail: 'there is no verb "shwo". Did you mean "show"?',
    })
  })
})

it('a refused key is told by the variable that holds it', async () => {
  const away = { ...env, API_KEY: 'a-wrong-key-of-more-than-twenty-four-characters' }
  const ran = await run(['drift'], away)
  expect(ran.code).toBe(3)
  expect(ran.out).toContain('The key in API_KEY')
  expect((await run(['domains'], away)).err).toContain('"plumbline keys issue NAME" on its host makes one.')
})

it('the trail says with which values a domain was added, by the word that added it', async () => {
  const told = await good('audit', APP, '--action', 'add')
  expect(told).toContain('expose (add)')
  for (const line of ['backend_host: "10.0.0.5"', 'backend_port: 80', 'auth_required: false'])
    expect(told).toContain(line)
})

itInDepth('what is saved, and what a script has to mean, is said with the command for it alone', async () => {
  const saved = await on(['set', APP, 'backend_port=81'])
  expect(saved, saved.err).toMatchObject({ code: 0 })
  expect(saved.err).toContain(`"plumbline deploy ${APP}" does it.`)
  expect((await on(['plan', APP])).out).toContain(
    'does the same after that time, too, unless something has changed',
  )
  await good('deploy', APP)
  const undo = await on(['releases', 'undo', APP])
  expect(undo).toMatchObject({ code: 64 })
  expect(undo.err).toContain('say --yes')
  expect(undo.err.split('\n').filter(Boolean)).toHaveLength(2)
  await good('set', APP, 'backend_port=80', '--deploy')
})

it('a name that was deleted is told from one that never was', async () => {
  await good('add', 'gone.example.com', '10.0.0.6:80', '--save')
  await good('rm', 'gone.example.com', '--yes')
  const gone = await on(['show', 'gone.example.com'])
  expect(gone).toMatchObject({ code: 1 })
  expect(gone.err).toMatch(
    /It was deleted at 20\S+ \S+Z: "plumbline audit gone\.example\.com" shows its history, and "plumbline releases undo gone\.example\.com" brings back/,
  )
  expect((await on(['show', 'never.example.net'])).err).not.toContain('deleted')
})

it('a dry run that a suspension would leave undone exits as the plan of the same does', async () => {
  await good('mode', 'set', 'suspend', '--reason', 'moving', '--for', '5m')
  try {
    const words = ['set', APP, 'backend_port=81', '--deploy', '--dry-run']
    const plan = await on(['deploy', APP, '--dry-run'])
    const { code } = await on(words)
    expect([code, plan.code]).toEqual([2, 0])
    expect((await on(['set', APP, 'note=x', '--dry-run'])).code).toBe(2)
    expect((await on(['set', APP, 'note=', '--dry-run'])).code).toBe(0)
  } finally {
    await good('mode', 'set', 'repair')
  }
})

it('export asks before it writes over another text, and a script is not asked', async () => {
  const path = join(directory, 'estate.yaml')
  writeFileSync(path, 'mine\n')
  const questions: string[] = []
  const asked = await on(['export', '--out', path], { types: (one) => (questions.push(one), 'n') })
  expect(asked.code).toBe(1)
  expect(questions).toEqual([expect.stringContaining('Write over it?')])
  expect(readFileSync(path, 'utf8')).toBe('mine\n')
  await good('export', '--out', path)
  expect(readFileSync(path, 'utf8')).toContain(APP)
  const again = await on(['export', '--out', path], { types: () => 'n' })
  expect(again, 'the same text is no loss').toMatchObject({ code: 0 })
  expect(existsSync(path)).toBe(true)
})

it('a backend that speaks otherwise, or is dead, is told by add and by show', async () => {
  const plain = createServer((_, answer) => void answer.end('hello'))
  await new Promise<void>((resolve) => plain.listen(0, '127.0.0.1', resolve))
  const { port } = plain.address() as AddressInfo
  try {
    const added = await on(['add', 'tls.example.com', `https://127.0.0.1:${port}`, '--no-auth-required'])
    expect(added, added.err).toMatchObject({ code: 0 })
    expect(added.err).toMatch(/warning: tls\.example\.com: .*It speaks plain HTTP/)
  } finally {
    plain.closeAllConnections()
    await new Promise((resolve) => plain.close(resolve))
  }
  const shown = await on(['show', 'tls.example.com'])
  expect(shown.err).toMatch(/warning: tls\.example\.com: its backend 127\.0\.0\.1:\d+ refuses connections/)
})

itInDepth(
  'Ctrl-C amid a change says that it may be carried out all the same, and amid a look that it ended',
  async () => {
    const asked: string[] = []
    const silent = createServer(({ method }) => void asked.push(String(method)))
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
    const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`
    try {
      for (const [words, method, said] of [
        [
          ['reconcile', 'dns'],
          'POST',
          /Interrupted\. Whether it is carried out is unknown: "plumbline audit"/,
        ],
        [['releases'], 'GET', /^\nInterrupted\.\n$/],
      ] as const) {
        asked.length = 0
        const running = start([...words, '--url', url], env)
        await expect.poll(() => asked, { timeout: 60_000 }).toContain(method)
        const { err } = await running.stop('SIGINT')
        expect(err, words.join(' ')).toMatch(said)
      }
    } finally {
      silent.closeAllConnections()
      await new Promise((resolve) => silent.close(resolve))
    }
  },
)
