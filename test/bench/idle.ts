/** What a tick with nothing to do costs, counted in system calls from outside with strace. */
import { execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { loadConfig } from '../../src/settings-wiring.ts'
import { buildDaemon } from '../../src/build-daemon.ts'
import { silentLog } from '../../src/kernel/log.ts'
import { clientOf } from '../flows/client.ts'
import { estateOf } from './estate.ts'
import type { Row } from './measure.ts'

const MAIN = new URL('../../src/main.ts', import.meta.url).pathname
const TICKING = new URL('children/ticking.ts', import.meta.url).pathname
const SETTLE_MS = 20_000
const WATCH_MS = 20_000
/** A thread of the runtime waking another through an eventfd: eight bytes, no file. It may be shown before it has ended. */
const WAKE = /^write\(\d+, "\\1\\0\\0\\0\\0\\0\\0\\0", 8[ )]/
const WRITES =
  /^(?:(?:p?write(?:v|64)?|fsync|fdatasync|rename(?:at2?)?|unlink(?:at)?|ftruncate)\(|openat\(.*O_(?:WRONLY|RDWR|CREAT))/

/** The tick alone, and for comparison the whole daemon: its HTTP server looks for slow clients once a second. */
export async function idleRows(): Promise<Row[]> {
  if (!hasStrace())
    return [
      { goal: 'idle tick', figure: 'not run: strace is not installed', limit: 'at most 6 calls', ok: true },
    ]
  const tick = await watched([TICKING])
  const daemon = await watched([MAIN, 'serve'])
  return [
    {
      goal: `idle tick of 1,000 domains (${tick.ticks} ticks watched)`,
      figure: `${tick.per_tick.toFixed(1)} system calls, ${tick.writes} writes (whole daemon: ${daemon.per_tick.toFixed(1)} a second, ${daemon.writes} writes)`,
      limit: 'at most 6 calls, no write',
      ok: tick.ticks > 5 && tick.per_tick <= 6 && tick.writes + daemon.writes === 0,
    },
  ]
}

interface Watched {
  readonly ticks: number
  readonly per_tick: number
  readonly writes: number
}

async function watched(words: readonly string[]): Promise<Watched> {
  const directory = mkdtempSync(join(tmpdir(), 'plumbline-idle-'))
  await fill(directory)
  const env = {
    PATH: process.env['PATH'] ?? '',
    PLUMBLINE_DATA_DIR: directory,
    PLUMBLINE_LISTEN: '127.0.0.1:0',
  }
  const child = spawn(process.execPath, words, { env, stdio: 'ignore' })
  try {
    await wait(SETTLE_MS)
    const lines = await traced(child.pid!, join(directory, 'trace'))
    const ticks = lines.filter((line) => line.includes('routes.yml')).length
    const writes = lines.filter((line) => WRITES.test(line) && !WAKE.test(line)).length
    return { ticks, writes, per_tick: lines.length / Math.max(ticks, 1) }
  } finally {
    const gone = new Promise((resolve) => child.once('exit', resolve))
    child.kill('SIGTERM')
    await gone
    rmSync(directory, { recursive: true, force: true })
  }
}

async function fill(directory: string): Promise<void> {
  const house = await buildDaemon(
    loadConfig({ PLUMBLINE_DATA_DIR: directory, PLUMBLINE_LISTEN: '127.0.0.1:0' }),
    {
      log: silentLog,
    },
  )
  await house.open()
  const domains = estateOf(1000).map(({ fields, status }) => ({ ...fields, status }))
  const answer = await clientOf(house)('POST', '/api/estate', { body: { domains } })
  await house.close()
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body))
}

/** Every system call of every thread during the watch, without strace's own remarks. */
async function traced(pid: number, path: string): Promise<string[]> {
  const strace = spawn('strace', ['-f', '-qq', '-o', path, '-p', String(pid)], { stdio: 'ignore' })
  await wait(WATCH_MS)
  const gone = new Promise((resolve) => strace.once('exit', resolve))
  strace.kill('SIGINT')
  await gone
  return readFileSync(path, 'utf8')
    .split('\n')
    .map((line) => line.replace(/^\d+\s+/, ''))
    .filter((line) => /^\w+\(/.test(line))
}

function hasStrace(): boolean {
  try {
    execFileSync('strace', ['-V'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
