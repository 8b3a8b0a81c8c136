/** What an attempt that did not end well leaves: an order that is dead or goes on, and trouble with the time of the next try. */
import { Failure } from '../../../../kernel/failure.ts'
import type { CertificateOrder } from '../../order-records.ts'
import { provenNames } from './begin-order.ts'
import type { CertificateWish } from '../issuer.ts'
import { leave } from './leave.ts'
import { issuedBy } from '../ledger.ts'
import { isQuiet, OrderTrouble } from '../order-trouble.ts'
import type { IssuerParts } from '../parts.ts'
import { orderFor, troubleOf } from '../rows.ts'
import { troubleAfter } from '../trouble.ts'

/** Writes it down; answers what the caller is to be told. */
export async function setback(
  parts: IssuerParts,
  wish: CertificateWish,
  { error, signal }: { readonly error: unknown; readonly signal: AbortSignal },
): Promise<unknown> {
  if (error instanceof Failure && isQuiet(error)) return error
  const trouble = error instanceof OrderTrouble ? error : new OrderTrouble(failureIn(error), {})
  const order = await orderFor(parts, wish.name)
  // The certificate is there; only traces are left, and their row says which.
  if (order?.step === 'stored') return error
  const failed = order !== null && trouble.dead ? { ...order, step: 'failed' as const } : null
  const retry_after_ms = await writeDown(parts, wish, { trouble, order, failed })
  const { code, message, details } = trouble.failure
  parts.log.warn('a certificate could not be obtained', { name: wish.name, code, message, retry_after_ms })
  if (failed !== null) await leaveIfPossible(parts, failed, signal)
  return error instanceof Failure || error instanceof OrderTrouble
    ? new Failure(code, message, { ...details, retry_after_ms, cause: trouble.failure })
    : error
}

/** A mistake of ours is trouble too, else it would be repeated without end. Its words are for the log alone. */
const failureIn = (error: unknown): Failure =>
  error instanceof Failure
    ? error
    : new Failure('internal', 'Something went wrong here. The log knows more.', { cause: error })

interface Ended {
  readonly trouble: OrderTrouble
  readonly order: CertificateOrder | null
  readonly failed: CertificateOrder | null
}

/** @returns how long to wait */
async function writeDown(parts: IssuerParts, { name }: CertificateWish, { trouble, order, failed }: Ended) {
  const { clock, acme, staging, random } = parts
  const { failure, ladder, dead, failed_names, nothing_issued } = trouble
  const previous = await troubleOf(parts, name)
  const directory = order?.directory ?? acme.directory
  const row = troubleAfter(
    previous,
    {
      name,
      directory,
      code: failure.code,
      message: failure.message,
      ladder,
      retry_after_ms: failure.details.retry_after_ms ?? null,
      rehearse: staging !== null && ((dead && ladder === 'authority') || previous?.rehearse === true),
    },
    { now: clock.now(), random: random() },
  )
  const counted = failed === null || nothing_issued ? null : issuedBy(order!, row.failed_at)
  await parts.store.write(async (tx) => {
    await tx.saveTrouble(row)
    if (failed !== null) await tx.saveOrder(failed)
    if (counted !== null) await tx.addToLedger(counted)
    for (const subject of provenNames(failed_names))
      await tx.addToLedger({ at: row.failed_at, directory, kind: 'failed_authorization', subject })
  })
  return row.next_try_at - row.failed_at
}

/** What cannot be taken away now stays on the row, and is tried again by the next order and when tidying up. */
async function leaveIfPossible(
  parts: IssuerParts,
  failed: CertificateOrder,
  signal: AbortSignal,
): Promise<void> {
  try {
    await leave(parts, failed, signal)
  } catch (error) {
    signal.throwIfAborted()
    parts.log.warn('TXT records of a failed order are still there', { name: failed.name, error })
  }
}
