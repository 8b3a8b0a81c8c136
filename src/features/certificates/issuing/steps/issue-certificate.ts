/** One attempt to get a certificate: waits that are kept, what stands taken up or left, and a failure recorded in its row. */
import { isoTime, type Milliseconds } from '../../../../kernel/clock.ts'
import { Failure } from '../../../../kernel/failure.ts'
import type { CertificateOrder } from '../../order-records.ts'
import type { CertificateFailure, InstalledCertificate } from '../../records.ts'
import { sameNames } from '../fitness.ts'
import type { CertificateWish } from '../port.ts'
import { issuedBy } from '../ledger.ts'
import { isQuiet, notNow, OrderFailure } from '../order-failure.ts'
import type { IssuerParts } from '../parts.ts'
import { installedAs, orderFor, faultOf } from '../rows.ts'
import { failureAfter, sameKind, waitsUntil } from '../backoff.ts'
import { beginOrder, provenNames } from './begin-order.ts'
import { abandonOrder } from './abandon-order.ts'
import { stepAfter } from './order-steps.ts'
import { advanceOrder } from './advance-order.ts'

export interface Why {
  readonly reason: string
  readonly signal: AbortSignal
}

export async function issue(
  parts: IssuerParts,
  wish: CertificateWish,
  why: Why,
): Promise<InstalledCertificate> {
  const done = await finished(parts, wish, why.signal)
  if (done !== null) return done
  await respectTheWait(parts, wish)
  try {
    return await attempt(parts, wish, why)
  } catch (error) {
    why.signal.throwIfAborted()
    throw await recordFailure(parts, wish, { error, signal: why.signal })
  }
}

/** An order whose certificate is stored needs no authority any more, only its traces removed. */
async function finished(
  parts: IssuerParts,
  wish: CertificateWish,
  signal: AbortSignal,
): Promise<InstalledCertificate | null> {
  const order = await orderFor(parts, wish.name)
  if (order?.step !== 'stored') return null
  await abandonOrder(parts, order, signal)
  return isPassed(parts, order, wish) ? null : installedAs(parts, wish.name)
}

async function respectTheWait(parts: IssuerParts, { name }: CertificateWish): Promise<void> {
  const { clock } = parts
  const order_failure = await faultOf(parts, name)
  const until = waitsUntil(order_failure, await installedAs(parts, name), clock.now())
  if (order_failure === null || until === null) return
  const message = `${order_failure.message} The next try is at ${isoTime(until)}.`
  throw notNow(order_failure.code, message, until - clock.now())
}

async function attempt(parts: IssuerParts, wish: CertificateWish, { reason, signal }: Why) {
  let order = await orderFor(parts, wish.name)
  if (order !== null && (order.step === 'failed' || isPassed(parts, order, wish))) {
    await abandonOrder(parts, order, signal)
    order = null
  }
  for (;;) {
    order ??= await beginOrder(parts, wish, reason)
    const acme = order.rehearsal ? parts.staging! : parts.acme
    const end = await advanceOrder({ parts, acme, signal }, order)
    await abandonOrder(parts, end, signal)
    if (!end.rehearsal) return theInstalled(parts, end)
    parts.log.info('a rehearsal at the staging authority went well', { name: wish.name })
    order = null
  }
}

/** It is for other names, or for an authority that is not asked any more. */
function isPassed(
  { acme, staging }: IssuerParts,
  order: CertificateOrder,
  { names }: CertificateWish,
): boolean {
  const directory = order.rehearsal ? staging?.directory : acme.directory
  return order.directory !== directory || !sameNames(order.names, names)
}

async function theInstalled(parts: IssuerParts, { name, started_at }: CertificateOrder) {
  const installed = await installedAs(parts, name)
  if (installed === null)
    throw new Failure('internal', `The certificate for ${name} was stored and is not there.`)
  const { serial, issuer, not_after } = installed
  parts.log.info('a certificate was obtained', { name, serial, issuer, not_after, ordered_at: started_at })
  return installed
}

// What an attempt that did not end well leaves: an order that is dead or goes on, and trouble with the time of the next try.

/** Writes it down; answers what the caller is to be told. */
async function recordFailure(
  parts: IssuerParts,
  wish: CertificateWish,
  { error, signal }: { readonly error: unknown; readonly signal: AbortSignal },
): Promise<unknown> {
  if (error instanceof Failure && isQuiet(error)) return error
  const order_failure = error instanceof OrderFailure ? error : new OrderFailure(failureIn(error), {})
  const order = await orderFor(parts, wish.name)
  // The certificate is there; only traces are left, and their row says which.
  if (order?.step === 'stored') return error
  const previous = await faultOf(parts, wish.name)
  const unrehearsed = isIdleRehearsal(order, order_failure, previous)
  const failed =
    order !== null && (order_failure.dead || unrehearsed)
      ? { ...order, step: stepAfter(order.step, 'given_up') }
      : null
  const retry_after_ms = await writeDown(parts, wish, { order_failure, order, failed, previous, unrehearsed })
  const { code, message, details } = order_failure.failure
  parts.log.warn('a certificate could not be obtained', { name: wish.name, code, message, retry_after_ms })
  if (failed !== null) await leaveIfPossible(parts, failed, signal)
  return error instanceof Failure || error instanceof OrderFailure
    ? new Failure(code, message, { ...details, retry_after_ms, cause: order_failure.failure })
    : error
}

/** A mistake of ours is recorded as a failure too, else it would be repeated without end. Its words are for the log alone. */
const failureIn = (error: unknown): Failure =>
  error instanceof Failure
    ? error
    : new Failure('internal', 'Something went wrong here. The log knows more.', { cause: error })

/** Twice in a row nothing was refused, and nothing came of it: a staging authority that is down says nothing of the names. */
const isIdleRehearsal = (
  order: CertificateOrder | null,
  { ladder, failure }: OrderFailure,
  previous: CertificateFailure | null,
): boolean =>
  order?.rehearsal === true &&
  // It is being given up already.
  order.step !== 'failed' &&
  ladder === 'here' &&
  previous?.directory === order.directory &&
  sameKind(previous.code, failure.code)

interface Ended {
  readonly order_failure: OrderFailure
  readonly order: CertificateOrder | null
  readonly failed: CertificateOrder | null
  readonly previous: CertificateFailure | null
  /** The next try is the order itself. */
  readonly unrehearsed: boolean
}

/** @returns how long to wait */
async function writeDown(parts: IssuerParts, wish: CertificateWish, ended: Ended): Promise<Milliseconds> {
  const { order, failed } = ended
  const { failed_names, nothing_issued } = ended.order_failure
  const row = failureRow(parts, wish, ended)
  const { directory, failed_at } = row
  const counted = failed === null || nothing_issued ? null : issuedBy(order!, failed_at)
  await parts.store.write(async (tx) => {
    await tx.saveFailure(row)
    if (failed !== null) await tx.saveOrder(failed)
    if (counted !== null) await tx.addToLedger(counted)
    for (const subject of provenNames(failed_names))
      await tx.addToLedger({ at: failed_at, directory, kind: 'failed_authorization', subject })
  })
  return row.next_try_at - failed_at
}

function failureRow(
  { clock, acme, staging, random }: IssuerParts,
  { name }: CertificateWish,
  { order_failure, order, previous, unrehearsed }: Ended,
): CertificateFailure {
  const { failure, ladder, dead } = order_failure
  const is_suspect = (dead && ladder === 'authority') || previous?.rehearse === true
  const attempt = {
    name,
    directory: order?.directory ?? acme.directory,
    code: failure.code,
    message: failure.message,
    ladder,
    retry_after_ms: failure.details.retry_after_ms ?? null,
    rehearse: staging !== null && !unrehearsed && is_suspect,
  }
  return failureAfter(previous, attempt, { now: clock.now(), random: random() })
}

/** What cannot be taken away now stays on the row, and is tried again by the next order and when tidying up. */
async function leaveIfPossible(
  parts: IssuerParts,
  failed: CertificateOrder,
  signal: AbortSignal,
): Promise<void> {
  try {
    await abandonOrder(parts, failed, signal)
  } catch (error) {
    signal.throwIfAborted()
    parts.log.warn('TXT records of a failed order are still there', { name: failed.name, error })
  }
}
