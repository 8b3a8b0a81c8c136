/** Walks an order from where its row says it stands to its end, a persisted step at a time. */
import { Failure } from '../../../../kernel/failure.ts'
import type { AcmeOrder } from '../../acme/port.ts'
import type { CertificateOrder } from '../../order-records.ts'
import { download, finalise, noteValidated } from './finalise-order.ts'
import { isDone, type NextStep, nextStep } from './next-step.ts'
import { asked, deadOrder, OrderFailure, unfinished } from '../order-failure.ts'
import { answer, type At, awaitRecords, present } from './solve-challenge.ts'
import { saveStep } from '../rows.ts'
import { resumedAt } from './order-steps.ts'
import { until } from './wait.ts'

interface Stand {
  readonly row: CertificateOrder
  /** Null when the authority must be asked again. */
  readonly seen: AcmeOrder | null
}

/** Ends at `stored`, a rehearsal at `validated`. Throws OrderFailure, or a Failure after which the order still stands. */
export async function advanceOrder(at: At, order: CertificateOrder): Promise<CertificateOrder> {
  // Whether the records still stand after a crash or a pause nobody knows; putting them there again harms nothing.
  let stand: Stand = { row: { ...order, step: resumedAt(order.step) }, seen: null }
  while (!isDone(stand.row)) {
    at.signal.throwIfAborted()
    stand = await step(at, stand)
  }
  return stand.row
}

async function step(at: At, { row, seen }: Stand): Promise<Stand> {
  if (row.order_url === null) return begin(at, row)
  const order = seen ?? (await read(at, row.order_url))
  return act(at, nextStep(row, order, at.parts.clock.now()), { row, seen: order })
}

/** An order that the authority does not know any more was not refused: it is gone, and another one may follow soon. */
async function read({ acme, signal }: Pick<At, 'acme' | 'signal'>, url: string): Promise<AcmeOrder> {
  try {
    return await asked(acme.order(url, signal))
  } catch (error) {
    if (!(error instanceof OrderFailure) || !error.dead) throw error
    throw new OrderFailure(error.failure, { dead: true })
  }
}

/**
 * A crash between the answer and its row loses the order's address. Asked again for the same names, Boulder answers with
 * the pending order; RFC 8555 has no other sure way (the list of §7.1.2.1 is not there with Boulder). Elsewhere the lost
 * one stays pending until it ends by itself; no certificate comes of it.
 */
async function begin(at: At, row: CertificateOrder): Promise<Stand> {
  const { names, replaces } = row
  try {
    const seen = await asked(at.acme.newOrder({ names, replaces }, at.signal))
    return { row: await saveStep(at.parts, row, { event: 'order_made', order_url: seen.url }), seen }
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'conflict' || replaces === null) throw error
    at.parts.log.info('the authority does not take this certificate for a replacement', {
      name: row.name,
      replaces,
    })
    return { row: await saveStep(at.parts, row, { replaces: null }), seen: null }
  }
}

async function act(
  at: At,
  move: NextStep,
  stand: { row: CertificateOrder; seen: AcmeOrder },
): Promise<Stand> {
  const { row, seen } = stand
  switch (move.do) {
    case 'present':
      return { row: await present(at, row, seen), seen }
    case 'await_records':
      return { row: await awaitRecords(at, row), seen }
    case 'answer':
      return { row: await answer(at, row), seen: null }
    case 'await_validation':
      return { row, seen: await moved(at, stand, 'validating the names') }
    case 'note':
      return { row: await note(at, row, move.step), seen }
    case 'finalise':
      return finalise(at, row, seen)
    case 'await_issue':
      return { row, seen: await moved(at, stand, 'issuing the certificate') }
    case 'download':
      return { row: await download(at, row, seen), seen }
    case 'fail':
      throw await death(at, move.why, seen)
  }
}

const note = (at: At, row: CertificateOrder, step: 'validated' | 'finalised'): Promise<CertificateOrder> =>
  step === 'validated' ? noteValidated(at, row) : saveStep(at.parts, row, { event: 'order_finalised' })

/** Waits until the authority says something else than it does now. */
async function moved({ parts, acme, signal }: At, { row, seen }: Stand, doing: string): Promise<AcmeOrder> {
  const url = row.order_url!
  const changed = await until(parts.clock, signal, async () => {
    const order = await read({ acme, signal }, url)
    return order.status === seen?.status ? null : order
  })
  if (changed === null) throw unfinished(row.step, `${new URL(url).host} is still ${doing}.`)
  return changed
}

/** The authority's words about each name that failed, where it still tells them. */
async function death(at: At, why: string, seen: AcmeOrder): Promise<Error> {
  const failed = seen.status === 'invalid' ? await failedNames(at, seen) : []
  const words = failed.flatMap(({ name, error }) => (error === null ? [] : [`${name}: ${error}`]))
  const text = words.length === 0 ? why : `The validation failed. ${words.join('; ')}.`
  const failed_names = failed.map(({ name }) => name)
  return deadOrder(text, { ladder: 'authority', failed_names, nothing_issued: seen.status === 'invalid' })
}

async function failedNames({ acme, signal }: At, { authorization_urls }: AcmeOrder) {
  const failed: { readonly name: string; readonly error: string | null }[] = []
  for (const url of authorization_urls)
    try {
      const { name, status, dns } = await acme.authorization(url, signal)
      if (status === 'invalid') failed.push({ name, error: dns?.error ?? null })
    } catch {
      // The order has failed anyhow; only its reasons would have been better to have.
      signal.throwIfAborted()
    }
  return failed
}
