/** From settings to single sign-on: the rules file and its provider, what keeps routes back, and what operations know of it. */
import { readFileSync } from 'node:fs'
import {
  autheliaProvider,
  byCommand,
  byNobody,
  byWatcher,
  type Restarter,
} from './adapters/authelia/provider.ts'
import { type Container, dockerContainer } from './adapters/docker/container.ts'
import { changedAt } from './adapters/files/changed-at.ts'
import { managedFile } from './adapters/files/managed-file.ts'
import { createHttpClient } from './adapters/http-client/create-client.ts'
import { yamlDocuments } from './adapters/yaml/documents.ts'
import type { Settings } from './config/sections.ts'
import type { Source } from './engine/components.ts'
import type { Engine } from './engine/engine.ts'
import type { Clock } from './kernel/clock.ts'
import { Failure, fieldError } from './kernel/failure.ts'
import type { Log } from './kernel/log.ts'
import type { HttpClient } from './ports/http-client.ts'
import type { Store } from './ports/store.ts'
import { type Holding, withholding } from './targets/routes/withhold.ts'
import type { routesTarget } from './targets/routes/target.ts'
import { Keeper } from './targets/sso/keeper.ts'
import { parseSitePolicies, type SitePolicies } from './targets/sso/policies.ts'
import { MOST_RULES_BYTES, RulesView } from './targets/sso/rules-view.ts'
import { ssoTarget } from './targets/sso/target.ts'

export interface SsoRoom {
  /** In the order of work, with the routes target that is handed in at its place. */
  targets(routes: ReturnType<typeof routesTarget>): readonly Source[]
  stop(): Promise<void>
}

export interface SsoRoomParts {
  readonly settings: Settings
  readonly store: Store
  readonly clock: Clock
  readonly log: Log
  readonly engine: () => Engine
}

export function ssoRoom(parts: SsoRoomParts): SsoRoom {
  const { settings, clock } = parts
  const http = createHttpClient({ clock })
  const rules = settings.sso.rules_file === null ? null : rulesRoom(parts, settings.sso.rules_file, http)
  return {
    targets: (routes) => (rules === null ? [routes] : [rules.target, withholding(routes, rules.holding)]),
    async stop() {
      await rules?.close()
      await http.close()
    },
  }
}

interface RulesRoom {
  readonly target: Source
  readonly holding: Holding
  close(): Promise<void>
}

function rulesRoom(parts: SsoRoomParts, path: string, http: HttpClient): RulesRoom {
  const { settings, store, clock, log } = parts
  const { sso, routes } = settings
  const file = managedFile(path, { most_bytes: MOST_RULES_BYTES, log })
  const { restarter, container } = restarterOf(settings, clock)
  const provider = autheliaProvider({
    health_url: sso.health_url ?? new URL('/api/health', routes.sso_url).href,
    check: sso.check,
    restarter,
    http,
  })
  const load = {
    file,
    changed: () => changedAt(file.path),
    provider,
    store,
    clock,
    restart_gap_ms: sso.restart_gap * 1000,
    documents: yamlDocuments,
  }
  const keeper = new Keeper({
    settings: { default_policy: sso.default_policy, policies: sitePolicies(sso.policies_file) },
    store,
    view: new RulesView(load),
    documents: yamlDocuments,
  })
  const target = ssoTarget({
    ...load,
    settings: keeper.settings,
    fitLocks: () => fitLocks(parts),
    seen: (observed) => keeper.saw(observed),
  })
  return {
    target,
    holding: keeper,
    close: async () => container?.close(),
  }
}

/** Where routes are only watched, nobody but their own caller writes them. */
async function fitLocks({ engine, log }: SsoRoomParts): Promise<void> {
  if (engine().modeOf('routes').mode !== 'repair') return
  await engine()
    .converge('open', { component: 'routes' })
    .catch((error: unknown) => log.warn('routes not looked at before the rules', { error }))
}

const DOCKER_SOCKET = '/var/run/docker.sock'

function restarterOf(
  { sso }: Settings,
  clock: Clock,
): { readonly restarter: Restarter; readonly container: Container | null } {
  switch (sso.restart.way) {
    case 'command':
      return { restarter: byCommand(sso.restart.command), container: null }
    case 'docker': {
      const container = dockerContainer(sso.restart.container, DOCKER_SOCKET)
      return { restarter: { way: 'docker', ...container }, container }
    }
    case 'watched':
      return { restarter: byWatcher(clock), container: null }
    case 'none':
      return { restarter: byNobody, container: null }
  }
}

/** Throws `bad_configuration` with every fault. */
function sitePolicies(path: string | null): SitePolicies {
  if (path === null) return new Map()
  const bad = (faults: readonly string[]) =>
    new Failure(
      'bad_configuration',
      faults.map((fault) => `PLUMBLINE_SSO_POLICIES_FILE: ${path}: ${fault}.`).join('\n'),
      { errors: faults.map((fault) => fieldError(['PLUMBLINE_SSO_POLICIES_FILE'], fault, 'config')) },
    )
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (cause) {
    throw bad([`cannot be read (${(cause as Error).message})`])
  }
  const read = yamlDocuments.read(text)
  if (!read.ok) throw bad([`line ${read.line ?? '?'} ${read.msg}`])
  const { policies, errors } = parseSitePolicies(read.data)
  if (errors.length > 0) throw bad(errors.map(({ loc, msg }) => `${loc.join('.')} ${msg}`))
  return policies
}
