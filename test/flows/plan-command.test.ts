/** `plumbline plan` and `plumbline apply`: what would be refused is refused before anybody is asked, and whoever is asked sees the plan. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Person, run } from './command.ts'
import { serve, type ServedDaemon } from './command-daemon.ts'
import { newFolder } from '../kit/new-folder.ts'

const APP = 'app.example.com'

let directory: string
let env: Record<string, string>
let daemon: ServedDaemon

beforeAll(async () => {
  directory = newFolder('plan-flow')
  env = { PLUMBLINE_DATA_DIR: directory, PLUMBLINE_LISTEN: '127.0.0.1:0' }
  daemon = await serve(env)
  await good('add', APP, '10.0.0.5:80', '--static-ip', '203.0.113.7', '--no-auth-required')
})
afterAll(() => daemon.stop())

const on = (words: readonly string[], person?: Person) => run(words, env, person)

async function good(...words: string[]): Promise<string> {
  const ran = await on(words)
  expect(ran.code, `${words.join(' ')}: ${ran.err}`).toBe(0)
  return ran.out
}

/** Saves another port, and plans its deploy. */
async function planned(port: number): Promise<string> {
  await good('set', APP, `backend_port=${port}`)
  const { out, code } = await on(['plan', APP])
  expect(code).toBe(2)
  return /^plumbline apply (\S+)$/m.exec(out)?.[1] ?? 'the plan has no line for it'
}

const asked = async (words: readonly string[], piped = false) => {
  const questions: string[] = []
  const ran = await on(words, { types: (question) => (questions.push(question), 'n'), piped })
  return { ...ran, questions }
}

it('a plan is asked about while it holds, and refused unasked once it does not', async () => {
  const id = await planned(81)
  const holds = await asked(['apply', id])
  expect(holds.questions).toEqual([expect.stringContaining('Apply it?')])
  expect(holds.out).toContain(':81')
  await good('set', APP, 'backend_port=82')
  const stale = await asked(['apply', id])
  expect(stale).toMatchObject({ code: 1, questions: [], out: '' })
  expect(stale.err).toContain(`The plan is out of date, and nothing was done`)
  expect(stale.err).toContain(`plumbline plan ${APP}.`)
})

it('whoever is asked while the answer goes elsewhere sees the plan beside the question', async () => {
  const id = await planned(83)
  for (const words of [
    ['apply', id],
    ['deploy', APP],
    ['off', APP],
    ['set', APP, 'backend_port=84', '--deploy'],
  ]) {
    const { out, err, questions } = await asked(words, true)
    expect(questions, words.join(' ')).toHaveLength(1)
    expect(err, words.join(' ')).toContain(APP)
    expect(err, words.join(' ')).toMatch(/to add, \d+ to change/)
    expect(out, words.join(' ')).toBe('')
  }
})

it('a plan of everything names the command that does it by its hash', async () => {
  await good('set', APP, 'backend_port=85')
  const { out } = await on(['plan'])
  const [line = ''] = /^plumbline deploy --all --confirm \S+$/m.exec(out) ?? []
  expect(await good(...line.split(' ').slice(1))).toContain('Deployed')
  await good('set', APP, 'backend_port=80', '--deploy')
})

it('an unknown name is answered with what is near', async () => {
  const { code, err } = await on(['plan', 'app.exmple.com'])
  expect(code).toBe(1)
  expect(err).toContain(`Did you mean "${APP}"?`)
})
