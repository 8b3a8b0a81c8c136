/** What we wrote of installed certificates: the bytes of the chain, the digests of chain and key. */
import type { Kysely } from 'kysely'
import type { ChainDigests, KeptChain } from '../../ports/records/certificates.ts'
import type { Tables } from '../tables.ts'

/** Without the bytes: every look reads them all. */
export const certificateChains = (db: Kysely<Tables>): Promise<ChainDigests[]> =>
  db
    .selectFrom('certificate_chains')
    .select(['name', 'fingerprint', 'chain_sha256', 'key_sha256'])
    .orderBy('name')
    .execute()

export async function certificateChain(db: Kysely<Tables>, name: string): Promise<KeptChain | null> {
  const row = await db
    .selectFrom('certificate_chains')
    .selectAll()
    .where('name', '=', name)
    .executeTakeFirst()
  return row ?? null
}

export async function saveChain(db: Kysely<Tables>, { name, ...columns }: KeptChain): Promise<void> {
  await db
    .insertInto('certificate_chains')
    .values({ name, ...columns })
    .onConflict((on) => on.column('name').doUpdateSet(columns))
    .execute()
}

export async function dropChain(db: Kysely<Tables>, name: string): Promise<void> {
  await db.deleteFrom('certificate_chains').where('name', '=', name).execute()
}
