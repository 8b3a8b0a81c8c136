/** Names that an address can be reported for: those of records in either edition that are not disabled, and the hub's. */
import { type Intent, type IntentRow, liveLast } from '../../../model/intent.ts'
import type { StoreReader } from '../../../ports/store.ts'

const indexed = new WeakMap<Intent, ReadonlyMap<string, IntentRow>>()

/** Rows of an edition by name, disabled ones left out. Computed once per edition as it stands. */
export async function rowsByName(
  store: StoreReader,
  edition: 'working' | 'released' = 'working',
): Promise<ReadonlyMap<string, IntentRow>> {
  const intent = await store.intent(edition)
  const known = indexed.get(intent)
  if (known !== undefined) return known
  const index = new Map(liveLast(intent).map((row) => [row.fields.domain, row] as const))
  indexed.set(intent, index)
  return index
}

/** The record of a name as it was saved and as it was deployed. */
export interface HostRows {
  readonly working: IntentRow | null
  readonly released: IntentRow | null
}

export async function rowsOf(store: StoreReader, host: string): Promise<HostRows> {
  const working = (await rowsByName(store)).get(host) ?? null
  return { working, released: (await rowsByName(store, 'released')).get(host) ?? null }
}

/** Whether a record that is not disabled has the name, saved or deployed. A damaged one has it all the same. */
export async function hasRecord(store: StoreReader, host: string): Promise<boolean> {
  const { working, released } = await rowsOf(store, host)
  if (working !== null || released !== null) return true
  return (await store.damagedRecords()).some(({ domain }) => domain === host)
}
