/** What lies between two releases: records, their fields, and the routes file as text. Either may be the newer one. */
import type { CoreParts } from '../../core/parts.ts'
import type { LabelledRendering, RenderingDiff } from '../../ports/rendering.ts'
import type { Deps } from './deps.ts'
import { diffEditions, type EditionDiff } from './diff-editions.ts'
import { findRelease, releaseBefore } from './find.ts'
import { ROUTES_KEY } from '../routes/target/diff.ts'
import { EMPTY } from './read.ts'

export type ReleaseDiff = EditionDiff &
  RenderingDiff & {
    /** Null: there was no release before. */
    readonly from: number | null
    readonly to: number
  }

/** From `against` to `number`; from the release before when `against` is null. Throws `not_found`. */
export async function diffRelease(deps: Deps, number: number, against: number | null): Promise<ReleaseDiff> {
  const { store } = deps
  await findRelease(store, number)
  const from = against ?? (await releaseBefore(store, number))
  const before = from === null ? EMPTY : await store.releasedAt(from)
  const after = await store.releasedAt(number)
  const texts = deps.diffRenderings(await frozenRoutes(deps, from), await frozenRoutes(deps, number))
  return { from, to: number, ...diffEditions(before, after), ...texts }
}

async function frozenRoutes({ store }: CoreParts, number: number | null): Promise<LabelledRendering> {
  if (number === null) return { label: 'nothing', chunks: [] }
  const artifact = await store.artifactAt(number, ROUTES_KEY)
  return { label: `release ${number}`, chunks: artifact?.chunks ?? [] }
}
