/** What a release froze for a target's key. */
import type { Kysely } from 'kysely'
import type { Artifact } from '../../ports/store.ts'
import { thawArtifact } from './blobs.ts'
import type { Tables } from '../tables.ts'

/** What the newest release froze. Throws `database_corrupt` when the bytes are not those that were frozen. */
export async function artifactOf(db: Kysely<Tables>, key: string): Promise<Artifact | null> {
  const frozen = await frozenFor(db, key)
    .where('release', '=', (eb) =>
      eb.selectFrom('releases').select((max) => max.fn.max('number').as('newest')),
    )
    .executeTakeFirst()
  return frozen === undefined ? null : thawArtifact(db, frozen)
}

/** Throws `database_corrupt` when the bytes are not those that were frozen. */
export async function artifactAt(db: Kysely<Tables>, number: number, key: string): Promise<Artifact | null> {
  const frozen = await frozenFor(db, key).where('release', '=', number).executeTakeFirst()
  return frozen === undefined ? null : thawArtifact(db, frozen)
}

const frozenFor = (db: Kysely<Tables>, key: string) =>
  db.selectFrom('release_artifacts').select(['digest', 'manifest']).where('key', '=', key)
