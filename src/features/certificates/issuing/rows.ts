/** Rows of one name, and how an order's row moves on. */
import type { CertificateOrder } from '../order-records.ts'
import type { CertificateTrouble, CertificateWriter, InstalledCertificate } from '../records.ts'
import type { IssuerParts } from './parts.ts'

type Parts = Pick<IssuerParts, 'store' | 'clock'>
type Change = Partial<Pick<CertificateOrder, 'step' | 'order_url' | 'challenges' | 'replaces'>>

export const installedAs = async ({ store }: Parts, name: string): Promise<InstalledCertificate | null> =>
  (await store.certificates()).find((certificate) => certificate.name === name) ?? null

export const orderFor = async ({ store }: Parts, name: string): Promise<CertificateOrder | null> =>
  (await store.certificateOrders()).find((order) => order.name === name) ?? null

export const troubleOf = async ({ store }: Parts, name: string): Promise<CertificateTrouble | null> =>
  (await store.certificateTrouble()).find((trouble) => trouble.name === name) ?? null

/**
 * Durable when it resolves. `updated_at` tells since when the step stands, so it moves with the step alone.
 * @param also what is written in the same transaction
 */
export async function moveOn(
  { store, clock }: Parts,
  order: CertificateOrder,
  { also, ...change }: Change & { readonly also?: (tx: CertificateWriter) => Promise<void> },
): Promise<CertificateOrder> {
  const same_step = change.step === undefined || change.step === order.step
  const row = { ...order, ...change, updated_at: same_step ? order.updated_at : clock.now() }
  await store.write(async (tx) => {
    await tx.saveOrder(row)
    await also?.(tx)
  })
  return row
}
