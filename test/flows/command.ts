/** The real command in a process of its own. */
import { spawn } from 'node:child_process'

const MAIN = new URL('../../src/main.ts', import.meta.url).pathname

export interface Ran {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

export interface Running {
  /** Resolves when the text has appeared on either stream; rejects when the process ends first. */
  saw(text: string): Promise<void>
  stop(signal?: NodeJS.Signals): Promise<Ran>
  readonly done: Promise<Ran>
}

type Env = Readonly<Record<string, string>>

export function start(words: readonly string[], env: Env): Running {
  const child = spawn(process.execPath, [MAIN, ...words], {
    env: { PATH: process.env['PATH'] ?? '', NO_COLOR: '1', ...env },
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
    stop: (signal = 'SIGTERM') => {
      child.kill(signal)
      return done
    },
  }
}

export const run = (words: readonly string[], env: Env): Promise<Ran> => start(words, env).done
