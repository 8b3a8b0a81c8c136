/** The daemon in the foreground: builds it, waits for a signal, closes it in reverse order. */
import type { LoadedConfig } from './config/load.ts'
import { buildDaemon, type Daemon } from './build-daemon.ts'
import { type Milliseconds, systemClock } from './kernel/clock.ts'
import { assertListenable } from './http/socket/listen-on.ts'
import { localWarning } from './http-wiring.ts'
import type { Log } from './kernel/log.ts'
import { serviceManager } from './service/notify.ts'
import { Pulse } from './service/pulse.ts'
import { hasInstallation } from './store/files/installation.ts'
import type { LockGrace } from './store/files/lock-in-turn.ts'

/** What somebody does with the daemon beside running it. */
export interface Occasion {
  /** Before anything outside is looked at. What it throws is why the daemon does not start. */
  readonly built: (daemon: Daemon) => Promise<void>
  /** The daemon could not be built or opened, was told to stop before, or `built` refused it. It is closed. What it throws is only logged. */
  readonly refused: () => void
  /** Once the daemon listens. It is not waited for when the daemon is told to stop. */
  readonly opened: (daemon: Daemon, address: string) => Promise<void>
  /** What Ctrl-C answers to the shell. */
  readonly interrupted: number
}

/** Resolves with the exit code once the daemon was told to stop and has stopped. A second signal ends it at once. */
export async function runDaemon(config: LoadedConfig, log: Log, occasion?: Occasion): Promise<number> {
  const signalled = whenSignalled()
  const manager = serviceManager({ env: process.env, log, clock: systemClock })
  const started = await entered({ config, occasion, log, signalled })
  const codeOf = (signal: NodeJS.Signals) => (signal === 'SIGINT' ? (occasion?.interrupted ?? 0) : 0)
  if (started === null) return codeOf(await signalled)
  const { daemon, address } = started
  let signal: NodeJS.Signals
  try {
    for (const warning of config.warnings) log.warn(warning)
    const warning = localWarning(config.settings)
    const companions = daemon.companions()
    if (warning !== null) log.info(warning)
    log.info('listening', {
      address,
      ...(Object.keys(companions).length > 0 && { companions }),
      routes_file: daemon.routes_path,
      mode: config.settings.engine.mode,
    })
    await manager.ready(`Serving ${address}`)
    const pulse = new Pulse(daemon.engine, systemClock)
    const watched = manager.watch(() => pulse.stuck())
    await Promise.race([occasion?.opened(daemon, address), signalled])
    signal = await signalled
    log.info('stopping', { signal })
    watched.close()
    await manager.stopping()
  } finally {
    await daemon.close()
  }
  log.info('stopped')
  return codeOf(signal)
}

/** A command that works without a daemon seldom takes longer. */
const HOLDER_WAIT_MS: Milliseconds = 10_000

interface Start {
  readonly config: LoadedConfig
  readonly occasion: Occasion | undefined
  readonly log: Log
  readonly signalled: Promise<NodeJS.Signals>
}

/** The daemon, open; null where it was told to stop before. Nothing outside was written then, nor where this throws. */
async function entered({ config, occasion, log, signalled }: Start) {
  let daemon: Daemon | null = null
  const stop = new AbortController()
  void signalled.then(() => stop.abort())
  const lock_grace: LockGrace = {
    max_ms: HOLDER_WAIT_MS,
    waits: ({ pid, since }) =>
      log.info('another process holds the data directory: the start waits for it', {
        data_dir: config.settings.store.data_dir,
        process: pid,
        since,
        max_s: HOLDER_WAIT_MS / 1000,
      }),
    signal: stop.signal,
  }
  try {
    // One that is there already may be served by the daemon that ends just now.
    if (!hasInstallation(config.settings.store.data_dir)) await assertListenable(config.settings.http.listen)
    daemon = await buildDaemon(config, { log, lock_grace })
    if (!stop.signal.aborted) await occasion?.built(daemon)
    if (!stop.signal.aborted) return { daemon, address: await daemon.open() }
    log.info('told to stop during the start')
    await leave(daemon, occasion, log)
    return null
  } catch (reason) {
    await leave(daemon, occasion, log)
    throw reason
  }
}

async function leave(daemon: Daemon | null, occasion: Occasion | undefined, log: Log): Promise<void> {
  await daemon?.close()
  try {
    occasion?.refused()
  } catch (error) {
    log.warn('not all that was made for the start is removed again', { error })
  }
}

function whenSignalled(): Promise<NodeJS.Signals> {
  const { promise, resolve } = Promise.withResolvers<NodeJS.Signals>()
  for (const signal of ['SIGTERM', 'SIGINT'] as const)
    process.once(signal, () => {
      process.once(signal, () => process.exit(1))
      resolve(signal)
    })
  return promise
}
