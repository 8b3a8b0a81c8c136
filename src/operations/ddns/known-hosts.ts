/** Names that an address can be reported for: those of records that are not disabled, and the hub's. */
import type { Intent, IntentRow } from '../../model/intent.ts'
import type { StoreReader } from '../../ports/store.ts'

const indexed = new WeakMap<Intent, ReadonlyMap<string, IntentRow>>()

/** Rows of the working edition by name, disabled ones left out. Computed once per edition as it stands. */
export async function rowsByName(store: StoreReader): Promise<ReadonlyMap<string, IntentRow>> {
  const intent = await store.intent('working')
  const known = indexed.get(intent)
  if (known !== undefined) return known
  const index = new Map(
    intent.rows.filter(({ retired }) => !retired).map((row) => [row.fields.domain, row] as const),
  )
  indexed.set(intent, index)
  return index
}

export async function isKnownHost(
  { store, hub_host }: { readonly store: StoreReader; readonly hub_host: string | null },
  host: string,
): Promise<boolean> {
  return host === hub_host || (await rowsByName(store)).has(host)
}
