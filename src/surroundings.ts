/**
 * What the command may ask for, put together from configuration, the running daemon and its parts. Everything is loaded when it is
 * asked for: a command that asks a running daemon has its answer before the settings would be read.
 */
import type { Surroundings } from './cli/verb.ts'
import { apiFor, runningApi } from './command-api.ts'
import type { LoadedConfig } from './config/load.ts'
import { type Nearby, nearby } from './config/nearby.ts'
import { VERSION } from './kernel/version.ts'

type Config = () => Promise<LoadedConfig>

export function surroundingsOf(env: NodeJS.ProcessEnv): Surroundings {
  let loaded: Promise<LoadedConfig> | null = null
  let near: Nearby | null = null
  // Read once: secrets are taken out of the environment by it, so what finds a running daemon is read before.
  const config: Config = () => {
    if (loaded === null) near = nearby(env)
    return (loaded ??= import('./settings-wiring.ts').then(({ loadConfig }) => loadConfig(env)))
  }
  const nearNow = () => (loaded === null ? nearby(env) : near)
  return {
    version: VERSION,
    api: async (options) => (await runningApi(nearNow(), options)) ?? apiFor(await config(), options),
    serve: async (options) => serve(await config(), options),
    settings: async () => (await import('./config/describe.ts')).describe(await config()),
    examine: async (waits) => {
      const { examine } = await import('./doctor/examine.ts')
      const { loadConfig } = await import('./settings-wiring.ts')
      return examine(
        () => loadConfig(env),
        (found) => apiFor(found, { url: undefined, found: false, waits }),
      )
    },
    installUnit: async (options) => {
      const loaded_config = await config()
      const writes_in = (await import('./wiring.ts')).writtenFolders(loaded_config.settings)
      return (await import('./service/service.ts')).installUnits(loaded_config, { ...options, writes_in })
    },
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
    bundleConsole: async () => (await import('./features/console/console-build-wiring.ts')).bundleConsole(),
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
