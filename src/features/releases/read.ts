/** Releases as they are told: who made each and why, what it moved and froze, and how the world took it. */
import type { CoreParts } from '../../core/parts.ts'
import { plannedRows } from '../../engine/editions/planned-rows.ts'
import { isoTime } from '../../kernel/clock.ts'
import { Failure } from '../../kernel/failure.ts'
import type { Intent } from '../../model/intent.ts'
import type { PlannedRow } from '../../model/plan.ts'
import type { Artifact } from '../../ports/store.ts'
import type { ReleaseRecord, TrailPage } from '../../ports/records/trails.ts'
import { ROUTES_KEY } from '../routes/target/diff.ts'
import { findRelease, releaseBefore } from './find.ts'

export type ReleaseSummary = Omit<ReleaseRecord, 'rows' | 'created_at'> & {
  /** RFC 3339. */
  readonly created_at: string
  readonly rows_moved: number
}

/** What moved is told against the release before. */
export type ReleaseDetail = ReleaseSummary & { readonly rows: readonly PlannedRow[] }

export interface ReleasePage {
  readonly releases: readonly ReleaseSummary[]
  /** `before` of the next page, or null on the last one. */
  readonly next: number | null
}

/** Newest first. */
export async function listReleases(
  { store }: CoreParts,
  { limit, ...page }: TrailPage,
): Promise<ReleasePage> {
  const found = await store.releases({ ...page, limit: limit + 1 })
  const shown = found.slice(0, limit)
  return {
    releases: shown.map(summaryOf),
    next: found.length > limit ? (shown.at(-1)?.number ?? null) : null,
  }
}

export async function readRelease({ store }: CoreParts, number: number): Promise<ReleaseDetail> {
  const release = await findRelease(store, number)
  const before = await releaseBefore(store, number)
  const edition = before === null ? EMPTY : await store.releasedAt(before)
  return { ...summaryOf(release), rows: plannedRows(release.rows, edition) }
}

/** The routes file exactly as it was frozen. Throws `not_found`, and `database_corrupt` for bytes that are not those. */
export async function readReleasedRoutes({ store }: CoreParts, number: number): Promise<Artifact> {
  await findRelease(store, number)
  const artifact = await store.artifactAt(number, ROUTES_KEY)
  if (artifact === null) throw new Failure('not_found', `Release ${number} froze no routes file.`)
  return artifact
}

export const EMPTY: Intent = { rows: [] }

function summaryOf({ rows, created_at, ...release }: ReleaseRecord): ReleaseSummary {
  return { ...release, created_at: isoTime(created_at), rows_moved: rows.length }
}
