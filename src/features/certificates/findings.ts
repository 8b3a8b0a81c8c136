/**
 * Certificates that were not renewed in their time. The time is the certificate's own: a long one is not due for a month, and one of six days is not in trouble because it ends within fourteen.
 *
 *   renewal due ── 1/20 of its life ── 14 days before its end ── 3 days ── end
 *                  overdue: notice     warning                   urgent    critical
 *
 * No stage comes before the one on its left. A certificate is judged only where it is the best that a deployed domain has.
 */
import { type Instant, isoTime, type Milliseconds } from '../../kernel/clock.ts'
import { sha256 } from '../../kernel/digest.ts'
import type { Intent } from '../../model/intent.ts'
import { type CertificateFacts, covers } from '../../model/network/certificate.ts'
import type { Severity } from '../../model/alert.ts'
import type { Finding, Findings, FindingSource } from '../../core/finding.ts'
import type { AcmeReading, AcmeStore } from './acme-store/port.ts'
import type { Deps } from './deps.ts'
import { renewalDue } from './issuing/renewal.ts'
import { certificateRecords } from './records.ts'

export interface Renewable extends Pick<CertificateFacts, 'names' | 'not_before' | 'not_after'> {
  readonly source: 'manager' | 'proxy'
  /** The authority's directory, or the proxy's resolver. */
  readonly place: string
  readonly renewal_at: Instant
  /** Why it was not renewed, where that is known. */
  readonly detail: string | null
}

export interface RenewalFacts {
  readonly now: Instant
  /** Before the end. */
  readonly days: readonly number[]
  /** Deployed domains with TLS. */
  readonly domains: readonly string[]
  /** Sources of which nothing is known now. */
  readonly unknown: readonly Renewable['source'][]
}

const DAY_MS: Milliseconds = 24 * 3_600_000
/** The share of its life after which a proxy renews a certificate, as the manager does. */
const RENEWED_AFTER = 2 / 3
const STORE_WITHIN_MS: Milliseconds = 5000

/** Pure. */
export function overdueCertificates(
  held: readonly Renewable[],
  { now, days, domains, unknown }: RenewalFacts,
): Findings {
  const findings = [...bestFor(domains, held)].flatMap(([certificate, names]) => {
    const stage = stageOf(certificate, days, now)
    return stage === null ? [] : [findingOf(certificate, names, stage)]
  })
  return { findings, indeterminate: unknown.map((source) => `certificate/${source}/`) }
}

/** By certificate, the domains for which it lasts longest. */
function bestFor(domains: readonly string[], held: readonly Renewable[]): ReadonlyMap<Renewable, string[]> {
  const served = new Map<Renewable, string[]>()
  const by_name = new Map<string, Renewable[]>()
  for (const certificate of held)
    for (const name of certificate.names) by_name.set(name, [...(by_name.get(name) ?? []), certificate])
  for (const domain of domains) {
    const fitting = candidates(domain)
      .flatMap((name) => by_name.get(name) ?? [])
      .filter(({ names }) => covers(names, domain))
    if (fitting.length === 0) continue
    const best = fitting.reduce((a, b) => (b.not_after > a.not_after ? b : a))
    served.set(best, [...(served.get(best) ?? []), domain])
  }
  return served
}

const candidates = (domain: string): readonly string[] => [domain, `*${domain.slice(domain.indexOf('.'))}`]

interface Stage {
  readonly severity: Severity
  readonly since: Instant
}

/** Null while it is in its time. */
export function stageOf(
  { not_before, not_after, renewal_at }: Pick<Renewable, 'not_before' | 'not_after' | 'renewal_at'>,
  days: readonly number[],
  now: Instant,
): Stage | null {
  const overdue_at = renewal_at + (not_after - not_before) / 20
  if (not_after <= now) return { severity: 'critical', since: not_after }
  if (now < overdue_at) return null
  const left_ms = not_after - now
  const passed = days.filter((day) => left_ms <= day * DAY_MS)
  const severity = passed.length === 0 ? 'notice' : passed.includes(Math.min(...days)) ? 'urgent' : 'warning'
  return { severity, since: renewal_at }
}

function findingOf(
  { source, place, names, not_after, renewal_at, detail }: Renewable,
  domains: readonly string[],
  { severity, since }: Stage,
): Finding {
  const is_over = severity === 'critical'
  const name = names[0] ?? 'without a name'
  const end = isoTime(not_after)
  const why = detail === null ? '' : ` ${detail}`
  return {
    id: `certificate/${source}/${sha256([JSON.stringify([place, names])]).slice(0, 16)}`,
    kind: is_over ? 'certificate_expired' : 'certificate_due',
    severity,
    component: 'certificates',
    key: name,
    domains: [...domains].sort(),
    since,
    message: is_over
      ? `The certificate ${name} ended at ${end}.${why}`
      : `The certificate ${name} was due for renewal at ${isoTime(renewal_at)} and ends at ${end}.${why}`,
    remedy:
      source === 'manager'
        ? '"plumbline certificates" shows what is in the way; "certificates reconcile --retry" tries now.'
        : `The proxy renews it: its log has the reason; resolver ${place}.`,
    alert_after_ms: 0,
  }
}

type Parts = Pick<Deps, 'store' | 'certificates'>

/** Nobody outside is asked; the proxy's store costs a stat. @param days before its end, each of which is told again */
export const certificateFindings =
  ({ store, certificates }: Parts, days: readonly number[]): FindingSource =>
  async ({ now, signal }) => {
    const domains = withTls(await store.intent('released'))
    const { held, unknown } = await certificatesHeld({ store, certificates }, now, signal)
    return overdueCertificates(held, { now, days, domains, unknown })
  }

const withTls = ({ rows }: Intent): readonly string[] =>
  rows.filter(({ live, fields }) => live && fields.ssl_enabled).map(({ fields }) => fields.domain)

async function certificatesHeld(
  parts: Parts,
  now: Instant,
  signal: AbortSignal,
): Promise<{ readonly held: readonly Renewable[]; readonly unknown: RenewalFacts['unknown'] }> {
  const ours = await byManager(parts, now)
  const acme_store = parts.certificates.store
  if (acme_store === null) return { held: ours, unknown: [] }
  const reading = await readWithin(acme_store, signal)
  if (reading === null) return { held: ours, unknown: ['proxy'] }
  return { held: [...ours, ...byProxy(reading)], unknown: reading.state === 'good' ? [] : ['proxy'] }
}

const byProxy = ({ content }: AcmeReading): readonly Renewable[] =>
  (content?.resolvers ?? []).flatMap(({ name, certificates }) =>
    certificates.map(({ names, not_before, not_after }): Renewable => ({
      source: 'proxy',
      place: name,
      names,
      not_before,
      not_after,
      renewal_at: not_before + (not_after - not_before) * RENEWED_AFTER,
      detail: null,
    })),
  )

/** Null where it takes too long. */
async function readWithin(store: AcmeStore, signal: AbortSignal): Promise<AcmeReading | null> {
  const late = AbortSignal.timeout(STORE_WITHIN_MS)
  try {
    return await store.read(AbortSignal.any([signal, late]))
  } catch (error) {
    if (late.aborted && !signal.aborted) return null
    throw error
  }
}

async function byManager({ store, certificates }: Parts, now: Instant): Promise<readonly Renewable[]> {
  if (certificates.manager === null) return []
  const failure = new Map(
    (await store.of(certificateRecords).certificateFailures()).map(({ name, message }) => [name, message]),
  )
  return (await store.of(certificateRecords).certificates()).map((certificate) => ({
    source: 'manager',
    place: certificate.directory,
    names: certificate.names,
    not_before: certificate.not_before,
    not_after: certificate.not_after,
    renewal_at: renewalDue(certificate, now).at,
    detail: failure.get(certificate.name) ?? null,
  }))
}
