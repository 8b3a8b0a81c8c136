/** From a cold process to its first answer. */
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../kit/ports.ts'
import { median, ms, type Row } from './measure.ts'

const MAIN = new URL('../../src/main.ts', import.meta.url).pathname
const ROUNDS = 7
const PATIENCE_MS = 10_000

export async function startRows(): Promise<Row[]> {
  const directory = mkdtempSync(join(tmpdir(), 'plumbline-start-'))
  try {
    await startOnce(directory)
    const times: number[] = []
    for (let round = 0; round < ROUNDS; round++) times.push(await startOnce(directory))
    const bare: number[] = []
    for (let round = 0; round < ROUNDS; round++) bare.push(await startBare())
    const first = median(times)
    return [
      {
        goal: 'first answer after start, cold process',
        figure: `${ms(first)} ms, ${(first / median(bare)).toFixed(1)}x bare node:http (${ms(median(bare))} ms)`,
        limit: 'at most 600 ms',
        ok: first <= 600,
      },
    ]
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

async function startOnce(directory: string): Promise<number> {
  const port = await freePort()
  const env = {
    PATH: process.env['PATH'] ?? '',
    PLUMBLINE_DATA_DIR: directory,
    PLUMBLINE_LISTEN: `127.0.0.1:${port}`,
  }
  return untilAnswered([MAIN, 'serve'], env, port)
}

const BARE = `require('node:http').createServer((q, s) => s.end('ok')).listen(Number(process.env.PORT), '127.0.0.1')`

async function startBare(): Promise<number> {
  const port = await freePort()
  return untilAnswered(['-e', BARE], { PATH: process.env['PATH'] ?? '', PORT: String(port) }, port)
}

/** Starts node with the words and asks until the first 200. The process is ended by its pid. */
async function untilAnswered(words: string[], env: Record<string, string>, port: number): Promise<number> {
  const started = performance.now()
  const child = spawn(process.execPath, words, { env, stdio: 'ignore' })
  try {
    while (!(await answers(port))) {
      if (performance.now() - started > PATIENCE_MS) throw new Error('no answer')
      await new Promise((resolve) => setTimeout(resolve, 2))
    }
    return performance.now() - started
  } finally {
    const gone = new Promise((resolve) => child.once('exit', resolve))
    child.kill('SIGTERM')
    await gone
  }
}

const answers = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const asked = request({ host: '127.0.0.1', port, path: '/health', agent: false }, (answer) => {
      answer.resume()
      resolve(answer.statusCode === 200)
    })
    asked.once('error', () => resolve(false))
    asked.end()
  })
