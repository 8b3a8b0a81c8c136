/** Taking away what orders left behind: those that nobody wants any more, and traces of those that are over. */
import type { CertificateOrder } from '../order-records.ts'
import type { CertificateWish } from './issuer.ts'
import { leave } from './steps/leave.ts'
import type { IssuerParts } from './parts.ts'

/** @param isRunning whether an order for the name is just being worked on: its traces are still needed */
export async function tidy(
  parts: IssuerParts,
  wanted: readonly CertificateWish[],
  { isRunning, signal }: { readonly isRunning: (name: string) => boolean; readonly signal: AbortSignal },
): Promise<void> {
  const names = new Set(wanted.map(({ name }) => name))
  for (const order of await parts.store.certificateOrders())
    if (!isRunning(order.name) && (!names.has(order.name) || isOver(order))) await tryTo(parts, order, signal)
  await dropTroubleBut(parts, names)
  await dropKeysWithoutOrder(parts, { isRunning, signal })
}

const isOver = ({ step }: CertificateOrder): boolean => step === 'stored' || step === 'failed'

async function tryTo(parts: IssuerParts, order: CertificateOrder, signal: AbortSignal): Promise<void> {
  try {
    await leave(parts, order, signal)
  } catch (error) {
    signal.throwIfAborted()
    parts.log.warn('TXT records of an order are still there', { name: order.name, error })
  }
}

async function dropTroubleBut({ store }: IssuerParts, names: ReadonlySet<string>): Promise<void> {
  const unwanted = (await store.certificateTrouble()).filter(({ name }) => !names.has(name))
  if (unwanted.length === 0) return
  await store.write(async (tx) => {
    for (const { name } of unwanted) await tx.dropTrouble(name)
  })
}

async function dropKeysWithoutOrder(
  { store, files, log }: IssuerParts,
  { isRunning, signal }: { readonly isRunning: (name: string) => boolean; readonly signal: AbortSignal },
): Promise<void> {
  try {
    // The keys first: one that comes later has its row already.
    const keys = await files.requests(signal)
    if (keys.length === 0) return
    const orders = new Set((await store.certificateOrders()).map(({ id }) => id))
    for (const key of keys)
      if (!orders.has(key.order_id) && !isRunning(key.name)) await files.dropRequest(key)
  } catch (error) {
    signal.throwIfAborted()
    log.warn('keys of orders that are gone could not be looked after', { error })
  }
}
