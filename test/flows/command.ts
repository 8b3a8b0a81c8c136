/** The command: one that answers and ends runs in this process, one that serves in a process of its own. */
import { spawn } from 'node:child_process'
import { runCommand } from '../../src/cli/run.ts'
import { childEnv } from '../kit/child.ts'
import { programOf } from '../kit/programs.ts'
import { VERBS } from '../../src/verbs.ts'
import { surroundingsOf } from '../../src/surroundings.ts'

const MAIN = programOf(new URL('../../src/main.ts', import.meta.url))

/** One active record, as `import` takes it. */
export const ESTATE = `plumbline: 1
domains:
  - domain: app.example.com
    service_type: http
    environment: production
    backend_host: 10.0.0.5
    backend_port: 8080
    status: active
`

export interface Ran {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

export interface Running {
  /** Resolves when the text has appeared on either stream; rejects when the process ends first. */
  saw(text: string): Promise<void>
  stop(signal?: NodeJS.Signals): Promise<Ran>
  signal(signal: NodeJS.Signals): void
  readonly done: Promise<Ran>
}

type Env = Readonly<Record<string, string>>

/** Backends of tests have addresses of no machine here, and none of the network's is to be called. */
const QUIET: Env = { PLUMBLINE_BACKEND_LOOKS: 'off' }

export function start(words: readonly string[], env: Env): Running {
  const child = spawn(process.execPath, [MAIN, ...words], {
    env: { ...childEnv(), NO_COLOR: '1', ...QUIET, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let out = ''
  let err = ''
  const watchers = new Set<() => void>()
  const heard = () => watchers.forEach((watcher) => watcher())
  child.stdout.setEncoding('utf8').on('data', (text: string) => ((out += text), heard()))
  child.stderr.setEncoding('utf8').on('data', (text: string) => ((err += text), heard()))
  const done = new Promise<Ran>((resolve) => child.once('close', (code) => resolve({ code, out, err })))
  return {
    done,
    saw: (text) =>
      new Promise((resolve, reject) => {
        const look = () => {
          if (!`${out}${err}`.includes(text)) return
          watchers.delete(look)
          resolve()
        }
        watchers.add(look)
        look()
        void done.then((ran) =>
          reject(new Error(`ended with ${ran.code} before "${text}":\n${ran.out}${ran.err}`)),
        )
      }),
    signal: (signal) => void child.kill(signal),
    stop: (signal = 'SIGTERM') => {
      child.kill(signal)
      return done
    },
  }
}

/** To its end in a process of its own, as a shell runs it. */
export const runProcess = (words: readonly string[], env: Env): Promise<Ran> => start(words, env).done

/** They listen to signals and end with their process. */
const SERVING = new Set(['serve', 'quickstart'])

/** Somebody at a terminal: its columns, and what they type, question by question. */
export interface Person {
  readonly width?: number
  readonly types?: (question: string) => string | Promise<string>
  /** Their standard output goes elsewhere. */
  readonly piped?: boolean
}

/** To its end, with the code and the lines that a shell would see. */
export async function run(
  words: readonly string[],
  env: Env,
  { width, types, piped }: Person = {},
): Promise<Ran> {
  if (SERVING.has(words[0] ?? '')) return runProcess(words, env)
  const out: string[] = []
  const err: string[] = []
  const given = { PATH: process.env['PATH'], ...QUIET, ...env }
  const code = await runCommand(words, VERBS, surroundingsOf(given), {
    out: (line) => void out.push(`${line}\n`),
    note: (line) => void err.push(`${line}\n`),
    ...(width !== undefined && { width }),
    ...(piped === true && { beside: (line: string) => void err.push(`${line}\n`) }),
    ...(types !== undefined && {
      ask: async (question) => {
        err.push(`${question}\n`)
        return types(question)
      },
    }),
  })
  return { code, out: out.join(''), err: err.join('') }
}
