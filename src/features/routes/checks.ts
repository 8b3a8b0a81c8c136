/** The proxy: it answers, runs the newest release, asks nobody before our routes, and finds no fault with one of ours. */
import type { PartAdvice } from '../../core/finding.ts'
import type { Milliseconds } from '../../kernel/clock.ts'
import type { ExplainedDifference } from '../../model/drift.ts'
import type { HealthFinding } from '../../model/health.ts'
import type { Deps } from './deps.ts'
import { proxyDrift } from './proxy/proxy-drift.ts'
import { proxyStatus } from './proxy/proxy-status.ts'
import {
  countsOf,
  drifting,
  type HealthCheck,
  healthy,
  impaired,
  type LookedAt,
  named,
  notConfigured,
  unknown,
} from '../../core/check.ts'
import type { ProxyStatusAnswer } from './views.ts'

const EVERY_MS: Milliseconds = 30_000

export const proxyCheck = (deps: Deps): HealthCheck => ({
  name: 'proxy',
  kind: 'dependency',
  configured: deps.proxy.watch !== null || deps.proxy.static_entrypoints !== null,
  every_ms: EVERY_MS,
  async look({ signal, afresh }) {
    if (afresh) deps.proxy.watch?.forget()
    return evaluateProxy(await proxyStatus(deps, signal))
  },
  advises: onProxy,
  // No proxy could have loaded what does not stand there.
  follows: ({ cause, details }, { differs }) =>
    (cause === 'not_loaded' || isUnwritten({ details })) && differs('routes', 0),
})

export const onProxy = ({ cause, details }: Pick<HealthFinding, 'cause' | 'details'>): Partial<PartAdvice> =>
  isUnwritten({ details }) ? NOT_WRITTEN : (PROXY_ADVICE[cause ?? ''] ?? {})

const isUnwritten = ({ details }: Pick<HealthFinding, 'details'>): boolean => details['written'] === false

/** Nothing here ends them by itself. */
const LASTING = { kind: 'failing', severity: 'warning' } as const
const NOT_WRITTEN: Partial<PartAdvice> = {
  ...LASTING,
  remedy:
    'Mend what keeps the routes file from being written; it is tried again by itself, and at once by a deploy.',
}
const NAME_ALIKE: Partial<PartAdvice> = {
  ...LASTING,
  remedy:
    'Name the entry points alike: in the static configuration of the proxy, and in PLUMBLINE_ENTRYPOINTS.',
}

const PROXY_ADVICE: Readonly<Record<string, Partial<PartAdvice>>> = {
  not_loaded: {
    kind: 'not_loaded',
    severity: 'warning',
    remedy:
      'The log of the proxy says why; GET /api/deploy/status shows what it runs and what became of it. Deploy again after that.',
  },
  rejected: {
    ...LASTING,
    remedy:
      'Mend what the proxy names, in the record, its middleware or the proxy itself; deploy again after that.',
  },
  entrypoints_missing: NAME_ALIKE,
  entrypoint_role: NAME_ALIKE,
  shadowed: {
    remedy:
      'Remove the other router, definition or redirection, or give the router a lower priority; plumbline drift names it. No deploy does that.',
  },
  version_too_old: { remedy: 'Set PLUMBLINE_TRAEFIK_VERSION to the version that runs.' },
}

/** Pure. */
export function evaluateProxy(status: ProxyStatusAnswer): LookedAt {
  const { configured, reachable, loaded, version_fits, version } = status
  const details = detailsOf(status)
  const { differences } = proxyDrift(status)
  if (!configured) return evaluateByFile(status, { details, differences })
  if (reachable !== true) return unknown('unreachable', status.detail ?? 'It cannot be read.')
  if (version_fits === false && status.shadowed.length === 0)
    return impaired('version_too_old', status.detail ?? 'It is older than the routes file.', { details })
  if (status.entrypoints_detail !== null) return withoutEntrypoints(status, { details, differences })
  const found = { details, causes: countsOf(differences), differences }
  const [first] = differences
  if (loaded === false) return drifting(first!.cause, status.detail ?? 'It runs another routes file.', found)
  if (first !== undefined) return drifting(first.cause, notServedWords(differences), found)
  if (loaded === null)
    return unknown('unreadable', status.detail ?? 'What it runs is not known.', { details })
  if (status.not_compared !== null) return unknown('unreadable', status.not_compared, { details })
  return healthy(`Traefik ${version} runs the newest release.`, { details })
}

function detailsOf({ version, started_at, routers, written }: ProxyStatusAnswer): LookedAt['details'] {
  const seen = { version, started_at, routers: routers?.total ?? null }
  return written === false ? { ...seen, written } : seen
}

type CheckDetails = Required<Pick<LookedAt, 'details' | 'differences'>>

/** Its static file alone is known. */
function evaluateByFile(status: ProxyStatusAnswer, found: CheckDetails): LookedAt {
  if (status.entrypoints_detail !== null) return withoutEntrypoints(status, found)
  const [first] = found.differences
  if (first === undefined)
    return notConfigured(status.detail ?? '', { details: { settings: ['PLUMBLINE_TRAEFIK_API'] } })
  const domains = [...new Set(found.differences.flatMap((one) => one.domains))]
  const words = `By its static file it does not serve all of the newest release (${named(domains)}). ${first.detail}`
  return drifting(first.cause, words, { ...found, causes: countsOf(found.differences) })
}

function notServedWords(differences: readonly ExplainedDifference[]): string {
  const [first] = differences
  const domains = [...new Set(differences.flatMap((one) => one.domains))]
  const whose = domains.length === 0 ? first!.item : named(domains)
  return `It has loaded the newest release and does not serve all of it (${whose}). ${first!.detail}`
}

/** Before the first deploy nothing else would say so; afterwards it is the cause of the rest. */
function withoutEntrypoints(
  { entrypoints_detail, missing_entrypoints }: ProxyStatusAnswer,
  { details, differences }: CheckDetails,
): LookedAt {
  const missing = (missing_entrypoints ?? []).map((item) => ({
    item,
    cause: 'entrypoints_missing',
    domains: [],
    detail: 'The proxy has no such entry point.',
  }))
  const evaluated = differences.length > 0 ? drifting : impaired
  const cause = missing.length > 0 ? 'entrypoints_missing' : 'entrypoint_role'
  return evaluated(cause, entrypoints_detail!, {
    details,
    differences: [...missing, ...differences],
  })
}
