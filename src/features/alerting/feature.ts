/** From settings to the files of alerting, the targets of the engine over them, and the watch over who reads them. */
import { Failure } from '../../kernel/failure.ts'
import type { HealthCheck } from '../../core/check.ts'
import type { Core } from '../../core/core.ts'
import type { Feature } from '../../feature/feature.ts'
import { createHttpClient } from '../../io/http-client/create-client.ts'
import { managedFile } from '../../io/files/managed-file.ts'
import { changedAt, type FileChanged } from '../../kernel/changed-at.ts'
import { sha256 } from '../../kernel/digest.ts'
import { ALERTING } from '../../model/component.ts'
import { WRITTEN_BY_OWNER } from '../../model/file-access.ts'
import type { ManagedFile } from '../../ports/files.ts'
import {
  ALERT_ROUTER,
  alertMailCheck,
  alertRouterCheck,
  loadedCheck,
  METRICS_SERVER,
  metricsServerCheck,
  settingsCheck,
} from './checks.ts'
import { alertEndpoints } from './endpoints.ts'
import { LoadedWatch } from './loaded/watch.ts'
import { type AlertingSettings, type Marked, type Rendered, render } from './rendering.ts'
import { assertApart, unmailed, unprovenReloads } from './settings-faults.ts'
import type { Answer, Server } from './servers/ask.ts'
import { loadedAt } from './servers/loaded-at.ts'
import { askReload, type Reloading } from './servers/reload.ts'
import { type Running, runningRouter, runningRules } from './servers/running.ts'
import { type Servers, serversOf } from './servers/servers.ts'
import type { ReloadSetting } from './setting-kinds.ts'
import { alertingFileTarget } from './target/target.ts'

const MAX_BYTES = 8 * 1024 * 1024

type Used = Pick<Core, 'clock' | 'log' | 'engine' | 'commit' | 'assertNewest'>

interface Kept extends Rendered {
  readonly key: string
  readonly file: ManagedFile
}

/** Throws `bad_configuration` where two of the files are one. */
export function alertingFeature(settings: AlertingSettings, core: Used): Feature {
  const { rules_file, router_file, alertmanager_url, prometheus_reload, alertmanager_reload } =
    settings.alerting
  const { clock, log } = core
  assertApart(settings.alerting)
  const { rules, watchdog, template, router, missing } = render(settings)
  const http = createHttpClient({ clock })
  const servers = serversOf(
    { prometheus: settings.external.prometheus_url, alertmanager: alertmanager_url },
    http,
  )
  const keep = <R extends Rendered>(name: string, rendered: R | null): (R & Kept) | null =>
    rendered && {
      ...rendered,
      key: `${ALERTING}:${name}`,
      file: managedFile(rendered.path, { max_bytes: MAX_BYTES, access: WRITTEN_BY_OWNER, log }),
    }
  const kept = {
    rules: keep('rules', rules),
    watchdog: keep('watchdog', watchdog),
    template: keep('template', template),
    router: keep('router', router),
  }
  const loading = [
    loadedModule(core, servers.prometheus, {
      name: 'alert_rules',
      part: METRICS_SERVER,
      marked: kept.rules,
      files: [kept.rules, kept.watchdog],
      running: runningRules,
      reload: reloading(prometheus_reload, 'PLUMBLINE_PROMETHEUS_RELOAD'),
    }),
    loadedModule(core, servers.alertmanager, {
      name: 'alert_routes',
      part: ALERT_ROUTER,
      marked: kept.router,
      files: [kept.template, kept.router],
      running: runningRouter,
      reload: reloading(alertmanager_reload, 'PLUMBLINE_ALERTMANAGER_RELOAD'),
    }),
  ].flat()
  return {
    name: 'alerting',
    // The template first: a configuration that names none is not taken.
    targets: (['template', 'router', 'watchdog', 'rules'] as const).flatMap((name) => {
      const one = kept[name]
      return one === null ? [] : [alertingFileTarget({ ...one, clock })]
    }),
    endpoints: alertEndpoints({ ...core, alertmanager: servers.alertmanager }),
    checks: [
      settingsCheck(rules_file !== null || router_file !== null || alertmanager_url !== null, [
        ...missing,
        ...unprovenReloads(settings),
        ...unmailed(settings),
      ]),
      ...serverChecks(servers, core),
      ...loading.map(({ check }) => check),
    ],
    lifecycles: [...loading.map(({ watch }) => watch), { close: () => http.close() }],
    reported: (report) => loading.forEach(({ watch }) => watch.reported(report)),
  }
}

const serverChecks = ({ prometheus, alertmanager }: Servers, { clock }: Used): readonly HealthCheck[] => [
  ...(prometheus === null ? [] : [metricsServerCheck(prometheus)]),
  ...(alertmanager === null ? [] : [alertRouterCheck(alertmanager), alertMailCheck(alertmanager, clock)]),
]

const reloading = (how: ReloadSetting, setting: string): Reloading | null =>
  how.way === 'none' ? null : { how, setting }

interface LoadedWish {
  readonly name: string
  /** The part that says whether the server is there. */
  readonly part: string
  readonly marked: Marked | null
  /** All that it reads of ours. */
  readonly files: readonly (Kept | null)[]
  readonly running: (server: Server, signal: AbortSignal) => Promise<Answer<Running>>
  readonly reload: Reloading | null
}

/** Nothing where nothing is written, or the server is not known: then nothing can be proven. */
function loadedModule(
  { clock, log, engine, assertNewest }: Used,
  server: Server | null,
  { name, part, marked, files, running, reload }: LoadedWish,
): readonly { readonly watch: LoadedWatch; readonly check: HealthCheck }[] {
  if (server === null || marked === null) return []
  const watch = new LoadedWatch({
    name: server.name,
    mark: marked.mark,
    keys: files.flatMap((one) => one?.key ?? []),
    clock,
    log,
    running: (signal) => running(server, signal),
    isWritten: async (signal) =>
      (await Promise.all(files.map((one) => isWritten(one, signal)))).every(Boolean),
    changed: () => lastChange(files),
    loadedAt: (signal) => loadedAt(server, signal),
    reload: reload && ((signal) => askReload(server, reload, signal)),
    mode: () => engine().modeOf(ALERTING).mode,
    assertNewest,
  })
  return [{ watch, check: loadedCheck({ name, server: part, watch }) }]
}

/** Null where one of them cannot be examined. */
function lastChange(files: readonly (Kept | null)[]): FileChanged | null {
  const all = files.flatMap((one) => (one === null ? [] : [changedAt(one.file.path)]))
  const known = all.filter((one) => one !== null)
  if (known.length < all.length) return null
  return {
    stamp: known.map(({ stamp }) => stamp).join('/'),
    at: Math.max(...known.map(({ at }) => at)),
  }
}

/** What cannot be read is not known to be written. */
async function isWritten(kept: Kept | null, signal: AbortSignal): Promise<boolean> {
  if (kept === null) return true
  try {
    const look = await kept.file.look(signal)
    return look.kind === 'file' && look.digest === sha256([kept.text])
  } catch (error) {
    if (error instanceof Failure) return false
    throw error
  }
}
