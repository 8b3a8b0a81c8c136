/** What waits for its time, as the store has it and as memory does. */
import type { ManagedType } from '../../../model/network/dns.ts'
import type { StoreWriter } from '../../../ports/store.ts'
import { ddnsRecords, type PendingAddress } from '../records.ts'
import type { HostAddresses, Reported } from './evaluate-report.ts'

export const pendingOf = (host: string, all: readonly PendingAddress[]): readonly PendingAddress[] =>
  all.filter((one) => one.host === host)

/** In the order of their types. */
export const isSamePending = (a: readonly PendingAddress[], b: readonly PendingAddress[]): boolean =>
  textOf(a) === textOf(b)

const textOf = (all: readonly PendingAddress[]): string =>
  JSON.stringify(all.map(({ type, address, due_at, actor }) => [type, address, due_at, actor]))

/** Whether what is due waits there still. */
export const isPending = async (
  tx: StoreWriter,
  { host, addresses }: Pick<Reported, 'host' | 'addresses'>,
): Promise<boolean> =>
  pendingOf(host, await tx.of(ddnsRecords).pendingAddresses()).some(
    ({ address }) => address === addresses[0]!.address,
  )

interface Step {
  readonly host: string
  readonly before: HostAddresses | undefined
  readonly after: HostAddresses
}

export async function writePending(
  tx: StoreWriter,
  type: ManagedType,
  { host, before, after }: Step,
): Promise<void> {
  const ofType = (one: PendingAddress) => one.type === type
  const [was, is] = [before?.pending.find(ofType), after.pending.find(ofType)]
  if (was === is) return
  await (is === undefined
    ? tx.of(ddnsRecords).dropPendingAddress(host, type)
    : tx.of(ddnsRecords).savePendingAddress(is))
}

/** In the transaction that ends the key. @returns what waited by it */
export async function dropPendingOf(tx: StoreWriter, actor: string): Promise<readonly PendingAddress[]> {
  const dropped = (await tx.of(ddnsRecords).pendingAddresses()).filter((one) => one.actor === actor)
  for (const { host, type } of dropped) await tx.of(ddnsRecords).dropPendingAddress(host, type)
  return dropped
}

/** In the transaction that gives another name to what was `from`. */
export async function movePending(tx: StoreWriter, from: string, host: string): Promise<void> {
  for (const one of pendingOf(from, await tx.of(ddnsRecords).pendingAddresses())) {
    await tx.of(ddnsRecords).savePendingAddress({ ...one, host })
    await tx.of(ddnsRecords).dropPendingAddress(from, one.type)
  }
}
