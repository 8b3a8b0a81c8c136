/** Killing at the n-th system call, from outside: strace counts and injects, the program under test knows nothing of it. */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { STEPS } from './flow.ts'
import { BEGUN_MARK } from './ledger.ts'
import type { Order } from './order.ts'
import { runChild } from './run-child.ts'
import type { Workshop } from './workshop.ts'

/** Those that change a disk or are needed to. */
const CALLS =
  'openat mkdir write writev pwrite64 ftruncate fsync fdatasync fchmod rename link unlink rmdir close'.split(
    ' ',
  )

/** Follows all threads. */
const STRACE: readonly string[] = ['strace', '-f', '-qq']
/**
 * The kernel filters, so that a program stops at the calls that are meant alone: stopping at all of them takes twice the
 * time. Where it cannot, strace does. No signal gets through at such a stop: killing goes without.
 */
export const FILTERING: readonly string[] = [...STRACE, '--seccomp-bpf']

export interface KillPlace {
  readonly call: string
  readonly nth: number
}

/** Null when strace is here and may trace and inject; else why not. Tried, not guessed. */
export function whyNoInjection(): string | null {
  const options = [...FILTERING.slice(1), '-o', '/dev/null', '-e', 'inject=fsync:error=EIO', 'true']
  const probe = spawnSync('strace', options, {
    encoding: 'utf8',
  })
  if (probe.error !== undefined) return `strace cannot be run (${probe.error.message})`
  return probe.status === 0 ? null : `strace may not trace here: ${probe.stderr.trim()}`
}

/** Every place at which one of the calls is entered, from the first line of the child to its end. */
export async function killPlaces(workshop: Workshop): Promise<KillPlace[]> {
  const folder = workshop.folder()
  const trace = join(folder, 'trace')
  const order: Order = { folder, steps: STEPS, fault: null, bug: null, manner: 'plain' }
  const under = [...FILTERING, '-s', '64', '-o', trace, '-e', `trace=${CALLS.join()}`]
  const ending = await runChild(order, under)
  if (ending.how !== 'ended') throw new Error(`the traced journey ${ending.how}: ${ending.said}`)
  const places = placesIn(readFileSync(trace, 'utf8'))
  workshop.remove(folder)
  return places
}

/**
 * strace counts per thread, and the thread that comes to its n-th call first is hit: so of each call the thread that
 * makes most of them after the beginning is swept.
 */
export function placesIn(trace: string): KillPlace[] {
  const threads = new Map<string, { readonly call: string; before: number; after: number }>()
  let begun = false
  for (const line of trace.split('\n')) {
    const [, thread, call] = /^(\d+) +(\w+)\(/.exec(line) ?? []
    if (thread === undefined || call === undefined) continue
    begun ||= line.includes(JSON.stringify(BEGUN_MARK).slice(1, -1))
    const count = threads.get(`${thread} ${call}`) ?? { call, before: 0, after: 0 }
    count[begun ? 'after' : 'before']++
    threads.set(`${thread} ${call}`, count)
  }
  const busiest = CALLS.flatMap((call) => {
    const counts = [...threads.values()].filter((count) => count.call === call && count.after > 0)
    return counts.sort((a, b) => b.after - a.after).slice(0, 1)
  })
  const before = new Map<string, number>()
  for (const count of threads.values())
    before.set(count.call, Math.max(before.get(count.call) ?? 0, count.before))
  return busiest
    .flatMap(({ call, before, after }) =>
      Array.from({ length: after }, (_, i) => ({ call, nth: before + i + 1 })),
    )
    .filter(({ call, nth }) => nth > lateEnough(before.get(call)!))
}

/** How far the start of Node may shift the counts from run to run. */
const SHIFT = 8

/** What some thread comes to before the beginning would hit Node and not the house. */
export const lateEnough = (before: number): number => (before === 0 ? 0 : before + SHIFT)

/** The program and options that kill a child as it enters the call. */
export const killingAt = ({ call, nth }: KillPlace): string[] =>
  [...STRACE, '-o', '/dev/null'].concat(
    ['-e', `trace=${call}`],
    ['-e', `inject=${call}:signal=SIGKILL:when=${nth}`],
  )
