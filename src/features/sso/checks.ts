/** Single sign-on: the provider, and whether what stands in front of the routes is what the flags of the records say. */
import type { Milliseconds } from '../../kernel/clock.ts'
import { DRIFT_CAUSES, mostUrgent } from '../../model/drift.ts'
import type { HealthDifference, HealthFinding } from '../../model/health.ts'
import {
  type Advice,
  type Finding,
  type FindingSource,
  type KeptWords,
  known,
  type PartAdvice,
} from '../../core/finding.ts'
import { type Quarantined, ssoRecords } from './records.ts'
import type { ProviderHealth, SsoProvider } from '../../ports/sso-provider.ts'
import type { Deps } from './deps.ts'
import { readRouteProofs, readSsoDrift, type RouteProofs, type SsoDrift } from './read-drift.ts'
import { SSO_CAUSES, SSO_LISTS, type SsoList } from './report.ts'
import {
  countsOf,
  drifting,
  type HealthCheck,
  healthy,
  impaired,
  type LookedAt,
  named,
  unknown,
} from '../../core/check.ts'

const EVERY_MS: Milliseconds = 30_000

/** @param provider null where none is set up @param is_named somebody said where it is: it must be there then */
export const providerCheck = (
  provider: Pick<SsoProvider, 'health'> | null,
  is_named: boolean,
): HealthCheck => ({
  name: 'sso_provider',
  kind: 'dependency',
  configured: provider !== null,
  every_ms: EVERY_MS,
  look: async ({ signal }) => evaluateProvider(await provider!.health(signal), is_named),
})

/** Pure. */
function evaluateProvider(health: ProviderHealth, is_named: boolean): LookedAt {
  if (health.ok === true) return healthy('It says that it is well.')
  const message = `${health.why} See that the SSO provider runs, and PLUMBLINE_SSO_HEALTH_URL.`
  if (health.ok === false) return impaired('unhealthy', message)
  return is_named && health.absent === true
    ? impaired('unreachable', message)
    : unknown('unreachable', message)
}

/** With the time of a look and of a round, what came just after one is on the page within a minute. */
const DRIFT_EVERY_MS: Milliseconds = 30_000

/** The timer asks nobody for it: what was found is on the page at once. */
const ROUTES_EVERY_MS: Milliseconds = 2_000
/** A probe asks every route, and has to answer in time. */
const PROBED_WITHIN_MS: Milliseconds = 1_200

/**
 * The attachments, and routes that answered without signing in. Two readings: what a proxy that hangs runs is not known,
 * and what it answered when it was asked is.
 */
export function attachmentChecks(deps: Deps): readonly HealthCheck[] {
  const base = { kind: 'watch', configured: true, every_ms: DRIFT_EVERY_MS } as const
  return [
    {
      ...base,
      name: 'sso_attachments',
      look: async ({ signal }) => evaluateAttachments(await readSsoDrift(deps, signal, 'kept')),
      advises: onAttachments,
      // A proxy that is not well has other middlewares, too.
      follows: (_own, { part }) => part('proxy')?.ok === false,
    },
    {
      ...base,
      name: 'sso_routes',
      every_ms: ROUTES_EVERY_MS,
      reads_kept: true,
      configured: deps.sso.proof !== null,
      look: async ({ signal, afresh }) =>
        evaluateRoutes(
          await readRouteProofs(
            deps,
            afresh ? { domains: null, within_ms: PROBED_WITHIN_MS, signal } : 'kept',
          ),
        ),
      advises: onRoutes,
    },
  ]
}

/** What it reads is told by the keys of the rules and of the routes; what no key keeps is told here. */
const onAttachments = ({ cause }: Pick<HealthFinding, 'cause'>): Partial<PartAdvice> => ({
  kind: 'failing',
  severity: 'warning',
  is_reported_apart: cause === null || (DRIFT_CAUSES as readonly string[]).includes(cause),
  ...(cause !== null && { remedy: 'GET /api/sso/drift says of each domain what differs and what helps.' }),
})

/** Told by the proof, which is kept, and by the quarantine. */
const onRoutes = ({ cause }: Pick<HealthFinding, 'cause'>): Partial<PartAdvice> => ({
  is_reported_apart: true,
  ...(cause !== null && { remedy: cause === 'quarantined' ? LIFT : CLOSE }),
})

const CLOSE = 'Deactivate the domain now; GET /api/sso/drift says why it is open.'
const LIFT = 'Find the reason (GET /api/sso/drift), then "plumbline access lift DOMAIN" puts the route back.'

const ATTACHMENTS: readonly SsoList[] = SSO_LISTS.filter((list) => list !== 'open_route')

/** Pure: as `GET /api/sso/drift` judges, in its words. */
export function evaluateAttachments(drift: SsoDrift): LookedAt {
  const details = { protected_domains: drift.protected_domains }
  const entries = ATTACHMENTS.flatMap((list) => entriesOf(drift, list))
  if (entries.length > 0) return drifted(entries, details)
  const open = drift.unknown.filter((one) => one.part !== 'proof')
  if (open.length > 0) return unknown('unreadable', open[0]!.detail, { details })
  return healthy('Rules and middlewares are what the records say.', { details })
}

/** Pure. A route that is kept out is closed, and somebody has to look why it was open. */
export function evaluateRoutes(drift: RouteProofs): LookedAt {
  const quarantined = drift.quarantine.map(({ domain }) => domain)
  const details = { protected_domains: drift.protected_domains, quarantined }
  const entries = entriesOf(drift, 'open_route')
  if (entries.length > 0) return drifted(entries, details)
  if (quarantined.length > 0)
    return impaired('quarantined', `${named(quarantined)} answered without signing in, and is kept out.`, {
      details,
    })
  const open = drift.unknown.filter((one) => one.part === 'proof')
  if (open.length > 0) return unknown('unreadable', open[0]!.detail, { details })
  return healthy('Every protected route that was asked is closed.', { details })
}

const entriesOf = <List extends SsoList>(
  drift: Pick<SsoDrift, List>,
  list: List,
): readonly HealthDifference[] =>
  drift[list].map(({ domain, cause, detail }) => ({
    item: `${list} ${domain}`,
    cause,
    domains: [domain],
    detail,
  }))

/** What no reconciler mends goes first, and an edit that waits is the least of it. */
const BEYOND = SSO_CAUSES.filter((cause) => !(DRIFT_CAUSES as readonly string[]).includes(cause)).toReversed()

function drifted(differences: readonly HealthDifference[], details: Record<string, unknown>): LookedAt {
  const causes = countsOf(differences)
  const cause = BEYOND.find((one) => causes[one] !== undefined) ?? mostUrgent(Object.keys(causes))!
  const domains = [...new Set(differences.flatMap((one) => one.domains))]
  return drifting(cause, `${named(domains)}: not as the records say.`, { details, differences, causes })
}

const ROUTE_OPEN: Pick<Advice, 'kind' | 'severity' | 'alert_after_ms'> = {
  kind: 'route_open',
  severity: 'critical',
  alert_after_ms: 0,
}

/** A route that the proof has found open; and a proxy of which nothing is known proves nothing. */
export const PROOF_WORDS: KeptWords = {
  refused: { ...ROUTE_OPEN, remedy: CLOSE },
  isBlindedBy: ({ isBlind }) => isBlind('proxy'),
}

/** What stood open and is kept out. */
export const quarantineFindings =
  ({ store }: Pick<Deps, 'store'>): FindingSource =>
  async () =>
    known((await store.of(ssoRecords).quarantine()).map(takenOut))

export const takenOut = ({ domain_id, domain, since, evidence }: Quarantined): Finding => ({
  ...ROUTE_OPEN,
  id: `quarantine/${domain_id}`,
  component: 'sso',
  key: 'quarantine',
  domains: [domain],
  since,
  message: `A protected route stood open and was taken out: ${evidence}.`,
  remedy: LIFT,
})
