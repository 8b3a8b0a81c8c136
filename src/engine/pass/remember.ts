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
