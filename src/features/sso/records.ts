/**
 * The rows of single sign-on: what is known of its provider, what it is owed, and which routes are taken out. They mirror
 * `schema/0006-sso.sql` and `schema/0027-sso-start.sql`, and what is owed a table of `schema/0005-people.sql`.
 */
import type { Kysely } from 'kysely'
import type { Instant } from '../../kernel/clock.ts'
import type { StoreReader } from '../../ports/store.ts'
import { recordSet } from '../../ports/record-set.ts'

export interface SsoLoad {
  /** Where the file stood. */
  readonly place: string
  /** The file's change that the provider came up with. */
  readonly stamp: string
  /** Its text, to be put back when a later one keeps the provider from coming up. */
  readonly text: string
  readonly at: Instant
  /** When the provider said that it was started, as it came up; null where it has no way to tell. */
  readonly started_at: Instant | null
}

export interface Quarantined {
  readonly domain_id: number
  readonly domain: string
  readonly since: Instant
  /** What an anonymous request got, in words. */
  readonly evidence: string
}

interface ProviderRow {
  id: 1
  restarted_at: number | null
  place: string | null
  stamp: string | null
  text: string | null
  loaded_at: number | null
  started_at: number | null
}
type Db = Kysely<{ sso_provider: ProviderRow; sso_quarantine: Quarantined }>

const providerRow = (db: Db): Promise<ProviderRow | undefined> =>
  db.selectFrom('sso_provider').selectAll().executeTakeFirst()

/** The rules with which the provider last came up; null before the first time. */
async function ssoLoad(db: Db): Promise<SsoLoad | null> {
  const row = await providerRow(db)
  if (row === undefined) return null
  const { place, stamp, text, loaded_at: at, started_at } = row
  if (place === null || stamp === null || text === null || at === null) return null
  return { place, stamp, text, at, started_at }
}

/** When the provider was last restarted by us; null for never. */
const ssoRestartedAt = async (db: Db): Promise<Instant | null> =>
  (await providerRow(db))?.restarted_at ?? null

const saveSsoLoad = (db: Db, { at: loaded_at, ...load }: SsoLoad): Promise<void> =>
  saveProvider(db, { ...load, loaded_at })

const saveSsoRestart = (db: Db, restarted_at: Instant): Promise<void> => saveProvider(db, { restarted_at })

async function saveProvider(db: Db, columns: Partial<Omit<ProviderRow, 'id'>>): Promise<void> {
  const none = {
    restarted_at: null,
    place: null,
    stamp: null,
    text: null,
    loaded_at: null,
    started_at: null,
  }
  await db
    .insertInto('sso_provider')
    .values({ id: 1, ...none, ...columns })
    .onConflict((on) => on.column('id').doUpdateSet(columns))
    .execute()
}

/** Routes that are taken out, ordered by domain. */
const quarantine = (db: Db): Promise<readonly Quarantined[]> =>
  db.selectFrom('sso_quarantine').selectAll().orderBy('domain').execute()

/** By record; the first row of a record stands. */
async function addQuarantine(db: Db, { domain_id, domain, since, evidence }: Quarantined): Promise<void> {
  await db
    .insertInto('sso_quarantine')
    .values({ domain_id, domain, since, evidence })
    .onConflict((on) => on.column('domain_id').doNothing())
    .execute()
}

/** False where there was none. */
async function dropQuarantine(db: Db, domain_id: number): Promise<boolean> {
  const deleted = await db.deleteFrom('sso_quarantine').where('domain_id', '=', domain_id).executeTakeFirst()
  return deleted.numDeletedRows > 0n
}

export const ssoRecords = recordSet({
  reads: { ssoLoad, ssoRestartedAt, quarantine },
  writes: { saveSsoLoad, saveSsoRestart, addQuarantine, dropQuarantine },
})

/** Ids of the records whose routes were found open, and were taken out. */
export const quarantinedIds = async (store: Pick<StoreReader, 'of'>): Promise<ReadonlySet<number>> =>
  new Set((await store.of(ssoRecords).quarantine()).map(({ domain_id }) => domain_id))

type Debts = Kysely<{ people_debts: { name: string; since: number } }>

/** Since when the thing is owed; null where it is not. */
async function debt(db: Debts, name: string): Promise<Instant | null> {
  const row = await db.selectFrom('people_debts').select('since').where('name', '=', name).executeTakeFirst()
  return row?.since ?? null
}

/** Notes that the thing is owed; a debt that is there already moves to the new time. */
async function owe(db: Debts, name: string, since: Instant): Promise<void> {
  await db
    .insertInto('people_debts')
    .values({ name, since })
    .onConflict((on) => on.column('name').doUpdateSet({ since }))
    .execute()
}

/** Settles what was owed until then; a later debt stays. */
async function settleDebt(db: Debts, name: string, until: Instant): Promise<void> {
  await db.deleteFrom('people_debts').where('name', '=', name).where('since', '<=', until).execute()
}

/** What the provider is owed after a write, such as a restart. */
export const debtRecords = recordSet({ reads: { debt }, writes: { owe, settleDebt } })
