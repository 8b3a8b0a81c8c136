/** What the command may ask for, put together from configuration, running daemon and house. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { readOwnKeyFile } from './io/files/key-file.ts'
import { readNamed, writeNamed } from './io/files/named-file.ts'
import { createLog } from './io/log/create-log.ts'
import { lessOften } from './io/log/less-often.ts'
import { readHolder } from './store/files/lock.ts'
import { yamlDocuments } from './io/yaml/documents.ts'
import { type Api, type ApiRequest, parsed } from './cli/api.ts'
import type { ApiOptions, Surroundings } from './cli/verb.ts'
import { describe } from './config/describe.ts'
import { loadConfig, type LoadedConfig } from './config/load.ts'
import { systemClock } from './kernel/clock.ts'
import { Failure } from './kernel/failure.ts'
import { silentLog } from './kernel/log.ts'
import type { Secret } from './kernel/secret.ts'
import { VERSION } from './version.ts'
import { importContext } from './wiring.ts'

export function surroundingsOf(env: NodeJS.ProcessEnv): Surroundings {
  let loaded: LoadedConfig | null = null
  // Read once: secrets are taken out of the environment by it.
  const config = () => (loaded ??= loadConfig(env))
  return {
    version: VERSION,
    api: (options) => apiFor(config(), options),
    serve: async (options) => serve(config(), options),
    settings: () => describe(config()),
    examine: async () =>
      (await import('./doctor/examine.ts')).examine(config, (loaded) =>
        apiFor(loaded, { url: undefined, found: false }),
      ),
    installUnit: async (options) => (await import('./service/service.ts')).installUnits(config(), options),
    readFile: readNamed,
    writeFile: writeNamed,
    documents: yamlDocuments,
    refusedByProxy: async (path, text) => {
      const { judgeFile } = await import('./features/routes/routes-folder-wiring.ts')
      const found = judgeFile(path, text, config().settings.routes.traefik_version.join('.'))
      return found.kind === 'refused'
        ? `${found.line === null ? '' : `line ${found.line}: `}${found.why}`
        : null
    },
    treeOf: async (path, text) =>
      (await import('./features/routes/routes-folder-wiring.ts')).treeOf(path, text),
    importContext: async () => {
      const { settings } = config()
      const { proxySetupOf, staticSetupOf } = await import('./features/routes/traefik-static-wiring.ts')
      return {
        ...importContext(settings),
        static_setup: staticSetupOf(settings),
        proxy_setup: await proxySetupOf(settings),
      }
    },
  }
}

/** The daemon is loaded only when it is run: a command that asks a running one starts faster without it. */
async function serve(config: LoadedConfig, options: { quickstart: boolean }): Promise<number> {
  const { runDaemon } = await import('./daemon.ts')
  const log = lessOften(createLog(config.settings.log), systemClock)
  return runDaemon(
    config,
    log,
    options.quickstart ? (await import('./quickstart.ts')).quickstart(config) : undefined,
  )
}

/** The running daemon's API where one runs, this process's own where none does. */
async function apiFor(config: LoadedConfig, { url, found, running = false }: ApiOptions): Promise<Api> {
  const { data_dir } = config.settings.store
  if (url !== undefined) return remote(url, config)
  const holder = readHolder(data_dir)
  if (holder === null && running)
    throw new Failure(
      'component_unavailable',
      `No daemon holds ${data_dir}. Start it, or name its address with --url.`,
    )
  if (holder === null) return localApi(found ? config : installed(config))
  if (holder.listen !== null) return remote(holder.listen, config)
  throw new Failure(
    'data_directory_in_use',
    `${data_dir} is in use by process ${holder.pid} since ${holder.since}, which serves no API.`,
  )
}

/** A command must not found an installation by looking at one that is not there. */
function installed(config: LoadedConfig): LoadedConfig {
  const { data_dir } = config.settings.store
  if (existsSync(join(data_dir, 'installation.json'))) return config
  throw new Failure(
    'not_found',
    `There is no installation in ${data_dir}. Start the daemon once, or set PLUMBLINE_DATA_DIR.`,
  )
}

/** The client is loaded only by commands that need one: the daemon starts faster without it. */
async function remote(url: string, config: LoadedConfig): Promise<Api> {
  const { remoteApi } = await import('./cli/remote-api.ts')
  return remoteApi(url, await keyFor(config))
}

const keyFor = async ({ settings }: LoadedConfig): Promise<Secret | null> =>
  settings.http.api_key ?? readOwnKeyFile(join(settings.store.data_dir, 'api-key'))

/** The same façade without a socket. Nothing ticks: only what the command asks for is done. */
async function localApi(config: LoadedConfig): Promise<Api> {
  const { buildHouse } = await import('./house.ts')
  const house = await buildHouse(config, { log: silentLog })
  const call = async ({ method, path, body }: ApiRequest) => {
    const sent = {
      method,
      headers: { 'x-api-key': house.key.reveal(), ...(body === undefined ? {} : JSON_BODY) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }
    const answer = await house.app.request(path, sent, { peer: '127.0.0.1' })
    return {
      status: answer.status,
      headers: Object.fromEntries(answer.headers),
      body: parsed(await answer.text()),
    }
  }
  return { where: 'this process', call, close: () => house.close() }
}

const JSON_BODY = { 'content-type': 'application/json' }
