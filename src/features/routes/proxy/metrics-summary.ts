/** The figures as a text for a person: what there is, what differs, what was deployed, what the proxy says. */
import { type Instant, isoTime } from '../../../kernel/clock.ts'
import { componentCondition } from '../../../engine/status/key-conditions.ts'
import type { Deps } from '../deps.ts'
import { pendingDomains } from '../../../core/deploy.ts'
import { domainStats } from '../../domains/read.ts'
import { proxyStatus } from './proxy-status.ts'
import type { ProxyStatusAnswer, RouterFaults } from '../views.ts'
import { firstNames } from '../../../kernel/text/first-names.ts'

export async function metricsSummary(deps: Deps, signal: AbortSignal): Promise<string> {
  const [stats, keys, release, proxy, errors, pending] = await Promise.all([
    domainStats(deps),
    deps.engine.conditions(),
    deps.store.latestRelease(),
    proxyStatus(deps, signal),
    deps.store.domains({ status: 'error', sort: 'domain', limit: MAX_NAMED }),
    pendingDomains(deps),
  ])
  const lines = [
    ...domainLines({ stats, errors, pending }),
    releaseLine(release),
    ...componentLines(deps, keys),
    ...proxyLines(proxy),
  ]
  return `${lines.join('\n')}\n`
}

interface DomainFigures {
  readonly stats: Awaited<ReturnType<typeof domainStats>>
  readonly errors: Awaited<ReturnType<Deps['store']['domains']>>
  readonly pending: Awaited<ReturnType<typeof pendingDomains>>
}

const domainLines = ({ stats, errors, pending }: DomainFigures): readonly string[] => [
  `Domains    ${stats.total}: ${counts(stats.by_status)}`,
  ...errors.records.map(
    ({ domain, status_reason }) => `  in error ${domain}: ${status_reason ?? 'no reason kept'}`,
  ),
  ...more(errors.total),
  `Types      ${counts(stats.by_service_type)}`,
  `Sign-on    ${stats.auth_required} behind single sign-on`,
  `Pending    ${stats.pending_deploy} saved and not deployed${namesOf(pending.map(({ domain }) => domain))}`,
]

const releaseLine = (release: Awaited<ReturnType<Deps['store']['latestRelease']>>): string =>
  release === null
    ? 'Release    none yet'
    : `Release    ${release.number} of ${isoTime(release.created_at).replace(/\.[0-9]+Z$/, 'Z')}, by ${release.actor}: ${release.reason}`

type Engine = Deps['engine']
type Keys = Awaited<ReturnType<Engine['conditions']>>

function componentLines({ engine, clock }: Deps, keys: Keys): readonly string[] {
  const now = clock.now()
  const reports = new Map(engine.lastReports().map((report) => [report.key, report]))
  return keys.map((of_key) => componentLine(of_key, reports.get(of_key.key), now))
}

function componentLine(
  of_key: Keys[number],
  report: ReturnType<Engine['lastReports']>[number] | undefined,
  now: Instant,
): string {
  const { status, reason } = componentCondition(of_key, now)
  const took = report === undefined ? '' : `, last pass ${report.outcome} in ${Math.ceil(report.took_ms)} ms`
  return `Component  ${of_key.key}: ${WORDS[status]} (${reason})${took}`
}

const proxyLines = (proxy: ProxyStatusAnswer): readonly string[] => [
  `Proxy      ${proxyWords(proxy)}`,
  ...(proxy.routers?.faults ?? []).slice(0, MAX_NAMED).map(faultLine),
  ...more(proxy.routers?.in_error.length ?? 0),
  ...proxy.shadowed.slice(0, MAX_NAMED).map(({ detail }) => `  shadowed ${detail}`),
  ...more(proxy.shadowed.length),
]

const faultLine = ({ router, errors }: RouterFaults['faults'][number]): string =>
  `  in error ${router}: ${errors.join('; ') || 'the proxy does not say why'}`

const MAX_NAMED = 5

const more = (total: number): readonly string[] =>
  total > MAX_NAMED ? [`  and ${total - MAX_NAMED} more`] : []

const namesOf = (names: readonly string[]): string =>
  names.length === 0 ? '' : `: ${firstNames(names, MAX_NAMED)}`

const WORDS = { true: 'right', false: 'wrong', unknown: 'unknown' } as const

const counts = (by: Readonly<Record<string, number>>): string =>
  Object.entries(by)
    .filter(([, count]) => count > 0)
    .map(([name, count]) => `${count} ${name}`)
    .join(', ') || 'none'

function proxyWords({ configured, reachable, version, loaded, detail, routers }: ProxyStatusAnswer): string {
  if (!configured) return 'not asked: PLUMBLINE_TRAEFIK_API is not set'
  if (reachable === false) return `unknown: ${detail}`
  const runs = loaded === true ? 'runs the newest release' : (detail ?? 'it is not known what it runs')
  return `Traefik ${version}, ${routers?.total ?? 0} routers, ${routers?.in_error.length ?? 0} in error; ${runs}`
}
