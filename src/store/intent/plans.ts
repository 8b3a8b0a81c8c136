/** Plans and the hashes that were typed back to confirm them: each can be used once. */
import type { Kysely } from 'kysely'
import type { Instant } from '../../kernel/clock.ts'
import { Failure } from '../../kernel/failure.ts'
import type { Confirmation, NewPlan, StoredPlan } from '../../ports/records/trails.ts'
import type { Tables } from '../tables.ts'

export async function planById(db: Kysely<Tables>, id: string): Promise<StoredPlan | null> {
  const row = await db.selectFrom('plans').selectAll().where('id', '=', id).executeTakeFirst()
  return row ?? null
}

/** Of plans that were not applied the newest are kept: whoever may only look makes plans, too, and must not fill the disk. */
const MAX_OF_AN_ACTOR = 50
const MAX_IN_ALL = 1000

export async function savePlan(db: Kysely<Tables>, plan: NewPlan): Promise<void> {
  const { id, created_at, expires_at, actor, request_id, scope, hash, body } = plan
  await db
    .insertInto('plans')
    .values({ id, created_at, expires_at, actor, request_id, scope, hash, body })
    .execute()
  await dropOldest(db, id, { kept: MAX_OF_AN_ACTOR, actor })
  await dropOldest(db, id, { kept: MAX_IN_ALL })
}

async function dropOldest(
  db: Kysely<Tables>,
  saved: string,
  { kept, actor }: { readonly kept: number; readonly actor?: string },
): Promise<void> {
  const waiting = db.selectFrom('plans').select('id').where('applied_at', 'is', null).where('id', '!=', saved)
  const theirs = actor === undefined ? waiting : waiting.where('actor', '=', actor)
  const surplus = theirs
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(-1)
    .offset(kept - 1)
  await db.deleteFrom('plans').where('id', 'in', surplus).execute()
}

/** The claim counts when its transaction does, so it belongs into that of the release. Throws `not_found`. */
export async function claimPlan(
  db: Kysely<Tables>,
  id: string,
  { at, release }: { at: Instant; release: number },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('plans')
    .set({ applied_at: at, applied_release: release })
    .where('id', '=', id)
    .where('applied_at', 'is', null)
    .executeTakeFirstOrThrow()
  if (numUpdatedRows === 1n) return true
  const known = await db.selectFrom('plans').select('id').where('id', '=', id).executeTakeFirst()
  if (known === undefined)
    throw new Failure('not_found', `There is no plan ${id}. Plans are forgotten some time after they expire.`)
  return false
}

/** Applied ones too: what they did is told by their release and the audit trail. */
export async function forgetPlans(db: Kysely<Tables>, expired_before: Instant): Promise<void> {
  await db.deleteFrom('plans').where('expires_at', '<', expired_before).execute()
}

export async function useConfirmation(
  db: Kysely<Tables>,
  { hash, at, actor, request_id, rules }: Confirmation,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('confirmations')
    .values({ hash, at, actor, request_id, rules: JSON.stringify(rules) })
    .onConflict((on) => on.column('hash').doNothing())
    .executeTakeFirstOrThrow()
  return numInsertedOrUpdatedRows === 1n
}
