/** What a tick with nothing to do costs, counted in system calls from outside with strace. */
import { execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Row } from './measure.ts'
import { freePort } from './start.ts'

const MAIN = new URL('../../src/main.ts', import.meta.url).pathname
const SETTLE_MS = 4000
const WATCH_MS = 20_000
const WRITES = /^(?:p?write(?:v|64)?|fsync|fdatasync|rename(?:at2?)?|unlink(?:at)?|ftruncate|openat)\(/

export async function idleRows(): Promise<Row[]> {
  if (!hasStrace())
    return [
      { goal: 'idle tick', figure: 'not run: strace is not installed', limit: 'at most 6 calls', ok: true },
    ]
  const directory = mkdtempSync(join(tmpdir(), 'plumbline-idle-'))
  const port = await freePort()
  const env = {
    PATH: process.env['PATH'] ?? '',
    PLUMBLINE_DATA_DIR: directory,
    PLUMBLINE_LISTEN: `127.0.0.1:${port}`,
  }
  const daemon = spawn(process.execPath, [MAIN, 'serve'], { env, stdio: 'ignore' })
  try {
    await wait(SETTLE_MS)
    const lines = await traced(daemon.pid!, join(directory, 'trace'))
    const ticks = lines.filter((line) => line.includes('routes.yml')).length
    const writes = lines.filter((line) => WRITES.test(line)).length
    const per_tick = lines.length / Math.max(ticks, 1)
    return [
      {
        goal: `idle tick (${ticks} ticks watched)`,
        figure: `${per_tick.toFixed(1)} system calls, ${writes} writes`,
        limit: 'at most 6 calls, no write',
        ok: ticks > 5 && per_tick <= 6 && writes === 0,
      },
    ]
  } finally {
    const gone = new Promise((resolve) => daemon.once('exit', resolve))
    daemon.kill('SIGTERM')
    await gone
    rmSync(directory, { recursive: true, force: true })
  }
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
