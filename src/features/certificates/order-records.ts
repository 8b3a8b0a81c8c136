/** The rows of orders under way at a certificate authority, with the step that each has reached. */
import type { Kysely } from 'kysely'
import type { Instant } from '../../kernel/clock.ts'
import { Failure } from '../../kernel/failure.ts'
import type { OrderStep } from '../../model/network/certificate.ts'
import { storedJson } from '../../store/stored-json.ts'
import type { ChallengeRecord } from '../dns/challenges/port.ts'

export interface CertificateOrder {
  readonly id: string
  readonly name: string
  readonly names: readonly string[]
  readonly directory: string
  /** Ends when the authority has validated: nothing is finalised, and nothing counts. */
  readonly rehearsal: boolean
  readonly replaces: string | null
  /** The last one that is done. `failed`: only what it left is still to be taken away. */
  readonly step: OrderStep
  readonly order_url: string | null
  /** TXT records that may stand at the provider. */
  readonly challenges: readonly OrderChallenge[]
  /** Why it was begun, in words. */
  readonly reason: string
  readonly started_at: Instant
  readonly updated_at: Instant
}

export interface OrderChallenge extends ChallengeRecord {
  readonly challenge_url: string
  readonly authorization_url: string
}

type OrderRow = Omit<CertificateOrder, 'names' | 'rehearsal' | 'challenges'> & {
  names: string
  rehearsal: 0 | 1
  challenges: string
}
type Db = Kysely<{ certificate_orders: OrderRow }>

export async function certificateOrders(db: Db): Promise<readonly CertificateOrder[]> {
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
  db: Db,
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

export async function dropOrder(db: Db, id: string): Promise<void> {
  await db.deleteFrom('certificate_orders').where('id', '=', id).execute()
}
