/** What was applied, and by which release. */
import type { Instant } from '../../kernel/clock.ts'
import type { Applied, StoreWriter } from '../../ports/store.ts'
import { portionOf, type Released } from '../editions/editions.ts'
import type { AnyTarget } from '../target.ts'

interface Seen {
  readonly target: AnyTarget
  readonly released: Released
  /** Fingerprint of the world as we leave it. Where a stranger's edit is left in it: of the world before that. */
  readonly observed: string
  readonly at: Instant
}

export async function remember(tx: StoreWriter, { target, released, observed, at }: Seen): Promise<Applied> {
  const head = await tx.latestRelease()
  const applied = {
    key: target.key,
    release: head!.number,
    place: target.place,
    digest: portionOf(target, released),
    observed,
    at,
  }
  await tx.saveApplied(applied)
  return applied
}

/**
 * A first write that was taken makes the place ours, also where somebody changes what stands there before it is looked at:
 * else our own file would be one that was there before us, for ever.
 * @param before fingerprint of the world before that write: whatever stands there now is not known as ours
 */
export async function rememberFirst(
  tx: StoreWriter,
  { key, place }: AnyTarget,
  { before, at }: { readonly before: string; readonly at: Instant },
): Promise<Applied> {
  const head = await tx.latestRelease()
  const applied = { key, release: head!.number, place, digest: before, observed: before, at }
  await tx.saveApplied(applied)
  return applied
}
