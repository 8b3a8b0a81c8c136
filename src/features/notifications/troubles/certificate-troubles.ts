/**
 * Certificates that were not renewed in their time. Pure. The time is the certificate's own: a long one is not due for a
 * month, and one of six days is not in trouble because it ends within fourteen.
 *
 *   renewal due ── 1/20 of its life ── 14 days before its end ── 3 days ── end
 *                  overdue: notice     warning                   urgent    critical
 *
 * No stage comes before the one on its left. A certificate is judged only where it is the best that a deployed domain has.
 */
import type { Instant, Milliseconds } from '../../../kernel/clock.ts'
import { isoTime } from '../../../kernel/clock.ts'
import { sha256 } from '../../../kernel/digest.ts'
import { type CertificateFacts, covers } from '../../../model/network/certificate.ts'
import type { Severity } from '../../../model/trouble.ts'
import type { SightedTrouble, Sighting } from '../sighting.ts'

export interface HeldCertificate extends Pick<CertificateFacts, 'names' | 'not_before' | 'not_after'> {
  readonly source: 'manager' | 'proxy'
  /** The authority's directory, or the proxy's resolver. */
  readonly place: string
  readonly renewal_at: Instant
  /** Why it was not renewed, where that is known. */
  readonly detail: string | null
}

export interface CertificateFactsNow {
  readonly now: Instant
  /** Before the end. */
  readonly days: readonly number[]
  /** Deployed domains with TLS. */
  readonly domains: readonly string[]
  /** Sources of which nothing is known now. */
  readonly unknown: readonly HeldCertificate['source'][]
}

const DAY_MS: Milliseconds = 24 * 3_600_000

export function certificateTroubles(
  held: readonly HeldCertificate[],
  { now, days, domains, unknown }: CertificateFactsNow,
): Sighting {
  const troubles = [...bestFor(domains, held)].flatMap(([certificate, names]) => {
    const stage = stageOf(certificate, days, now)
    return stage === null ? [] : [troubleOf(certificate, names, stage)]
  })
  return { troubles, unsure: unknown.map((source) => `certificate/${source}/`) }
}

/** By certificate, the domains for which it lasts longest. */
function bestFor(
  domains: readonly string[],
  held: readonly HeldCertificate[],
): ReadonlyMap<HeldCertificate, string[]> {
  const served = new Map<HeldCertificate, string[]>()
  const by_name = new Map<string, HeldCertificate[]>()
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
  { not_before, not_after, renewal_at }: Pick<HeldCertificate, 'not_before' | 'not_after' | 'renewal_at'>,
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

function troubleOf(
  { source, place, names, not_after, renewal_at, detail }: HeldCertificate,
  domains: readonly string[],
  { severity, since }: Stage,
): SightedTrouble {
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
    ripe_at: since,
  }
}
