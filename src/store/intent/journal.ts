/** The journal of steps outside: an intent before, an outcome after. */
import type { Kysely } from 'kysely'
import type { Instant } from '../../kernel/clock.ts'
import { Failure } from '../../kernel/failure.ts'
import type { JournalIntent, JournalStep, StepOutcome } from '../../ports/store.ts'
import { storedJson } from '../stored-json.ts'
import type { Tables } from '../tables.ts'

export async function openSteps(db: Kysely<Tables>): Promise<JournalStep[]> {
  const rows = await db
    .selectFrom('journal')
    .select(['id', 'key', 'component', 'release', 'differences', 'place', 'before', 'after', 'at'])
    .where('outcome', 'is', null)
    .orderBy('id')
    .execute()
  return rows.map((row) => ({ ...row, differences: storedJson<string[]>(row.differences) }))
}

export async function beginStep(db: Kysely<Tables>, step: JournalIntent): Promise<number> {
  const { key, component, release, differences, place, before, after, at } = step
  const { id } = await db
    .insertInto('journal')
    .values({ key, component, release, differences: JSON.stringify(differences), place, before, after, at })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** A step ends once; a second end means that two passes worked on one key. */
export async function endStep(
  db: Kysely<Tables>,
  id: number,
  { outcome, at }: { outcome: StepOutcome; at: Instant },
): Promise<void> {
  const { numUpdatedRows } = await db
    .updateTable('journal')
    .set({ outcome: outcome.kind, ...detailOf(outcome), ended_at: at })
    .where('id', '=', id)
    .where('outcome', 'is', null)
    .executeTakeFirstOrThrow()
  if (numUpdatedRows !== 1n) throw new Failure('internal', `Journal step ${id} is not open.`)
}

function detailOf(outcome: StepOutcome) {
  switch (outcome.kind) {
    case 'done':
      return {}
    case 'failed':
      return { code: outcome.code, message: outcome.message }
    case 'recovered':
      return { found: outcome.found }
  }
}
