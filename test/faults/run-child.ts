/** Running a child until it ends or dies, and never longer than it may. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { HANGING, MAX_MS, type Order } from './order.ts'
import { childEnv } from '../kit/child.ts'
import { programOf } from '../kit/programs.ts'

const PROGRAM = programOf(new URL('child.ts', import.meta.url))
/** A child that hangs lives on for this long, so that its timers and its watcher have their say. */
const HANGS_MS = 80

export interface Ending {
  readonly how: 'ended' | 'killed' | 'failed' | 'overdue'
  readonly code: number | null
  /** What it said on its way. */
  readonly said: string
}

/** Of Node. */
export const childProgram = (order: Order): string[] => [PROGRAM, JSON.stringify(order)]

/** @param under another program with its options, to run the child in. */
export async function runChild(order: Order, under: readonly string[] = []): Promise<Ending> {
  const command = [...under, process.execPath, ...childProgram(order)]
  const child = spawn(command[0]!, command.slice(1), {
    // A group of its own: what runs under another program is killed together with it.
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    // One thread in the pool, so that the n-th system call of a thread is the n-th of its kind in the run.
    env: { ...childEnv(), UV_THREADPOOL_SIZE: '1' },
  })
  let said = ''
  let overdue = false
  const kill = () => killGroup(child.pid!)
  const timer = setTimeout(() => {
    overdue = true
    kill()
  }, MAX_MS)
  child.stderr.on('data', (text: Buffer) => (said += text.toString()))
  child.stdout.on('data', (text: Buffer) => {
    if (text.includes(HANGING)) setTimeout(kill, HANGS_MS)
  })
  const [code, signal] = (await once(child, 'close')) as [number | null, string | null]
  clearTimeout(timer)
  // As a service manager does. A look at the database's rules that outlives its daemon holds the file open: whoever closes
  // it next is not the last one, and its log stays.
  kill()
  if (overdue) return { how: 'overdue', code, said }
  if (signal === 'SIGKILL') return { how: 'killed', code, said }
  return { how: code === 0 ? 'ended' : 'failed', code, said }
}

export function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // It was gone already.
  }
}
