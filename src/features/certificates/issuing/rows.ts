/** Rows of one name, and how an order's row moves on. */
import type { CertificateOrder } from '../order-records.ts'
import type { CertificateFailure, CertificateWriter, InstalledCertificate } from '../records.ts'
import type { IssuerParts } from './parts.ts'
import { type OrderEvent, stepAfter } from './steps/order-steps.ts'

type Parts = Pick<IssuerParts, 'store' | 'clock'>
type Change = Partial<Pick<CertificateOrder, 'order_url' | 'challenges' | 'replaces'>>

export const installedAs = async ({ store }: Parts, name: string): Promise<InstalledCertificate | null> =>
  (await store.certificates()).find((certificate) => certificate.name === name) ?? null

export const orderFor = async ({ store }: Parts, name: string): Promise<CertificateOrder | null> =>
  (await store.certificateOrders()).find((order) => order.name === name) ?? null

export const faultOf = async ({ store }: Parts, name: string): Promise<CertificateFailure | null> =>
  (await store.certificateFailures()).find((failure) => failure.name === name) ?? null

interface Moved extends Change {
  readonly event?: OrderEvent
  readonly also?: (tx: CertificateWriter) => Promise<void>
}

/**
 * Durable when it resolves. `updated_at` tells since when the step stands, so it moves with the step alone.
 * @param event what has happened to the order; left out where the step stands
 * @param also what is written in the same transaction
 */
export async function saveStep(
  { store, clock }: Parts,
  order: CertificateOrder,
  { event, also, ...change }: Moved,
): Promise<CertificateOrder> {
  const step = event === undefined ? order.step : stepAfter(order.step, event)
  const row = { ...order, ...change, step, updated_at: step === order.step ? order.updated_at : clock.now() }
  await store.write(async (tx) => {
    await tx.saveOrder(row)
    await also?.(tx)
  })
  return row
}
