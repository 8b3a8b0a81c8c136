/** Leaving an order: what it put into the world goes first, its row last. */
import type { CertificateOrder } from '../../order-records.ts'
import { issuedBy } from '../ledger.ts'
import type { IssuerParts } from '../parts.ts'
import { takeAway } from './solve-challenge.ts'
import { faultOf } from '../rows.ts'

/** Throws a Failure where something is still there; then the row stands and says what. */
export async function abandonOrder(
  parts: IssuerParts,
  order: CertificateOrder,
  signal: AbortSignal,
): Promise<void> {
  const { name, id, rehearsal, step } = order
  await takeAway(parts, order, signal)
  await parts.files.dropRequest({ name, order_id: id })
  const failure = await faultOf(parts, name)
  const counted = issuedBy(order, parts.clock.now())
  await parts.store.write(async (tx) => {
    await tx.dropOrder(id)
    if (counted !== null) await tx.addToLedger(counted)
    // It went well: the next order is a real one.
    if (rehearsal && step === 'validated' && failure !== null)
      await tx.saveFailure({ ...failure, rehearse: false })
  })
}
