/** The released edition as it was in the past. */
import type { Kysely } from 'kysely'
import { Failure } from '../../kernel/failure.ts'
import type { Intent } from '../../model/intent.ts'
import { orderedIntent } from './edition-memory.ts'
import { moveOf } from './rows.ts'
import type { Tables } from './tables.ts'

/**
 * The newest row of each domain that is no newer than the release; a domain whose newest row moved it out is not there.
 * Throws `not_found` for a release that was never made: an empty edition would be a wrong answer that deletes things.
 */
export async function releasedAt(db: Kysely<Tables>, number: number): Promise<Intent> {
  const release = await db
    .selectFrom('releases')
    .select('number')
    .where('number', '=', number)
    .executeTakeFirst()
  if (release === undefined) throw new Failure('not_found', `There is no release ${number}.`)
  const rows = await db
    .selectFrom('release_rows as moved')
    .innerJoin(
      (eb) =>
        eb
          .selectFrom('release_rows')
          .select(({ fn }) => ['domain_id', fn.max('release').as('release')])
          .where('release', '<=', number)
          .groupBy('domain_id')
          .as('last'),
      (join) =>
        join.onRef('last.domain_id', '=', 'moved.domain_id').onRef('last.release', '=', 'moved.release'),
    )
    .selectAll('moved')
    .execute()
  return orderedIntent(rows.flatMap((moved) => moveOf(moved).row ?? []))
}
