/**
 * Why a domain is as it is, component by component: what was saved, what was released and what is there, the cause where
 * they differ, and what the engine will do about it. Looks afresh and changes nothing.
 */
import { findDomain } from '../../core/find-domain.ts'
import type { CoreParts } from '../../core/parts.ts'
import { causeOf } from '../../engine/cause.ts'
import { domainCondition, type KeyConditions } from '../../engine/status/key-conditions.ts'
import type { LiveStatus } from '../../engine/status/key-status.ts'
import type { Excerpts } from '../../engine/status/observed-key.ts'
import { hideSecrets } from '../../kernel/text/hide-secrets.ts'
import { isoTime, upcoming, isoTimeOrNull } from '../../kernel/clock.ts'
import { backendWarnings } from '../../model/domain/backend-rules.ts'
import { type DomainRecord, isLive } from '../../model/domain/record.ts'
import { type DriftCause, type DriftState, type ExplainedDifference, mostUrgent } from '../../model/drift.ts'
import type { IntentRow } from '../../model/intent.ts'
import type { Reaction } from '../../model/reaction.ts'
import { CERTIFICATES_SERVED } from '../certificates/wire/wire-drift.ts'
import { endedWarnings } from '../domains/backend/ended.ts'
import { presentCondition } from '../health/conditions/present.ts'
import { loadedAmong } from '../routes/loaded/loaded.ts'
import { isWritten } from '../routes/loaded/loaded-state.ts'
import { rejectedIn } from '../routes/loaded/rejected.ts'
import { proxyDrift } from '../routes/proxy/proxy-drift.ts'
import { besideSoon } from '../routes/proxy/plan-warnings.ts'
import { sentAwayRivals } from '../routes/proxy/sent-away.ts'
import { NOT_COMPARED } from '../routes/proxy/proxy-status.ts'
import { isShadow, rivalsOfDomains } from '../routes/proxy/shadow/shadows.ts'
import { messageOf } from './condition-then.ts'
import type { Deps } from './deps.ts'
import type { ExplainedComponent, ExplainedDomain, ServedState } from './explained.ts'
import { NOT_MADE, whyNotPublished } from './not-published.ts'
import { releasedBy, savedBy, undoneEdit } from './provenance.ts'
import { explainServed } from './served-certificate.ts'
import { signInFaults } from './sign-in-faults.ts'
import { summaryOf } from './summary.ts'
import { whyNotIssued } from './unissued.ts'

export async function explainDomain(
  deps: Deps,
  domain_id: number,
  signal: AbortSignal,
): Promise<ExplainedDomain> {
  const { store, engine } = deps
  const record = await findDomain(store, domain_id)
  const released = (await store.intent('released')).rows.find((row) => row.domain_id === domain_id)
  const deployed = released?.live === true ? released : null
  const pending = (await engine.pendingRows()).some((row) => row.domain_id === domain_id)
  const names = [...new Set([record.domain, released?.fields.domain ?? record.domain])]
  const [statuses, served, { faults: sign_in, not_proven }, not_published] = await Promise.all([
    engine.looksFor([domain_id], signal),
    servedState(deps, names, signal),
    signInFaults(deps, names, signal),
    whyNotPublished(deps, domain_id),
  ])
  const components = [
    // A key that has left meanwhile has no conditions, and nothing to do with the record any more.
    ...statuses.flatMap(({ conditions, ...status }) =>
      conditions === null
        ? []
        : explainComponent(deps, { record, deployed, pending, not_published, status, conditions }),
    ),
    ...(await explainServed(deps, servedAs(record, deployed), signal)),
  ]
  const is_served = components.some(({ component, agrees }) => component === CERTIFICATES_SERVED && agrees)
  const live = deployed?.fields ?? (isLive(record) ? record : null)
  return {
    domain_id,
    domain: record.domain,
    status: record.status,
    revision: record.revision,
    summary: summaryOf(record, {
      released_as: deployed?.fields.domain ?? record.domain,
      pending,
      components,
      served,
      sign_in,
      not_proven,
      not_published,
    }),
    not_published,
    no_certificate: is_served ? null : await whyNotIssued(deps, { fields: live, components }, signal),
    saved: await savedBy(store, record),
    released_revision: deployed?.revision ?? null,
    released: await releasedBy(store, domain_id),
    undone: await undoneEdit(store, domain_id),
    warnings: warningsOn(deps, record, deployed),
    pending,
    components,
    served,
    sign_in,
    not_proven,
  }
}

/** Of both editions, each said once. */
const warningsOn = (deps: Deps, record: DomainRecord, deployed: IntentRow | null): readonly string[] => [
  ...new Set(
    [record, ...(deployed === null ? [] : [deployed.fields])].flatMap((fields) => [
      ...backendWarnings(fields),
      ...endedWarnings(deps, [fields]),
    ]),
  ),
]

const servedAs = ({ id: domain_id, domain }: DomainRecord, deployed: IntentRow | null) => ({
  domain_id,
  domain: deployed?.fields.domain ?? domain,
  revision: deployed?.revision ?? null,
})

interface Matter {
  readonly record: DomainRecord
  readonly deployed: IntentRow | null
  readonly pending: boolean
  readonly not_published: string | null
  readonly status: Omit<LiveStatus, 'conditions'>
  readonly conditions: KeyConditions
}

function explainComponent({ clock }: CoreParts, matter: Matter): ExplainedComponent {
  const { record, deployed, pending, status } = matter
  const { observed, mode } = status
  const { applied, guard, attempt, reaction, is_released } = observed.of(record.id)
  const names = [...new Set([deployed?.fields.domain ?? record.domain, record.domain])]
  const excerpts = observed.excerpts(names)
  const differences = status.differences.filter(
    ({ domains }) => domains.length === 0 || domains.some((domain) => names.includes(domain)),
  )
  const { agrees, cause } = agreementOf(observed.deviates, { excerpts, differences, pending, is_released })
  const now = clock.now()
  const kept = observed.kept(record.id)
  const next_attempt_at = upcoming(attempt?.next_attempt_at ?? null, now) ?? status.next_attempt_at
  return {
    component: status.component,
    key: status.key,
    agrees,
    cause,
    desired: excerpts?.working ?? null,
    released: excerpts?.released ?? null,
    observed: excerpts?.observed ? hideSecrets(excerpts.observed) : null,
    kept,
    differences,
    sidesOf: observed.sidesOf,
    observed_at: isoTime(observed.observed_at),
    unknown_because: observed.deviates === null ? observed.unknown_because : null,
    applied,
    condition: conditionOf({ matter, excerpts, kept, reaction, now }),
    engine: {
      ...reaction,
      mode: mode.mode,
      mode_reason: mode.reason,
      suspended_until: isoTimeOrNull(mode.expires_at),
      guard,
      failures: attempt?.failures ?? 0,
      next_attempt_at: isoTimeOrNull(next_attempt_at),
    },
  }
}

interface DomainFacts {
  readonly excerpts: Excerpts | null
  readonly differences: readonly ExplainedDifference[]
  readonly pending: boolean
  /** What is the domain's of the world is what was released. */
  readonly is_released: boolean
}

/** By the domain's differences, whose causes the target decides; where none is listed for it, by what the sides hold for it. */
function agreementOf(
  deviates: DriftState,
  { excerpts, differences, pending, is_released }: DomainFacts,
): { readonly agrees: DriftState; readonly cause: DriftCause | null } {
  if (deviates === null) return { agrees: null, cause: null }
  const own = mostUrgent(differences.flatMap(({ domains, cause }) => (domains.length > 0 ? [cause] : [])))
  const whole = differences[0]?.cause ?? null
  const cause = own ?? (excerpts === null ? whole : byExcerpts(excerpts, { whole, pending, is_released }))
  return { agrees: cause === null, cause }
}

function byExcerpts(
  { working, released, observed }: Excerpts,
  {
    whole,
    pending,
    is_released,
  }: Pick<DomainFacts, 'pending' | 'is_released'> & { readonly whole: DriftCause | null },
): DriftCause | null {
  // Where neither edition asks for anything, what stands there is somebody else's, unless it is told as a difference.
  if (working === null && released === null && whole === null) return null
  const cause = causeOf({ working, released, observed: is_released ? released : observed }, pending)
  // Nobody has touched what our own write did not get into.
  return whole === 'rejected' && cause !== null && cause !== 'pending_deploy' ? whole : cause
}

interface Situation {
  readonly matter: Matter
  readonly excerpts: Excerpts | null
  readonly kept: readonly string[]
  readonly reaction: Reaction
  readonly now: number
}

/** Where neither edition asks for anything of the domain, the component is right to have nothing of it. */
function conditionOf({ matter, excerpts, kept, reaction, now }: Situation): ExplainedComponent['condition'] {
  const { record, deployed, pending, not_published, conditions } = matter
  const asked = { domain_id: record.id, released_revision: deployed?.revision ?? null, pending }
  const condition = domainCondition(conditions, asked, now)
  const isAbsent = excerpts !== null && excerpts.working === null && excerpts.released === null
  const unmade = not_published !== null && conditions.component === 'dns' ? NOT_MADE : null
  const entry =
    isAbsent && condition.status === 'true'
      ? { ...condition, reason: 'not_rendered' as const, message: unmade ?? absence(record, kept) }
      : condition
  return {
    ...presentCondition(entry),
    message: messageOf(entry, reaction, conditions.passed_at ?? null),
    observed_at: isoTimeOrNull(conditions.seen_at),
  }
}

function absence(record: DomainRecord, kept: readonly string[]): string {
  if (record.service_type === 'manual') return 'It is managed elsewhere: never rendered, never touched.'
  if (kept.length > 0)
    return `Nothing is asked for of a record that is ${record.status}; kept for it: ${kept.join(', ')}.`
  return isLive(record)
    ? 'It has nothing of this domain.'
    : `It has nothing of a record that is ${record.status}.`
}

// What the proxy makes of the routes of one domain that were written and loaded.

/** Null while its API is not set, but for what files tell. @param domains the names that the record has in its two editions */
async function servedState(
  deps: Deps,
  domains: readonly string[],
  signal: AbortSignal,
): Promise<ServedState | null> {
  const { watch } = deps.proxy
  if (watch === null) return servedByFile(deps, domains)
  watch.forget()
  const seen = await watch.look(signal)
  const base = { observed_at: isoTime(seen.at), beside: [], differences: [] }
  if (!seen.known) return { ...base, agrees: null, cause: null, unknown_because: seen.detail }
  const state = await loadedAmong(deps, watch.routersOf(seen.snapshot).middlewares)
  const { loaded, detail } = state
  const { rivals, is_cut } = await rivalsOfDomains(deps, seen, { domains, loaded, signal })
  const rejected = (await rejectedIn(deps, seen.snapshot)).filter(({ domain }) => domains.includes(domain))
  const written = isWritten(state)
  const shadowed = rivals.filter(isShadow)
  const { drift, differences } = proxyDrift({
    loaded,
    written,
    detail,
    rejected,
    shadowed,
    not_compared: is_cut ? NOT_COMPARED : null,
  })
  return {
    ...base,
    agrees: drift === null ? null : !drift,
    cause: differences[0]?.cause ?? null,
    differences,
    beside: rivals.filter((rival) => !isShadow(rival)),
    unknown_because: drift === null ? (is_cut ? NOT_COMPARED : detail) : null,
  }
}

const NOTHING_SEEN = {
  loaded: null,
  written: null,
  detail: null,
  rejected: null,
  not_compared: null,
} as const

/** By the static file of the proxy, and by the other files that it reads beside ours. */
async function servedByFile(deps: Deps, domains: readonly string[]): Promise<ServedState | null> {
  const [sent_away, folder] = await Promise.all([sentAwayRivals(deps), besideSoon(deps)])
  const shadowed = sent_away.filter((rival) => domains.includes(rival.domains[0]!))
  const differences = [
    ...proxyDrift({ ...NOTHING_SEEN, shadowed }).differences,
    ...folder.filter((one) => one.domains.some((domain) => domains.includes(domain))),
  ]
  if (differences.length === 0) return null
  const cause = differences[0]?.cause ?? null
  const observed_at = isoTime(deps.clock.now())
  return { agrees: false, cause, differences, beside: [], unknown_because: null, observed_at }
}
