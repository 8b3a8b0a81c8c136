/** From settings to the rules file and the provider that reads it. */
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
import { yamlDocuments } from './adapters/yaml/documents.ts'
import type { Settings } from './config/sections.ts'
import type { Clock } from './kernel/clock.ts'
import { Failure, fieldError } from './kernel/failure.ts'
import type { Log } from './kernel/log.ts'
import type { Documents } from './ports/documents.ts'
import type { HttpClient } from './ports/http-client.ts'
import type { Store } from './ports/store.ts'
import type { LoadParts } from './targets/sso/load.ts'
import { parseSitePolicies, type SitePolicies } from './targets/sso/policies.ts'
import { MOST_RULES_BYTES } from './targets/sso/rules-view.ts'

export interface RulesParts {
  readonly load: LoadParts & { readonly documents: Documents }
  close(): Promise<void>
}

interface Given {
  readonly settings: Settings
  readonly store: Store
  readonly clock: Clock
  readonly log: Log
  readonly http: HttpClient
}

export function rulesParts(path: string, { settings, store, clock, log, http }: Given): RulesParts {
  const { sso, routes } = settings
  const file = managedFile(path, { most_bytes: MOST_RULES_BYTES, log })
  const { restarter, container } = restarterOf(settings, clock)
  const health_url = sso.health_url ?? new URL('/api/health', routes.sso_url).href
  return {
    load: {
      file,
      changed: () => changedAt(file.path),
      provider: autheliaProvider({ health_url, check: sso.check, restarter, http }),
      store,
      clock,
      restart_gap_ms: sso.restart_gap * 1000,
      documents: yamlDocuments,
    },
    close: async () => container?.close(),
  }
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
export function sitePolicies(path: string | null): SitePolicies {
  if (path === null) return new Map()
  const read = yamlDocuments.read(textOf(path))
  if (!read.ok) throw badPolicies(path, [`line ${read.line ?? '?'} ${read.msg}`])
  const { policies, errors } = parseSitePolicies(read.data)
  if (errors.length > 0)
    throw badPolicies(
      path,
      errors.map(({ loc, msg }) => `${loc.join('.')} ${msg}`),
    )
  return policies
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (cause) {
    throw badPolicies(path, [`cannot be read (${(cause as Error).message})`])
  }
}

const badPolicies = (path: string, faults: readonly string[]): Failure =>
  new Failure(
    'bad_configuration',
    faults.map((fault) => `PLUMBLINE_SSO_POLICIES_FILE: ${path}: ${fault}.`).join('\n'),
    {
      errors: faults.map((fault) =>
        fieldError(['PLUMBLINE_SSO_POLICIES_FILE'], `${path}: ${fault}`, 'config'),
      ),
    },
  )
