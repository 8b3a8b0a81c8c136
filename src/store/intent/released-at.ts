/** The released edition as it was in the past. */
import type { Kysely } from 'kysely'
import { Failure } from '../../kernel/failure.ts'
import type { Intent } from '../../model/intent.ts'
import { orderedIntent } from '../memory/editions.ts'
import { moveOf } from '../rows.ts'
import type { Tables } from '../tables.ts'

/**
 * The newest row of each domain that is no newer than the release; a domain whose newest row moved it out is not there.
 * Throws `not_found` for a release that was never made: an empty edition would be a wrong answer that deletes things.
 *
 * Two seeks for each domain that was ever released, so that a history of many releases costs no more than a short one;
 * grouping all rows by domain took ten times as long where each of 200 releases had moved 1,000 domains.
 */
export async function releasedAt(db: Kysely<Tables>, number: number): Promise<Intent> {
  const release = await db
    .selectFrom('releases')
    .select('number')
    .where('number', '=', number)
    .executeTakeFirst()
  if (release === undefined) throw new Failure('not_found', `There is no release ${number}.`)
  const rows = await everReleased(db)
    .selectFrom('ever_released')
    .innerJoin('release_rows as moved', (join) =>
      join.onRef('moved.domain_id', '=', 'ever_released.domain_id').on('moved.release', '=', (eb) =>
        eb
          .selectFrom('release_rows as then')
          .select(({ fn }) => fn.max('then.release').as('newest'))
          .whereRef('then.domain_id', '=', 'ever_released.domain_id')
          .where('then.release', '<=', number),
      ),
    )
    .selectAll('moved')
    .execute()
  return orderedIntent(rows.flatMap((moved) => moveOf(moved).row ?? []))
}

/**
 * All domains that a release ever moved, each found by a seek behind the one before it; the last row is null. A DISTINCT
 * would read every row (https://wiki.postgresql.org/wiki/Loose_indexscan).
 */
const everReleased = (db: Kysely<Tables>) =>
  db.withRecursive('ever_released', (from) =>
    from
      .selectFrom('release_rows')
      .select(({ fn }) => fn.min<number | null>('domain_id').as('domain_id'))
      .unionAll(
        from
          .selectFrom('ever_released')
          .select((eb) =>
            eb
              .selectFrom('release_rows as next')
              .select(({ fn }) => fn.min<number | null>('next.domain_id').as('domain_id'))
              .whereRef('next.domain_id', '>', 'ever_released.domain_id')
              .as('domain_id'),
          )
          .where('ever_released.domain_id', 'is not', null),
      ),
  )
