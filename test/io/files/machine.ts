/** What this machine lets the fault tests do, tried and not guessed, and the ways to run a child under a fault. */
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'

export interface Outcome {
  readonly ok: boolean
  readonly code?: string
  readonly message?: string
}

const CHILD = join(import.meta.dirname, 'children', 'replace.ts')

/** The unshare call that gives a mount namespace of its own, or null where none is to be had. */
export const PRIVATE_MOUNTS = [['-m'], ['-Urm']].find((options) =>
  works('unshare', [...options, 'sh', '-c', 'mount -t tmpfs tmpfs /mnt']),
)
export const CAN_INJECT = works('strace', ['-f', '-o', '/dev/null', '-e', 'inject=fsync:error=EIO', 'true'])
export const CAN_LIMIT_INOTIFY = works('unshare', [
  '-Ur',
  'sh',
  '-c',
  'echo 0 > /proc/sys/user/max_inotify_watches',
])
export const IS_ROOT = process.geteuid?.() === 0

/** Runs `script` (sh) in a mount namespace of its own, in folder `$1`; its last line may be `"$@"` from `$2` on. */
export function withMounts(folder: string, script: string): string {
  return execFileSync('unshare', [...PRIVATE_MOUNTS!, 'sh', '-euc', script, 'sh', folder], {
    encoding: 'utf8',
    env: { ...process.env, NODE: process.execPath, CHILD },
  })
}

/** Runs the replacing child plainly or under another program. */
export function replaceInChild(order: object, under: readonly string[] = []): Outcome {
  const command = [...under, process.execPath, CHILD, JSON.stringify(order)]
  // One thread in the pool, so that an injected n-th call is the n-th of the process.
  const env = { ...process.env, UV_THREADPOOL_SIZE: '1' }
  return JSON.parse(execFileSync(command[0]!, command.slice(1), { encoding: 'utf8', env })) as Outcome
}

function works(program: string, options: readonly string[]): boolean {
  try {
    execFileSync(program, options, { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
