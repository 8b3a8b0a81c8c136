/** Making releases: what each moves and freezes, and the released edition that they add up to. Nothing is changed afterwards. */
import type { Kysely } from 'kysely'
import { inPieces } from '../../kernel/async/in-pieces.ts'
import { Failure } from '../../kernel/failure.ts'
import type { ReleaseDraft } from '../../ports/store.ts'
import type { ReleaseHead } from '../../ports/records/trails.ts'
import { batches } from '../batches.ts'
import { freezeArtifact } from './artifacts.ts'
import { releasedConflict } from '../conflicts.ts'
import { releasedColumnsOf, releasedRowOf } from '../rows.ts'
import { storedJson } from '../stored-json.ts'
import type { StoreMemory } from '../memory/state.ts'
import type { ReleasedTable, Tables } from '../tables.ts'

type ReleasedColumns = Omit<ReleasedTable, 'release'>

export async function addRelease(
  db: Kysely<Tables>,
  memory: StoreMemory,
  draft: ReleaseDraft,
): Promise<ReleaseHead> {
  const { created_at, actor, request_id, reason, warnings } = draft
  const before = memory.stagedHead()
  const number = await insertRelease(db, draft)
  await moveRows(db, memory, { number, rows: draft.rows })
  const digests = await freezeArtifacts(db, draft.artifacts, { number, before })
  const head = { number, created_at, actor, request_id, reason, warnings: [...warnings], digests }
  memory.stageHead(head)
  return head
}

async function insertRelease(db: Kysely<Tables>, draft: ReleaseDraft): Promise<number> {
  const { created_at, actor, request_id, reason, plan_hash, warnings } = draft
  const { number } = await db
    .insertInto('releases')
    .values({
      created_at,
      actor,
      request_id,
      reason,
      plan_hash,
      warnings: JSON.stringify(warnings),
      results: '{}',
    })
    .returning('number')
    .executeTakeFirstOrThrow()
  return number
}

async function freezeArtifacts(
  db: Kysely<Tables>,
  artifacts: ReleaseDraft['artifacts'],
  { number, before }: { readonly number: number; readonly before: ReleaseHead | null },
): Promise<ReleaseHead['digests']> {
  const keys = Object.keys(artifacts).sort()
  const digests = Object.fromEntries(keys.map((key) => [key, artifacts[key]!.digest]))
  const unmoved = keys.filter((key) => before?.digests[key] === digests[key])
  if (before !== null) await keepArtifacts(db, unmoved, { from: before.number, to: number })
  for (const key of keys.filter((one) => !unmoved.includes(one))) {
    const frozen = await freezeArtifact(db, artifacts[key]!)
    await db
      .insertInto('release_artifacts')
      .values({ release: number, key, ...frozen })
      .execute()
  }
  return digests
}

/** What a release leaves as it was is made of the same blobs, so they are neither measured nor looked for again. */
async function keepArtifacts(
  db: Kysely<Tables>,
  keys: readonly string[],
  { from, to }: { readonly from: number; readonly to: number },
): Promise<void> {
  if (keys.length === 0) return
  await db
    .insertInto('release_artifacts')
    .columns(['release', 'key', 'digest', 'manifest'])
    .expression((eb) =>
      eb
        .selectFrom('release_artifacts')
        .select((row) => [row.val(to).as('release'), 'key', 'digest', 'manifest'])
        .where('release', '=', from)
        .where('key', 'in', keys),
    )
    .execute()
}

/**
 * All rows of the release leave the released edition before the first one enters it, so that two domains that swapped
 * their names can be deployed together.
 */
async function moveRows(
  db: Kysely<Tables>,
  memory: StoreMemory,
  { number, rows }: { number: number; rows: ReleaseDraft['rows'] },
): Promise<void> {
  const moved: Moved[] = []
  await inPieces(rows, ({ domain_id, row }) =>
    moved.push({ domain_id, columns: row && releasedColumnsOf(row) }),
  )
  await leaveReleased(db, number, moved)
  await enterReleased(db, number, moved)
  await inPieces(moved, ({ domain_id, columns }) =>
    memory.editions.released.stage(domain_id, columns && releasedRowOf(columns)),
  )
}

interface Moved {
  readonly domain_id: number
  /** Null for what is not released any more. */
  readonly columns: ReleasedColumns | null
}

async function leaveReleased(db: Kysely<Tables>, release: number, moved: readonly Moved[]): Promise<void> {
  for (const batch of batches(moved)) {
    await db
      .insertInto('release_rows')
      .values(batch.map(({ domain_id, columns }) => ({ release, domain_id, ...deltaOf(columns) })))
      .execute()
    const ids = batch.map(({ domain_id }) => domain_id)
    await db.deleteFrom('released').where('domain_id', 'in', ids).execute()
  }
}

async function enterReleased(db: Kysely<Tables>, release: number, moved: readonly Moved[]): Promise<void> {
  const entering = moved.flatMap(({ columns }) => (columns === null ? [] : [columns]))
  for (const batch of batches(entering)) {
    try {
      await db
        .insertInto('released')
        .values(batch.map((columns) => ({ ...columns, release })))
        .execute()
    } catch (error) {
      throw await releasedConflict(db, error, batch)
    }
  }
}

const deltaOf = (columns: ReleasedColumns | null) => ({
  revision: columns?.revision ?? null,
  live: columns?.live ?? null,
  retired: columns?.retired ?? 0,
  fields: columns?.fields ?? null,
})

/** Adds to what is recorded already; the last word on a component wins. */
export async function recordResults(
  db: Kysely<Tables>,
  release: number,
  results: Readonly<Record<string, string>>,
): Promise<void> {
  const known = await db
    .selectFrom('releases')
    .select('results')
    .where('number', '=', release)
    .executeTakeFirst()
  if (known === undefined)
    throw new Failure('internal', `There is no release ${release} to record results of.`)
  const merged = { ...storedJson<Record<string, string>>(known.results), ...results }
  await db
    .updateTable('releases')
    .set({ results: JSON.stringify(merged) })
    .where('number', '=', release)
    .execute()
}
