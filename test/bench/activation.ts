/** How `/health` answers while 5,000 names are activated by one call: a daemon in a process of its own, asked without a pause. */
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { freePort } from '../kit/ports.ts'
import { type Ask, askAt, KEY, untilUp } from './ask.ts'
import { estateOf } from './estate.ts'
import { median, ms, type Row } from './measure.ts'

const MAIN = fileURLToPath(new URL('../../src/main.ts', import.meta.url))
const NAMES = 5000
const EVERY_MS = 2
const ROUNDS = 3

export async function activationRows(): Promise<Row[]> {
  const rounds = []
  for (let round = 0; round < ROUNDS; round++) rounds.push(await measured())
  const worst = rounds.toSorted((a, b) => a.p99 - b.p99)[ROUNDS >> 1]!
  return [
    {
      goal: '`/health` while 5,000 names are activated, p99 (middle of three starts)',
      figure: `${ms(worst.p99)} ms (longest ${ms(worst.longest)} ms; ${worst.calls} calls in ${ms(worst.took_ms)} ms; idle p99 ${ms(median(rounds.map(({ idle }) => idle)))} ms)`,
      limit: 'under 50 ms',
      ok: worst.p99 < 50,
    },
  ]
}

interface Round {
  readonly calls: number
  readonly took_ms: number
  readonly idle: number
  readonly p99: number
  readonly longest: number
}

async function measured(): Promise<Round> {
  const directory = mkdtempSync(join(tmpdir(), 'plumbline-bench-'))
  const port = await freePort()
  const env = {
    PATH: process.env['PATH'] ?? '',
    PLUMBLINE_DATA_DIR: directory,
    PLUMBLINE_LISTEN: `127.0.0.1:${port}`,
    API_KEY: KEY,
  }
  const child = spawn(process.execPath, [MAIN, 'serve'], { env, stdio: 'ignore' })
  const gone = new Promise((resolve) => child.once('exit', resolve))
  try {
    const ask = askAt(port)
    await untilUp(ask)
    const idle = await asking(ask, sleep(2000))
    const domains = estateOf(NAMES).map(({ fields, status }) => ({ ...fields, status }))
    const started = performance.now()
    const busy = await asking(ask, activated(ask, JSON.stringify({ domains })))
    const took_ms = performance.now() - started
    const at = Math.floor(busy.length * 0.99)
    return {
      calls: busy.length,
      took_ms,
      idle: idle[Math.floor(idle.length * 0.99)]!,
      p99: busy[at]!,
      longest: busy.at(-1)!,
    }
  } finally {
    child.kill('SIGTERM')
    await gone
    rmSync(directory, { recursive: true, force: true })
  }
}

/** Milliseconds of each call of `/health` until the work is done, in order. */
async function asking(ask: Ask, work: Promise<unknown>): Promise<number[]> {
  let busy = true
  const done = work.finally(() => (busy = false))
  const times: number[] = []
  while (busy) {
    const started = performance.now()
    await ask('GET', '/health')
    times.push(performance.now() - started)
    await sleep(EVERY_MS)
  }
  await done
  return times.toSorted((a, b) => a - b)
}

/** The estate, saved and released; where it goes on as an operation, until that has ended. */
async function activated(ask: Ask, estate: string): Promise<void> {
  const { status, text } = await ask('POST', '/api/estate', estate)
  if (status === 200 || status === 201) return
  if (status !== 202) throw new Error(`the estate: ${status} ${text.slice(0, 300)}`)
  const { id } = JSON.parse(text) as { readonly id: string }
  for (;;) {
    await sleep(100)
    const operation = await ask('GET', `/api/operations/${id}`)
    if (!operation.text.includes('"state":"running"')) return
  }
}
