/** Looking back at releases: who made each and why, what it moved, the digests of what it froze, and how it went. */
import type { Kysely, Selectable } from 'kysely'
import type { ReleaseHead } from '../../ports/records/trails.ts'
import type { ReleaseRecord, TrailPage } from '../../ports/records/trails.ts'
import { moveOf } from '../rows.ts'
import { storedJson } from '../stored-json.ts'
import type { ReleaseRowsTable, ReleasesTable, Tables } from '../tables.ts'

type Release = Selectable<ReleasesTable>

/** Releases whose numbers follow one another. */
interface Span {
  readonly oldest: number
  readonly newest: number
}

export async function newestRelease(db: Kysely<Tables>): Promise<ReleaseHead | null> {
  const release = await db
    .selectFrom('releases')
    .selectAll()
    .orderBy('number', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (release === undefined) return null
  const digests = await digestsIn(db, { oldest: release.number, newest: release.number })
  return headOf(release, digests)
}

export async function pageOfReleases(
  db: Kysely<Tables>,
  { limit, before }: TrailPage,
): Promise<ReleaseRecord[]> {
  const releases = await db
    .selectFrom('releases')
    .selectAll()
    .$if(before !== undefined, (page) => page.where('number', '<', before!))
    .orderBy('number', 'desc')
    .limit(limit)
    .execute()
  return recordsOf(db, releases)
}

export async function releaseByNumber(db: Kysely<Tables>, number: number): Promise<ReleaseRecord | null> {
  const releases = await db.selectFrom('releases').selectAll().where('number', '=', number).execute()
  const [record] = await recordsOf(db, releases)
  return record ?? null
}

export async function lastReleaseOf(db: Kysely<Tables>, domain_id: number): Promise<number | null> {
  const moved = await db
    .selectFrom('release_rows')
    .select('release')
    .where('domain_id', '=', domain_id)
    .orderBy('release', 'desc')
    .limit(1)
    .executeTakeFirst()
  return moved?.release ?? null
}

/** `releases` without a gap, newest first. */
async function recordsOf(db: Kysely<Tables>, releases: readonly Release[]): Promise<ReleaseRecord[]> {
  if (releases.length === 0) return []
  const span = { oldest: releases.at(-1)!.number, newest: releases[0]!.number }
  const digests = await digestsIn(db, span)
  const rows = await rowsIn(db, span)
  return releases.map((release) => ({
    ...headOf(release, digests),
    plan_hash: release.plan_hash,
    rows: (rows.get(release.number) ?? []).map(moveOf),
    results: storedJson<Record<string, string>>(release.results),
  }))
}

type Digests = ReadonlyMap<number, readonly { readonly key: string; readonly digest: string }[]>

async function digestsIn(db: Kysely<Tables>, { oldest, newest }: Span): Promise<Digests> {
  const rows = await db
    .selectFrom('release_artifacts')
    .select(['release', 'key', 'digest'])
    .where('release', '>=', oldest)
    .where('release', '<=', newest)
    .orderBy('release')
    .orderBy('key')
    .execute()
  return Map.groupBy(rows, (row) => row.release)
}

/** By release, each ordered by domain id. */
async function rowsIn(
  db: Kysely<Tables>,
  { oldest, newest }: Span,
): Promise<ReadonlyMap<number, readonly ReleaseRowsTable[]>> {
  const rows = await db
    .selectFrom('release_rows')
    .selectAll()
    .where('release', '>=', oldest)
    .where('release', '<=', newest)
    .orderBy('release')
    .orderBy('domain_id')
    .execute()
  return Map.groupBy(rows, (row) => row.release)
}

const headOf = (release: Release, digests: Digests): ReleaseHead => ({
  number: release.number,
  created_at: release.created_at,
  actor: release.actor,
  request_id: release.request_id,
  reason: release.reason,
  warnings: storedJson<string[]>(release.warnings),
  digests: Object.fromEntries((digests.get(release.number) ?? []).map(({ key, digest }) => [key, digest])),
})
