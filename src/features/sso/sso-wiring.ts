/** From settings to single sign-on: the rules and their provider, the proof, what keeps routes out, and what operations know of it. */
import { othersTurn } from '../../kernel/async/others-turn.ts'
import { forwardAuthEndpoint } from './authelia/forward-auth-endpoint.ts'
import { signInSettings } from './authelia/sign-in-settings.ts'
import { createHttpClient } from '../../io/http-client/create-client.ts'
import { forwardAuthProbe } from './probe/forward-auth-probe.ts'
import { yamlDocuments } from '../../io/yaml/documents.ts'
import type { Settings } from '../../config/sections.ts'
import type { Source } from '../../engine/components.ts'
import type { Engine } from '../../engine/engine.ts'
import type { Clock } from '../../kernel/clock.ts'
import { Failure } from '../../kernel/failure.ts'
import type { Log } from '../../kernel/log.ts'
import { isProtected } from '../../model/access/applies.ts'
import type { SiteRules } from '../../model/access/compare.ts'
import { sampleHost } from '../../model/access/hosts.ts'
import type { Intent } from '../../model/intent.ts'
import type { Report } from '../../model/report.ts'
import type { Whose } from '../../model/whose.ts'
import { providerCheck } from './checks.ts'
import type { RulesService, SsoService } from './service.ts'
import type { ManagedFile } from '../../ports/files.ts'
import type { HttpClient } from '../../ports/http-client.ts'
import type { SearchableProxy } from '../routes/traefik/port.ts'
import type { SignInSettings } from './sign-in-port.ts'
import type { Store } from '../../ports/store.ts'
import type { Module } from '../../feature/feature.ts'
import { proofModule } from './sso-proof-wiring.ts'
import type { ProviderModule } from './provider/sso-provider-wiring.ts'
import { tellChangedPolicies } from './sso-policies-wiring.ts'
import { type RulesParts, rulesParts, sitePolicies } from './sso-rules-wiring.ts'
import { attachmentsIn } from '../routes/opens/attachments.ts'
import { openPathsOf, openRouters } from '../routes/opens/open-routers.ts'
import { openedIn } from '../routes/opens/opened.ts'
import type { routesTarget } from '../routes/target/target.ts'
import { excludingRoutes, type Servable, servableRoutes } from '../routes/opens/exclude-routes.ts'
import { SSO_KEY } from './target/diff.ts'
import { ssoDesired } from './target/desire.ts'
import { RouteExclusions } from './target/route-exclusions.ts'
import { RulesView } from './target/rules-view.ts'
import { ssoTarget, type SsoTargetParts } from './target/target.ts'
import type { RoutesSettings } from '../routes/render/settings.ts'

export interface SsoModule extends Module {
  /** In the order of work, with the routes target that is handed in at its place. */
  targets(routes: ReturnType<typeof routesTarget>): readonly Source[]
  readonly service: SsoService
  /** Of the released routes, those that may be served. */
  readonly servable: Servable
  /** A pass was made. */
  reported(report: Report): void
}

export interface SsoModuleParts {
  readonly settings: Settings
  readonly routes: RoutesSettings
  /** Somebody said where the provider is. */
  readonly provider_named: boolean
  readonly store: Store
  readonly clock: Clock
  readonly log: Log
  /** The routes file. */
  readonly file: ManagedFile
  /** Null where no API of the proxy is set. */
  readonly proxy: SearchableProxy | null
  readonly engine: () => Engine
  readonly module: ProviderModule
  readonly stillServed: SsoTargetParts['stillServed']
}

export function ssoModule(parts: SsoModuleParts): SsoModule {
  const { settings, routes: routes_settings, provider_named, store, clock, log, file, proxy, module } = parts
  const { rules_file, policies_file, default_policy } = settings.sso
  const http = createHttpClient({ clock })
  const site = { default_policy, policies: sitePolicies(policies_file) }
  const rules = rules_file === null ? null : rulesParts(rules_file, { module, store, clock, log })
  const view = rules === null ? null : new RulesView(rules)
  const exclusions = new RouteExclusions({ settings: site, store, view })
  const takenOut = async () => {
    exclusions.changed()
    await routesFirst(parts, null)
  }
  const { sso_forward_auth_url: forward_auth_url } = routes_settings
  const mayOpen = openRouters(routes_settings)
  const own = signInOf(settings)
  const sign_in = isSetUp(settings) ? withEndpoint(own, { forward_auth_url, store, clock, http }) : own
  const proof = proofModule({ settings, routes: routes_settings, store, clock, http, log, proxy, takenOut })
  return {
    servable: servableRoutes(exclusions, mayOpen),
    targets: (routes) => [
      ...(rules === null || view === null
        ? []
        : [
            rulesTarget(rules, {
              view,
              exclusions,
              fitLocks: (asked_for) => routesFirst(parts, asked_for),
              released: () => store.intent('released'),
              stillServed: parts.stillServed,
              restart_gap_ms: module.restart_gap_ms,
              sessions: async (signal) => (await own.written(signal)).sessions,
            }),
          ]),
      excludingRoutes(routes, exclusions, mayOpen),
      ...(proof === null ? [] : [proof.target]),
    ],
    service: {
      rules: rules === null || view === null ? null : rulesService(rules, view, exclusions),
      attachments: (signal) =>
        readRoutes(file, (text) => attachmentsIn(text, { forward_auth_url, mayOpen }), signal),
      mayOpen,
      openedPaths: (signal) => readRoutes(file, openedIn, signal),
      openPaths: openPathsOf(routes_settings),
      forward_auth_url,
      proxy,
      sign_in,
      providerFault: () => module.observation.fault(),
      proof: proof?.service ?? null,
      accepts_unproven: settings.sso.unproven === 'accept',
      lifted: () => exclusions.changed(),
    },
    reported: (report) => proof?.reported(report),
    // The guard over the sign-in page's own name cannot wait for a file.
    prepare: async () => void (await own.written(new AbortController().signal)),
    start: () => tellChangedPolicies({ settings: site, routes: routes_settings, store, log }),
    checks: [
      providerCheck(
        rules === null && !module.for_users && !provider_named ? null : module.observation,
        provider_named,
      ),
    ],
    async close() {
      await proof?.close()
      await http.close()
    },
  }
}

interface RulesTools extends Pick<
  SsoTargetParts,
  'view' | 'fitLocks' | 'released' | 'stillServed' | 'restart_gap_ms' | 'sessions'
> {
  readonly exclusions: RouteExclusions
}

const rulesTarget = (parts: RulesParts, { exclusions, ...tools }: RulesTools): Source =>
  ssoTarget({
    ...parts,
    ...tools,
    settings: exclusions.settings,
    seen: (observed) => exclusions.saw(observed),
  })

function rulesService(
  { file, provider }: RulesParts,
  view: RulesView,
  exclusions: RouteExclusions,
): RulesService {
  const derived = new WeakMap<Intent, readonly SiteRules[]>()
  return {
    component: SSO_KEY,
    path: file.path,
    can_load: provider.restarts !== 'none',
    look: (signal) => view.look(signal),
    running: (signal) => exclusions.running(signal),
    sites(intent) {
      const sites = derived.get(intent) ?? ssoDesired(intent, exclusions.settings).sites
      derived.set(intent, sites)
      return sites
    },
  }
}

function signInOf({ sso, people, routes }: Settings): SignInSettings {
  const urls = [people.portal_url, routes.sso_url].filter((url) => url !== null)
  return signInSettings({
    path: sso.config_file,
    // A name without a dot, or an address, is how the proxy reaches the provider, and nobody's browser.
    portals: urls.map((url) => new URL(url).hostname).filter((host) => /[.][a-z][a-z0-9-]*$/.test(host)),
    cookie_domains: sso.cookie_domains,
    documents: yamlDocuments,
  })
}

/** Whether anything of it is set up, so that the provider is to be reached from here; else nobody asks it anything. */
const isSetUp = ({ sso: { rules_file, probe, probe_http }, people: { users_file } }: Settings): boolean =>
  [rules_file, probe, probe_http, users_file].some((setting) => setting !== null)

interface EndpointTools extends Pick<SsoModuleParts, 'store' | 'clock'> {
  readonly forward_auth_url: string
  readonly http: HttpClient
}

function withEndpoint(
  settings: SignInSettings,
  { forward_auth_url: url, http, store, clock }: EndpointTools,
): SignInSettings {
  const host = async () => {
    const { rows } = await store.intent('working')
    const row = rows.find(({ fields }) => isProtected(fields) && fields.ssl_enabled)
    return row === undefined ? null : sampleHost(row.fields.domain)
  }
  const endpoint = forwardAuthEndpoint({ url, probe: forwardAuthProbe(url, http), clock, host })
  return {
    written: (signal) => settings.written(signal),
    portals: () => settings.portals(),
    async read(signal) {
      const [found, no_endpoint] = await Promise.all([settings.read(signal), endpoint.fault()])
      return { ...found, no_endpoint }
    },
  }
}

/** Where routes are only watched, they are written for those alone who asked for it. */
async function routesFirst({ engine, log }: SsoModuleParts, asked_for: Whose | null): Promise<void> {
  const { mode } = engine().modeOf('routes')
  const records = mode === 'repair' ? 'all' : mode === 'observe' ? asked_for : null
  if (records === null) return
  await engine()
    .converge('open', { records, component: 'routes' })
    .catch((error: unknown) => log.warn('routes not brought up to date', { error }))
}

/** What the file says by domain. Null where it cannot be read; without a file there is no route. */
async function readRoutes<T>(
  file: ManagedFile,
  read: (text: string) => ReadonlyMap<string, T>,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, T> | null> {
  try {
    const look = await file.look(signal)
    if (look.kind === 'absent') return new Map()
    if (look.kind !== 'file') return null
    await othersTurn()
    return read(Buffer.from(look.bytes).toString('utf8'))
  } catch (error) {
    if (signal.aborted || !(error instanceof Failure)) throw error
    return null
  }
}
