/** Orders under way at a certificate authority, with the step that each has reached. */
import type { Kysely } from 'kysely'
import { Failure } from '../../kernel/failure.ts'
import type { CertificateOrder, OrderChallenge } from '../../ports/records/certificates.ts'
import { storedJson } from '../stored-json.ts'
import type { Tables } from '../tables.ts'

export async function certificateOrders(db: Kysely<Tables>): Promise<CertificateOrder[]> {
  const rows = await db.selectFrom('certificate_orders').selectAll().orderBy('name').execute()
  return rows.map((row) => ({
    ...row,
    names: storedJson<string[]>(row.names),
    rehearsal: row.rehearsal === 1,
    challenges: storedJson<OrderChallenge[]>(row.challenges),
  }))
}

/** Throws `conflict` where another order for the name is under way. */
export async function saveOrder(
  db: Kysely<Tables>,
  { id, name, names, rehearsal, challenges, ...order }: CertificateOrder,
): Promise<void> {
  const other = await db
    .selectFrom('certificate_orders')
    .select('id')
    .where('name', '=', name)
    .where('id', '!=', id)
    .executeTakeFirst()
  if (other !== undefined)
    throw new Failure('conflict', `An order for ${name} is under way already (${other.id}).`)
  const { directory, replaces, step, order_url, reason, started_at, updated_at } = order
  const flag: 0 | 1 = rehearsal ? 1 : 0
  const columns = {
    name,
    names: JSON.stringify(names),
    directory,
    rehearsal: flag,
    replaces,
    step,
    order_url,
    challenges: JSON.stringify(challenges),
    reason,
    started_at,
    updated_at,
  }
  await db
    .insertInto('certificate_orders')
    .values({ id, ...columns })
    .onConflict((on) => on.column('id').doUpdateSet(columns))
    .execute()
}

export async function dropOrder(db: Kysely<Tables>, id: string): Promise<void> {
  await db.deleteFrom('certificate_orders').where('id', '=', id).execute()
}
