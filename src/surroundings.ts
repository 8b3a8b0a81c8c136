/**
 * What the command may ask for, put together from configuration, running daemon and house. Everything is loaded when it is
 * asked for: a command that asks a running daemon has its answer before the settings would be read.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { readHolder } from './store/files/lock.ts'
import { type Api, type ApiRequest, parsed } from './cli/api.ts'
import type { ApiOptions, Surroundings } from './cli/verb.ts'
import type { LoadedConfig } from './config/load.ts'
import { nearby } from './config/nearby.ts'
import { Failure } from './kernel/failure.ts'
import type { Secret } from './kernel/secret.ts'
import { VERSION } from './version.ts'

type Config = () => Promise<LoadedConfig>

export function surroundingsOf(env: NodeJS.ProcessEnv): Surroundings {
  let loaded: Promise<LoadedConfig> | null = null
  // Read once: secrets are taken out of the environment by it.
  const config: Config = () =>
    (loaded ??= import('./config/load.ts').then(({ loadConfig }) => loadConfig(env)))
  return {
    version: VERSION,
    api: async (options) => (await runningApi(env, options)) ?? apiFor(await config(), options),
    serve: async (options) => serve(await config(), options),
    settings: async () => (await import('./config/describe.ts')).describe(await config()),
    examine: async () => {
      const { examine } = await import('./doctor/examine.ts')
      const { loadConfig } = await import('./config/load.ts')
      return examine(
        () => loadConfig(env),
        (found) => apiFor(found, { url: undefined, found: false }),
      )
    },
    installUnit: async (options) =>
      (await import('./service/service.ts')).installUnits(await config(), options),
    externalCheck: async () =>
      (await import('./features/external-check/external-check-wiring.ts')).externalCheck(
        (await config()).settings,
      ),
    externalUnits: async (user) =>
      (await import('./service/external-units.ts')).externalUnits(await config(), user),
    readFile: async (path) => (await import('./io/files/named-file.ts')).readNamed(path),
    writeFile: async (path, text) => (await import('./io/files/named-file.ts')).writeNamed(path, text),
    edit: async (text, name) => (await import('./io/screen/editor.ts')).editText(text, name, env),
    browse: async (address) => (await import('./io/screen/browser.ts')).openAddress(address, env),
    documents: async () => (await import('./io/yaml/documents.ts')).yamlDocuments,
    verbs: async () => (await import('./verbs.ts')).allVerbs(),
    refusedByProxy: async (path, text) => {
      const { evaluateFile } = await import('./features/routes/routes-folder-wiring.ts')
      const { settings } = await config()
      const found = evaluateFile(path, text, settings.routes.traefik_version.join('.'))
      return found.kind === 'refused'
        ? `${found.line === null ? '' : `line ${found.line}: `}${found.why}`
        : null
    },
    treeOf: async (path, text) =>
      (await import('./features/routes/routes-folder-wiring.ts')).treeOf(path, text),
    importContext: async () => {
      const { settings } = await config()
      const { importContext } = await import('./wiring.ts')
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
  const { createLog } = await import('./io/log/create-log.ts')
  const { lessOften } = await import('./io/log/less-often.ts')
  const { systemClock } = await import('./kernel/clock.ts')
  const log = lessOften(createLog(config.settings.log), systemClock)
  return runDaemon(
    config,
    log,
    options.quickstart ? (await import('./quickstart.ts')).quickstart(config) : undefined,
  )
}

/** That of the daemon at the address that is named, or that holds the data directory; null where the settings have to say more. */
async function runningApi(env: NodeJS.ProcessEnv, { url }: ApiOptions): Promise<Api | null> {
  const near = nearby(env)
  if (near === null) return null
  const listen = url ?? readHolder(near.data_dir)?.listen ?? null
  return listen === null ? null : remote(listen, near.api_key, near.data_dir)
}

/** The running daemon's API where one runs, this process's own where none does. */
async function apiFor(config: LoadedConfig, { url, found, running = false }: ApiOptions): Promise<Api> {
  const { data_dir } = config.settings.store
  const { api_key } = config.settings.http
  if (url !== undefined) return remote(url, api_key, data_dir)
  const holder = readHolder(data_dir)
  if (holder === null && running)
    throw new Failure(
      'component_unavailable',
      `No daemon holds ${data_dir}. Start it, or name its address with --url.`,
    )
  if (holder === null) return localApi(found ? config : installed(config))
  if (holder.listen !== null) return remote(holder.listen, api_key, data_dir)
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
async function remote(url: string, key: Secret | null, data_dir: string): Promise<Api> {
  const { remoteApi } = await import('./cli/remote-api.ts')
  const { readOwnKeyFile } = await import('./io/files/key-file.ts')
  return remoteApi(url, key ?? (await readOwnKeyFile(join(data_dir, 'api-key'))))
}

/** The same façade without a socket. Nothing ticks: only what the command asks for is done. */
async function localApi(config: LoadedConfig): Promise<Api> {
  const { buildDaemon } = await import('./build-daemon.ts')
  const { silentLog } = await import('./kernel/log.ts')
  const daemon = await buildDaemon(config, { log: silentLog })
  const call = async ({ method, path, body, headers }: ApiRequest) => {
    const sent = {
      method,
      headers: {
        ...headers,
        'x-api-key': daemon.key.reveal(),
        ...(body === undefined ? {} : JSON_BODY),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }
    const answer = await daemon.app.request(path, sent, { peer: '127.0.0.1' })
    return {
      status: answer.status,
      headers: Object.fromEntries(answer.headers),
      body: parsed(await answer.text()),
    }
  }
  return { where: 'this process', call, close: () => daemon.close() }
}

const JSON_BODY = { 'content-type': 'application/json' }
