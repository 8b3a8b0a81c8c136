/**
 * Tells systemd that the daemon is ready, alive and stopping (sd_notify(3)). Node has no datagram sockets of the kind that
 * this needs, so `systemd-notify` speaks; without a service manager nothing is done.
 */
import { execFile } from 'node:child_process'
import type { Clock, Milliseconds } from '../kernel/clock.ts'
import type { Log } from '../kernel/log.ts'
import { Loop } from '../kernel/async/loop.ts'

export interface ServiceManager {
  /** The world is recovered and callers are served. */
  ready(status: string): Promise<void>
  stopping(): Promise<void>
  /** Says that the daemon is alive for as long as `stuck` finds nothing. */
  watch(stuck: () => string | null): { close(): void }
}

const SPEAKER = 'systemd-notify'
const MAX_EVERY_MS: Milliseconds = 10_000
const MAX_MS: Milliseconds = 5000

interface Parts {
  readonly env: NodeJS.ProcessEnv
  readonly log: Log
  readonly clock: Clock
}

/** Takes what it needs out of `env`: nobody else is to speak for the daemon. */
export function serviceManager({ env, log, clock }: Parts): ServiceManager {
  const socket = env['NOTIFY_SOCKET'] ?? ''
  const every_ms = watchdogEvery(env)
  for (const name of ['NOTIFY_SOCKET', 'WATCHDOG_USEC', 'WATCHDOG_PID']) delete env[name]
  const path = env['PATH'] ?? '/usr/sbin:/usr/bin:/sbin:/bin'
  const say = speaker({ PATH: path, LANG: 'C', NOTIFY_SOCKET: socket }, log)
  return {
    ready: (status) => say(['--ready', `--status=${status}`]),
    stopping: () => say(['STOPPING=1']),
    watch(stuck) {
      if (socket === '' || every_ms === null) return { close: () => undefined }
      const loop = aliveLoop({ log, clock, every_ms }, stuck, say)
      loop.start()
      return { close: () => void loop.stop() }
    },
  }
}

type Say = (words: readonly string[]) => Promise<void>

/** Says nothing where there is no socket to say it to. */
const speaker =
  (env: { readonly PATH: string; readonly LANG: string; readonly NOTIFY_SOCKET: string }, log: Log): Say =>
  (words) =>
    new Promise((done) => {
      if (env.NOTIFY_SOCKET === '') return done()
      execFile(SPEAKER, words, { env, timeout: MAX_MS }, (error) => {
        if (error !== null) log.warn('systemd was not told', { words: words.join(' '), error })
        done()
      })
    })

const aliveLoop = (
  { log, clock, every_ms }: Omit<Parts, 'env'> & { readonly every_ms: Milliseconds },
  stuck: () => string | null,
  say: Say,
): Loop =>
  new Loop({
    clock,
    round: async () => {
      const why = stuck()
      if (why === null) await say(['WATCHDOG=1'])
      else log.error('the reconcile loop is stuck; systemd is not told that it turns', { why })
      return every_ms
    },
    failed: (error) => {
      log.error('systemd was not told that the daemon is alive', { error })
      return every_ms
    },
  })

/** Three times within what the manager waits for; null where it waits for nothing, or for another process. */
function watchdogEvery(env: NodeJS.ProcessEnv): Milliseconds | null {
  const limit_us = Number(env['WATCHDOG_USEC'] ?? '')
  const pid = env['WATCHDOG_PID']
  if (!(limit_us > 0) || (pid !== undefined && pid !== String(process.pid))) return null
  return Math.min(limit_us / 3000, MAX_EVERY_MS)
}
