/** What guests of clusters told of their addresses. It mirrors `schema/0022-guest-addresses.sql` and `0034-replaced-addresses.sql`. */
import type { Kysely } from 'kysely'
import { recordSet } from '../../../ports/record-set.ts'
import type { Store } from '../../../ports/store.ts'
import { storedJson } from '../../../store/stored-json.ts'
import type { GuestMemory, RememberedGuest } from '../model/guest-memory-port.ts'

interface GuestRow {
  readonly cluster: string
  readonly guest: string
  readonly macs: string
  readonly fixed: string
  readonly reported: string
  readonly replaced: string | null
}
type Db = Kysely<{ guest_addresses: GuestRow }>

async function rememberedGuests(db: Db, cluster: string): Promise<readonly RememberedGuest[]> {
  const rows = await db.selectFrom('guest_addresses').selectAll().where('cluster', '=', cluster).execute()
  return rows.map(({ guest, macs, fixed, reported, replaced }) => ({
    guest,
    macs: storedJson(macs),
    fixed: storedJson(fixed),
    reported: storedJson(reported),
    replaced: replaced === null ? null : storedJson(replaced),
  }))
}

async function keepGuest(
  db: Db,
  cluster: string,
  { guest, macs, fixed, reported, replaced }: RememberedGuest,
): Promise<void> {
  const values = {
    macs: JSON.stringify(macs),
    fixed: JSON.stringify(fixed),
    reported: JSON.stringify(reported),
    replaced: replaced === null ? null : JSON.stringify(replaced),
  }
  await db
    .insertInto('guest_addresses')
    .values({ cluster, guest, ...values })
    .onConflict((on) => on.columns(['cluster', 'guest']).doUpdateSet(values))
    .execute()
}

async function forgetGuest(db: Db, cluster: string, guest: string): Promise<void> {
  await db.deleteFrom('guest_addresses').where('cluster', '=', cluster).where('guest', '=', guest).execute()
}

const guestMemoryRecords = recordSet({ reads: { rememberedGuests }, writes: { keepGuest, forgetGuest } })

/** Rows of one cluster. */
export const guestMemoryOf = (store: Store, cluster: string): GuestMemory => ({
  all: () => store.of(guestMemoryRecords).rememberedGuests(cluster),
  keep: (rows, removed) =>
    store.write(async (tx) => {
      const records = tx.of(guestMemoryRecords)
      for (const row of rows) await records.keepGuest(cluster, row)
      for (const guest of removed) await records.forgetGuest(cluster, guest)
    }),
})
