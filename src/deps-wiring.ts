/** What operations and the system's own endpoints are given: everything that was built, under the names they know. */
import { dirname, join } from 'node:path'
import { cronSchedule } from './io/cron/schedule.ts'
import { deployment } from './features/deploy/stages/deployment.ts'
import { planOf } from './features/deploy/plans/create.ts'
import { statusFile } from './features/deploy/files/status-file.ts'
import type { ReadableMetrics } from './io/metrics/create-metrics.ts'
import type { WholeCore } from './core-wiring.ts'
import type { CallOwnApi, Foundation } from './foundation.ts'
import { Cached } from './kernel/async/cached.ts'
import { withTimeout } from './kernel/async/with-timeout.ts'
import type { Finding } from './cli/verb.ts'
import type { Milliseconds } from './kernel/clock.ts'
import { sqliteDailyCopies } from './store/daily-copies.ts'
import { describeNewestBackup } from './store/files/backups.ts'
import { urlOf } from './daemon-lifecycle.ts'
import { notificationsModule } from './features/notifications/notifications-wiring.ts'
import type { Metrics } from './kernel/metrics.ts'
import type { FindingSource, KeptWords } from './core/finding.ts'
import { Background } from './core/background/background.ts'
import { wireDrift } from './features/certificates/wire/wire-drift.ts'
import { dynamicDns } from './features/ddns/ddns.ts'
import { gatewaysOf } from './features/ddns/hosts/gateways.ts'
import { recordDns } from './features/dns/records/record-dns.ts'
import type { PlanningDeps } from './features/certificates/deps.ts'
import type { Deps as DeployDeps } from './features/deploy/deps.ts'
import type { Deps as ExplainDeps } from './features/explain/deps.ts'
import type { Deps as HistoryDeps } from './features/history/deps.ts'
import { ProbeHistory } from './features/history/probe-history.ts'
import type { Deps as ImportDeps } from './features/import/deps.ts'
import type { Deps as KeysDeps } from './features/keys/deps.ts'
import type { Deps as NotificationsDeps } from './features/notifications/deps.ts'
import type { Deps as ReleasesDeps } from './features/releases/deps.ts'
import { measureHealth } from './features/health/measure.ts'
import { measureStore } from './features/system/measure-store.ts'
import { measureAlerts } from './features/notifications/measure.ts'
import { folderDrift } from './features/routes/loaded/folder-drift.ts'
import { Decisions } from './features/routes/proxy/decisions.ts'
import { renderRoutes } from './features/routes/target/desire.ts'
import { diffRenderings } from './features/routes/target/rendering-diff.ts'
import type { RoutesSettings } from './features/routes/render/settings.ts'
import { DatabaseCopying } from './features/system/copies.ts'
import { VERSION } from './kernel/version.ts'
import { offerOf } from './wiring.ts'

interface DepsParts {
  /** Of every feature; there once all are built. */
  readonly findings: () => readonly FindingSource[]
  readonly words: () => Readonly<Record<string, KeptWords>>
  readonly routes: RoutesSettings
  readonly metrics: Metrics
  readonly core: WholeCore
}

/** What the verbs of all features are given, in one; each knows no more of it than its own `deps.ts` names. */
export type Deps = PlanningDeps &
  DeployDeps &
  ExplainDeps &
  HistoryDeps &
  ImportDeps &
  KeysDeps &
  NotificationsDeps &
  ReleasesDeps

/** What the modules of the features have built. */
type Services = Pick<
  Deps,
  | 'engine'
  | 'health'
  | 'dns'
  | 'dns_watch'
  | 'certificates'
  | 'sso'
  | 'mail'
  | 'people'
  | 'proxy'
  | 'backend'
  | 'routes_folder'
  | 'hooks'
  | 'keys'
>

interface OwnParts {
  readonly foundation: Pick<Foundation, 'settings' | 'described' | 'examine'>
  readonly call: CallOwnApi
}

/** An examination asks everybody: two people who look at once share it. */
const EXAMINED_FOR_MS: Milliseconds = 30_000
/** Who asks while somebody outside does not answer is told what is found until then. */
const EXAMINED_WITHIN_MS: Milliseconds = 3000
const NOT_ALL: Finding = {
  check: 'examination',
  state: 'warning',
  detail: 'Not all of it is looked at yet: somebody who is asked takes long to answer.',
  remedy: 'Ask again in a moment: it goes on meanwhile.',
}

export function systemParts(deps: Deps, metrics: ReadableMetrics, { foundation, call }: OwnParts) {
  const { store, clock } = deps
  const { data_dir, copies_kept } = foundation.settings.store
  const began_ms = clock.elapsed()
  let found: Finding[] = []
  const examination = new Cached({
    clock,
    ask: async () => ({ findings: await foundation.examine(call, (found = [])), at: clock.now() }),
    keepFor: () => EXAMINED_FOR_MS,
  })
  const unfinished = () => ({ findings: [...found, NOT_ALL], at: clock.now() })
  return {
    version: VERSION,
    uptime: () => (clock.elapsed() - began_ms) / 1000,
    settings: foundation.described,
    newestBackup: () => describeNewestBackup(data_dir, { until: clock.now() }),
    copying: new DatabaseCopying({
      copies: sqliteDailyCopies({ directory: data_dir, clock, kept: copies_kept }),
      kept: copies_kept,
      schedule: cronSchedule(deps.log),
      clock,
      log: deps.log,
    }),
    examined: () => withTimeout({ clock, ms: EXAMINED_WITHIN_MS }, () => examination.get(), unfinished),
    check: async () => void (await store.latestRelease()),
    metrics: async () => {
      await measureStore(store, metrics)
      await measureHealth(deps, metrics)
      await measureAlerts(deps.notifications, metrics)
      return { content_type: metrics.content_type, text: await metrics.text() }
    },
  }
}

export function operationDeps(
  {
    settings,
    store,
    ballast,
    file,
    log,
    clock,
  }: Pick<Foundation, 'settings' | 'store' | 'ballast' | 'file' | 'log' | 'clock'>,
  { routes, metrics, core, findings, words, ...services }: Services & DepsParts,
): Deps {
  const { events, wrong_keys, ignored } = core
  const entrypoint_ports = Object.fromEntries(
    settings.routes.entrypoints.map(({ name, port }) => [name, port]),
  )
  const ddns = dynamicDns({
    ...settings.ddns,
    public_ip: services.dns.addresses.public_ip,
    store,
    events,
    clock,
    log,
    schedule: cronSchedule(log),
    listen_url: urlOf(settings.http.listen),
    wrong_keys,
    strangers: () => services.dns.strangers(),
  })
  const deps: Deps = {
    ...services,
    store,
    ballast,
    events,
    ignored,
    background: new Background({ store, clock, log, events }),
    history: new ProbeHistory({ ...services, store, clock, log }, settings.history.looks_every_ms),
    ddns,
    gateways: gatewaysOf(ddns),
    record_dns: recordDns({ store, clock, dns: services.dns }),
    notifications: notificationsModule(settings, {
      engine: services.engine,
      mail: services.mail,
      watched: services.health.watched,
      findings,
      words,
      store,
      clock,
      log,
      metrics,
      source: core.baseUrl,
    }),
    clock,
    log,
    offer: offerOf(settings, routes),
    render: (intent) => renderRoutes(intent, routes),
    diffRenderings: diffRenderings(file.path),
    public_ip: settings.engine.public_ip,
    entrypoint_ports,
    https_entrypoint: routes.https_entrypoint,
    http_entrypoint: routes.http_entrypoint,
    routes_path: file.path,
    besideRoutes: (signal) => folderDrift(deps, signal),
    notServed: async () =>
      (await wireDrift(services, new AbortController().signal, { afresh: false }))?.differences ?? [],
    deploy_status: statusFile(join(dirname(file.path), 'deploy-status.json')),
    suspended_activations: new Set(),
    decisions: new Decisions(() => deps),
    repairPlanOf: (component, caller) => planOf(deps, { kind: 'component', component }, caller),
    deploy: (deployed) => deployment(deps, deployed),
  }
  return deps
}
