/** What was last known to stand at a key: the release that was applied there, or the one of which all but refused items was. */
import type { Applied, StoreReader } from '../../ports/store.ts'
import type { RefusedItems } from '../pass/refused-items.ts'
import type { AnyTarget } from '../target.ts'
import { portionOf, type Released } from './editions.ts'

export interface StoodLastParts {
  readonly store: Pick<StoreReader, 'artifactAt'>
  readonly refused_items: Pick<RefusedItems, 'rest'>
}

/** What a release froze is read once: it is asked for again as long as a newer one cannot be written. */
const THAWED = new WeakMap<Applied, Released | null>()

/** Null where that is not known. */
export async function stoodLast(
  target: AnyTarget,
  { store, refused_items }: StoodLastParts,
  applied: Applied | null,
): Promise<Released | null> {
  const rest = refused_items.rest(target.key)
  if (rest !== null) return rest
  if (applied === null) return null
  const thawed = THAWED.get(applied) ?? (await thaw(target, store, applied))
  THAWED.set(applied, thawed)
  return thawed !== null && portionOf(target, thawed) === applied.digest ? thawed : null
}

async function thaw(
  target: AnyTarget,
  store: StoodLastParts['store'],
  { release }: Applied,
): Promise<Released | null> {
  const frozen = await store.artifactAt(release, target.artifact)
  return frozen === null ? null : { desired: target.codec.thaw(frozen.chunks), digest: frozen.digest }
}
