/**
 * What to do next for an order, from its row and from what the authority says of it. Pure.
 *
 *   the authority   row planned   ordered   presented      propagated   answered          validated   finalised
 *   ─────────────   ───────────   ───────   ────────────   ──────────   ───────────────   ─────────   ───────────
 *   (not asked)     order
 *   pending                       present   await_records  answer       await_validation  ← the same  ← the same
 *   ready                         ─── validated: nothing more is to be proven ───         finalise    await_issue
 *   processing                    ─── finalised: a crash forgot to say so ───             finalised   await_issue
 *   valid                         ─── finalised: a crash forgot to say so ───             finalised   download
 *   invalid         ─── fail ───
 */
import { type Instant, isoTime, type Milliseconds } from '../../../../kernel/clock.ts'
import type { AcmeOrder } from '../../acme/port.ts'
import type { CertificateOrder } from '../../order-records.ts'
import type { OrderStep } from '../../../../model/network/certificate.ts'

export type NextStep =
  | { readonly do: 'present' | 'await_records' | 'answer' | 'finalise' | 'download' }
  | { readonly do: 'await_validation' | 'await_issue' }
  /** The step is reached already. */
  | { readonly do: 'note'; readonly step: 'validated' | 'finalised' }
  /** It leads nowhere any more. @param why a sentence with its cure */
  | { readonly do: 'fail'; readonly why: string }

const HOUR: Milliseconds = 3_600_000
/** An authority that has not made up its mind by then will not. */
export const STUCK_AFTER: Milliseconds = HOUR
/** Authorisations last longer with some authorities; by then the cause should be looked at anew. */
const OLDEST: Milliseconds = 24 * HOUR

export function nextStep(row: CertificateOrder, seen: AcmeOrder, now: Instant): NextStep {
  switch (seen.status) {
    case 'invalid':
      return fail(`The order is invalid: ${seen.error ?? 'no reason was given'}.`)
    case 'valid':
      return row.step === 'finalised' ? { do: 'download' } : { do: 'note', step: 'finalised' }
    case 'processing':
      return row.step === 'finalised' ? awaiting('await_issue', row, now) : { do: 'note', step: 'finalised' }
    case 'ready':
      return whenReady(row, seen, now)
    case 'pending':
      return whilePending(row, seen, now)
  }
}

function whenReady(row: CertificateOrder, seen: AcmeOrder, now: Instant): NextStep {
  if (row.step === 'finalised') return awaiting('await_issue', row, now)
  if (row.step !== 'validated') return { do: 'note', step: 'validated' }
  return expiry(row, seen, now) ?? { do: 'finalise' }
}

function whilePending(row: CertificateOrder, seen: AcmeOrder, now: Instant): NextStep {
  return expiry(row, seen, now) ?? pendingMove(row, now)
}

function pendingMove(row: CertificateOrder, now: Instant): NextStep {
  switch (row.step) {
    case 'planned':
    case 'ordered':
      return { do: 'present' }
    case 'presented':
      return { do: 'await_records' }
    case 'propagated':
      return { do: 'answer' }
    case 'answered':
    case 'validated':
    case 'finalised':
    case 'stored':
    case 'failed':
      return awaiting('await_validation', row, now)
  }
}

function expiry({ started_at }: CertificateOrder, { expires_at }: AcmeOrder, now: Instant): NextStep | null {
  if (expires_at !== null && expires_at <= now)
    return fail(
      `The order ended at ${isoTime(expires_at)}, before it was done. A new one is made at the next try.`,
    )
  return started_at + OLDEST > now
    ? null
    : fail(`The order is from ${isoTime(started_at)} and still not done. A new one is made at the next try.`)
}

/** Counted from when the step was reached. */
function awaiting(
  what: 'await_validation' | 'await_issue',
  { updated_at }: CertificateOrder,
  now: Instant,
): NextStep {
  if (updated_at + STUCK_AFTER > now) return { do: what }
  const doing = what === 'await_issue' ? 'issuing the certificate' : 'validating the names'
  return fail(
    `The authority has been ${doing} since ${isoTime(updated_at)} without a result. Look at its status page; a new order is made at the next try.`,
  )
}

const fail = (why: string): NextStep => ({ do: 'fail', why })

const DONE: readonly OrderStep[] = ['stored', 'failed']

/** A rehearsal ends when the authority has validated. */
export const isDone = ({ step, rehearsal }: CertificateOrder): boolean =>
  DONE.includes(step) || (rehearsal && step === 'validated')
