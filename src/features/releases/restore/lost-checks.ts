/**
 * Which routes let in more than before: those that lose a check, and those that nobody reached. Pure. By host, because
 * that is what stands open, whichever record it belongs to.
 */
import { checksOf } from '../../../model/access/checks.ts'
import type { DomainFields } from '../../../model/domain/record.ts'
import type { Offer } from '../../../model/domain/rules.ts'
import type { Intent } from '../../../model/intent.ts'

/** Warnings, one for each route. */
export function lostChecks(
  before: Intent,
  after: Intent,
  offer: Pick<Offer, 'middlewares'>,
): readonly string[] {
  const known = new Map(before.rows.flatMap(({ live, fields }) => (live ? [[fields.domain, fields]] : [])))
  return after.rows.flatMap(({ live, fields }) => {
    if (!live || fields.service_type === 'manual') return []
    const checks = checksOf(fields, offer)
    const old = known.get(fields.domain)
    if (old === undefined || old.service_type === 'manual') return [opened(fields, checks)]
    const lost = checksOf(old, offer).filter((check) => !checks.includes(check))
    return lost.length === 0 ? [] : [`${fields.domain} loses a check: ${lost.join(', ')}.`]
  })
}

const opened = ({ domain }: DomainFields, checks: readonly string[]): string =>
  `${domain} is opened: it was not reachable, and will be ` +
  `${checks.length === 0 ? 'without any check' : `behind ${checks.join(', ')}`}.`
