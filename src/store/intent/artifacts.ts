/**
 * What a release froze for a target's key, as bytes that are kept once per content: an artifact is a list of blobs, and releases
 * share what they have in common.
 */
import type { Kysely } from 'kysely'
import { sha256 } from '../../kernel/digest.ts'
import { Failure } from '../../kernel/failure.ts'
import type { Artifact } from '../../ports/store.ts'
import { storedJson } from '../stored-json.ts'
import type { Tables } from '../tables.ts'

interface FrozenArtifact {
  readonly digest: string
  /** JSON list of blob digests. */
  readonly manifest: string
}

/** Stores the chunks that are not stored yet. */
export async function freezeArtifact(
  db: Kysely<Tables>,
  { digest, chunks }: Artifact,
): Promise<FrozenArtifact> {
  const names = chunks.map((chunk) => sha256([chunk]))
  const missing = new Map(names.map((name, i) => [name, chunks[i]!]))
  for (const name of await storedAmong(db, names)) missing.delete(name)
  for (const [name, bytes] of missing) await db.insertInto('blobs').values({ digest: name, bytes }).execute()
  return { digest, manifest: JSON.stringify(names) }
}

/**
 * The bytes of an artifact, in order. A flipped bit inside a value is no damage that SQLite can see, and these bytes
 * are what the world is healed towards, so each blob is measured against its name.
 */
async function thawArtifact(db: Kysely<Tables>, { digest, manifest }: FrozenArtifact): Promise<Artifact> {
  const names = storedJson<string[]>(manifest)
  const blobs = new Map<string, Uint8Array>()
  for (const batch of batchesOf(names)) {
    const rows = await db
      .selectFrom('blobs')
      .select(['digest', 'bytes'])
      .where('digest', 'in', batch)
      .execute()
    for (const row of rows) blobs.set(row.digest, row.bytes)
  }
  const chunks = names.map((name) => {
    const bytes = blobs.get(name)
    if (bytes === undefined || sha256([bytes]) !== name) throw damaged(name)
    return bytes
  })
  return { digest, chunks }
}

const damaged = (name: string): Failure =>
  new Failure('database_corrupt', `Released bytes are damaged (blob ${name}). Stop, and restore a backup.`)

async function storedAmong(db: Kysely<Tables>, names: readonly string[]): Promise<string[]> {
  const stored: string[] = []
  for (const batch of batchesOf(names)) {
    const rows = await db.selectFrom('blobs').select('digest').where('digest', 'in', batch).execute()
    stored.push(...rows.map((row) => row.digest))
  }
  return stored
}

/** Of one size, the last one filled up with its first name, so that one statement serves all. */
function* batchesOf(names: readonly string[]): Generator<string[]> {
  const size = 32
  for (let from = 0; from < names.length; from += size) {
    const batch = names.slice(from, from + size)
    yield [...batch, ...Array.from({ length: size - batch.length }, () => batch[0]!)]
  }
}

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
