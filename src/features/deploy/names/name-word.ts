/**
 * What DNS has said of a new name. Pure. The first line that fits holds, over all zones that have to do with the record:
 *
 *   a set of the very name is refused     refused   by who holds it, or by its provider: `REFUSALS`
 *   a zone has not answered               unknown   not asked yet, unreachable, suspended, busy, without leave, or not done yet
 *   else                                  taken
 *
 * That nobody can be asked says nothing about the name, and what is refused of the name before it says nothing either.
 */
import type { FailureCode } from '../../../kernel/failure.ts'
import type { Renamed } from '../../../engine/editions/renamed.ts'
import { MANAGED_TYPES, rrsetItem } from '../../../model/network/dns.ts'
import { failureFor, type RefusedRepair, type Report } from '../../../model/report.ts'

const REFUSALS: ReadonlySet<FailureCode> = new Set(['foreign_owner', 'provider_refused', 'conflict'])

export type NameWord =
  | { readonly said: 'refused'; readonly why: RefusedRepair }
  | { readonly said: 'unknown' | 'taken'; readonly why: null }

/** @param reports of the zones; null for one that was not looked at yet */
export function nameWord({ after }: Renamed, reports: readonly (Report | null)[]): NameWord {
  const why = reports.map((report) => report && refusalOf(after, report)).find((refusal) => refusal !== null)
  if (why !== undefined) return { said: 'refused', why }
  const has_answered = (report: Report | null): boolean =>
    report !== null && report.outcome !== 'left_unfinished' && failureFor(report, [after.domain_id]) === null
  return { said: reports.every(has_answered) ? 'taken' : 'unknown', why: null }
}

function refusalOf(
  { domain_id, fields }: Renamed['after'],
  { outcome, refusals }: Report,
): RefusedRepair | null {
  if (outcome !== 'refused' && outcome !== 'failed') return null
  const sets = new Set(MANAGED_TYPES.map((type) => rrsetItem({ type, name: fields.domain })))
  const refusal = refusals.find(
    ({ item, domain_ids, failure, beside, unfinished }) =>
      sets.has(item) &&
      domain_ids.includes(domain_id) &&
      REFUSALS.has(failure.code) &&
      beside !== true &&
      unfinished !== true,
  )
  return refusal?.failure ?? null
}
