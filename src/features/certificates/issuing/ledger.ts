/**
 * What we allow ourselves at an authority, below what it allows, so that its limits are never met. Pure.
 *
 * Let's Encrypt: 5 certificates for the same set of names in 7 days, 5 failed authorisations for a name and account in an
 * hour, 300 orders of an account in 3 hours. An order that may have led to a certificate is counted, also where we never saw it.
 */
import type { Instant, Milliseconds } from '../../../kernel/clock.ts'
import type { CertificateOrder } from '../order-records.ts'
import type { LedgerEntry } from '../records.ts'

const HOUR: Milliseconds = 3_600_000
const DAY: Milliseconds = 24 * HOUR
/** Longer than any limit reaches back, so that a clock that was set forward for a while costs nothing. */
export const KEPT_MS: Milliseconds = 30 * DAY

export interface Limit {
  readonly most: number
  readonly within_ms: Milliseconds
  /** What there were too many of, for people. */
  readonly what: string
}

export const LIMITS: Readonly<Record<LedgerEntry['kind'], Limit>> = {
  issued: { most: 4, within_ms: 7 * DAY, what: 'certificates for the same names in 7 days' },
  failed_authorization: { most: 4, within_ms: HOUR, what: 'failed validations of the name in an hour' },
  // The waits after trouble keep far below it; names that somebody changes to and fro do not.
  ordered: { most: 10, within_ms: 3 * HOUR, what: 'orders for the same names in 3 hours' },
}

/** Null where one more is within the limit, else when it will be. */
export function nextWithin(
  limit: Limit,
  entries: readonly Pick<LedgerEntry, 'at'>[],
  now: Instant,
): Instant | null {
  const counted = entries
    .map(({ at }) => at)
    // What lies more than a day ahead was written while the clock was wrong: nobody knows when that really was.
    .filter((at) => at > now - limit.within_ms && at <= now + DAY)
    .sort((a, b) => a - b)
  return counted.length < limit.most ? null : counted[counted.length - limit.most]! + limit.within_ms
}

/** How a set of names is called in the ledger. */
export const setSubject = (names: readonly string[]): string => JSON.stringify(names.toSorted())

type Counted = Pick<CertificateOrder, 'step' | 'rehearsal' | 'directory' | 'names'>

/**
 * What an order that is left now adds: the authority was asked to issue, or was about to be, and nobody knows what came of
 * it. Null for one that did not get so far; those that are stored or failed were judged when they became that.
 */
export const issuedBy = ({ step, rehearsal, directory, names }: Counted, at: Instant): LedgerEntry | null =>
  rehearsal || (step !== 'validated' && step !== 'finalised')
    ? null
    : { at, directory, kind: 'issued', subject: setSubject(names) }
