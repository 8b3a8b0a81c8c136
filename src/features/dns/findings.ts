/**
 * Records of ours that the public name servers do not show, although their time is over. Pure.
 *
 * Only a name that every server shows is over. One that is on its way, or of which a server says nothing, is not known to
 * be: after a restart its time begins anew. Where the zone at the provider is itself not as it should be, that is the
 * cause, and is told by the zone's key.
 */
import { rrsetKey } from '../../model/network/dns.ts'
import type { Finding, Findings, FindingSource, Overview } from '../../core/finding.ts'
import { ASK_THE_SERVERS, INTEGRITY } from './checks.ts'
import type { Deps } from './deps.ts'
import type { IntegrityResult } from './integrity/integrity-result.ts'
import type { Propagation } from './integrity/propagation.ts'
import { dnsKey } from './target/diff.ts'

export const lateFindings =
  ({ dns_watch }: Pick<Deps, 'dns_watch'>): FindingSource =>
  ({ overview }) =>
    evaluateLate(dns_watch.integrity.last, overview)

const ROOT = 'dns-integrity/'

/** @param result null before the first check */
export function evaluateLate(
  result: IntegrityResult | null,
  { part: partOf, differs }: Pick<Overview, 'part' | 'differs'>,
): Findings {
  const part = partOf(INTEGRITY)
  if (part?.configured !== true) return { findings: [], indeterminate: [] }
  if (result === null || part.stale) return { findings: [], indeterminate: [ROOT] }
  const differsAtProvider = ({ zone, domain_id }: Propagation['set']) => differs(dnsKey(zone), domain_id)
  const reported = result.names.filter(({ state, set }) => state === 'slow' && !differsAtProvider(set))
  return {
    findings: reported.map(lateIn),
    indeterminate:
      result.failure === null
        ? result.names.filter(({ state }) => state !== 'synced').map(({ set }) => `${ROOT}${rrsetKey(set)}/`)
        : [ROOT],
  }
}

const lateIn = ({ set, since, checked_at }: Propagation): Finding => {
  const began = since ?? checked_at ?? 0
  return {
    id: `${ROOT}${rrsetKey(set)}/0`,
    kind: 'dns_not_in_place',
    severity: 'warning',
    component: 'dns',
    key: dnsKey(set.zone),
    domains: [set.name],
    since: began,
    message: 'More than ten minutes after it was written, not every authoritative name server shows it.',
    remedy: ASK_THE_SERVERS,
    alert_after_ms: 0,
  }
}
