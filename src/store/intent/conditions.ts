/** What is known to be right, by domain and component. */
import type { Kysely } from 'kysely'
import type { Condition } from '../../model/condition.ts'
import { batches } from '../batches.ts'
import type { Tables } from '../tables.ts'

export const conditions = (db: Kysely<Tables>): Promise<Condition[]> =>
  db.selectFrom('conditions').selectAll().orderBy('domain_id').orderBy('component').execute()

/** The last word of a call wins. It goes out alone: other databases refuse to replace a row twice in one statement. */
export async function saveConditions(db: Kysely<Tables>, given: readonly Condition[]): Promise<void> {
  const last = new Map(given.map((condition) => [`${condition.domain_id} ${condition.component}`, condition]))
  for (const batch of batches([...last.values()])) {
    await db
      .insertInto('conditions')
      .values(batch.map(columnsOf))
      .onConflict((on) =>
        on.columns(['domain_id', 'component']).doUpdateSet((eb) => ({
          status: eb.ref('excluded.status'),
          reason: eb.ref('excluded.reason'),
          message: eb.ref('excluded.message'),
          observed_revision: eb.ref('excluded.observed_revision'),
          last_transition_at: eb.ref('excluded.last_transition_at'),
        })),
      )
      .execute()
  }
}

export async function dropConditions(
  db: Kysely<Tables>,
  component: string,
  domain_ids: readonly number[],
): Promise<void> {
  for (const batch of batches(domain_ids)) {
    await db
      .deleteFrom('conditions')
      .where('component', '=', component)
      .where('domain_id', 'in', batch)
      .execute()
  }
}

const columnsOf = (condition: Condition): Condition => ({
  domain_id: condition.domain_id,
  component: condition.component,
  status: condition.status,
  reason: condition.reason,
  message: condition.message,
  observed_revision: condition.observed_revision,
  last_transition_at: condition.last_transition_at,
})
