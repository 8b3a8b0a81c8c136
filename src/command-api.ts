/**
 * The API as a command gets it: that of the daemon which holds the data directory, else this process's own. Whoever holds the
 * directory without an API, such as another command or a daemon that starts, is waited for a moment.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Api } from './cli/api.ts'
import type { ApiOptions } from './cli/verb.ts'
import type { LoadedConfig } from './config/load.ts'
import { DATA_DIR, type Nearby } from './config/nearby.ts'
import { type Milliseconds, systemClock } from './kernel/clock.ts'
import { Failure } from './kernel/failure.ts'
import type { Secret } from './kernel/secret.ts'
import type { Holder } from './ports/lock.ts'
import { holderIn } from './store/files/holder-in.ts'
import { assertNotBesideAnother } from './store/files/owner.ts'

/** A command without a daemon seldom takes longer, nor does the start of one. */
const HOLDER_WAIT_MS: Milliseconds = 10_000
const EVERY_MS: Milliseconds = 100

/** That of the daemon at the address that is named, or that holds the data directory; null where the settings have to say more. */
export async function runningApi(near: Nearby | null, { url }: ApiOptions): Promise<Api | null> {
  if (near === null) return null
  const listen = url ?? holderIn(near)?.listen ?? null
  return listen === null ? null : remote(listen, near.api_key, near.data_dir)
}

/** The running daemon's API where one runs, this process's own where none does. */
export async function apiFor(config: LoadedConfig, options: ApiOptions): Promise<Api> {
  const { data_dir } = config.settings.store
  const { api_key } = config.settings.http
  const { url, found, running = false, waits } = options
  if (url !== undefined) return remote(url, api_key, data_dir)
  const is_named = config.sources[DATA_DIR.name] !== 'default'
  const until = systemClock.elapsed() + HOLDER_WAIT_MS
  let is_announced = false
  for (;;) {
    const holder = holderIn({ data_dir, is_named })
    if (typeof holder?.listen === 'string') return remote(holder.listen, api_key, data_dir)
    if (holder === null && running) throw absent(data_dir)
    const own = holder === null ? await ownApi(found ? config : installed(config), until) : null
    if (own !== null) return own
    if (systemClock.elapsed() >= until) throw inUse(data_dir, holder)
    if (holder !== null && !is_announced) {
      waits?.(waitLine(data_dir, holder))
      is_announced = true
    }
    await systemClock.sleep(EVERY_MS)
  }
}

/** Null where somebody was quicker, and there is time left to wait for them. */
async function ownApi(config: LoadedConfig, until: Milliseconds): Promise<Api | null> {
  try {
    return await localApi(config)
  } catch (error) {
    const is_taken = error instanceof Failure && error.code === 'data_directory_in_use'
    if (!is_taken || systemClock.elapsed() >= until) throw error
    return null
  }
}

const absent = (data_dir: string): Failure =>
  new Failure(
    'component_unavailable',
    `No daemon holds ${data_dir}. Start it with "plumbline serve", or name its address with --url.`,
  )

const inUse = (data_dir: string, holder: Holder | null): Failure =>
  new Failure(
    'data_directory_in_use',
    `${data_dir} is in use by process ${holder?.pid ?? 0} since ${holder?.since ?? ''}, which serves no API.`,
  )

/** A start, or another command: which of them, nobody knows before it listens or ends. */
const waitLine = (data_dir: string, { pid }: Holder): string =>
  `${pid === 0 ? 'Another process' : `Process ${pid}`} holds ${data_dir} and serves no API yet: waiting up to ${HOLDER_WAIT_MS / 1000} s for it.`

/** A command must not found an installation by looking at one that is not there. */
function installed(config: LoadedConfig): LoadedConfig {
  const { data_dir } = config.settings.store
  if (existsSync(join(data_dir, 'installation.json'))) return config
  throw new Failure(
    'not_found',
    `There is no installation in ${data_dir}. Start the daemon with "plumbline serve", or set PLUMBLINE_DATA_DIR.`,
  )
}

/** The client is loaded only by commands that need one: the daemon starts faster without it. */
async function remote(url: string, key: Secret | null, data_dir: string): Promise<Api> {
  const { remoteApi } = await import('./cli/remote-api.ts')
  const { readOwnKeyFile } = await import('./io/files/key-file.ts')
  return remoteApi(url, key ?? (await readOwnKeyFile(join(data_dir, 'api-key'))))
}

/** The same façade without a socket. Nothing ticks: only what the command asks for is done. */
async function localApi(config: LoadedConfig): Promise<Api> {
  assertNotBesideAnother(config.settings.store.data_dir)
  const { buildDaemon } = await import('./build-daemon.ts')
  const { callOf } = await import('./own-api.ts')
  const { silentLog } = await import('./kernel/log.ts')
  const daemon = await buildDaemon(config, { log: silentLog })
  return { where: 'this process', call: callOf(daemon), close: () => daemon.close() }
}
