/** How often a stranger's state was overwritten: by these a fight over one state is known (`fight.ts`). */
import type { Instant } from '../../kernel/clock.ts'
import type { Revert } from '../../ports/records/trails.ts'
import type { StoreWriter } from '../../ports/store.ts'
import type { AnyTarget } from '../target.ts'
import type { Undone } from '../../model/report.ts'
import { auditUndone, MAX_REPORTED } from '../editions/undone.ts'
import { REVERTS_WITHIN_MS, siegeOf } from './fight.ts'
import type { PassParts } from './pass-parts.ts'

interface Asker {
  readonly asked: boolean
  readonly by_stranger: boolean
}

/**
 * Whether it makes a difference what the world lets in: to tell costs a look at all of a large file. Nothing stops a pass
 * that was asked for, nor one over what we left there ourselves, and only what a stranger put there is counted.
 */
export const mayBeStopped = async (
  target: AnyTarget,
  { store }: PassParts,
  { asked, by_stranger }: Asker,
): Promise<boolean> => !asked && (by_stranger || (await store.revertsSince(target.key, 0)).length > 0)

/** Where the stricter side never gives way the count must not grow for ever. */
const MAX_REVERTS_KEPT = 100
/** The rest of them, by which a fight is still known for one. */
const FEWEST_REVERTS_KEPT = 50

interface Undoing extends Asker {
  /** What stood there let in more than what was released. */
  readonly opens: boolean
  /** Fingerprint of what stood there. */
  readonly observed: string
  readonly at: Instant
}

/** A stranger's state was overwritten. Where nothing could be written nobody put it back, however often we try. */
export async function countRevert(
  tx: StoreWriter,
  { key }: AnyTarget,
  { asked, by_stranger, opens, observed, at }: Undoing,
): Promise<void> {
  if (!by_stranger || asked) return
  await addRevert(tx, { key, observed, at })
  if (opens) await addRevert(tx, { key: siegeOf(key), observed, at })
}

async function addRevert(tx: StoreWriter, { key, observed, at }: Revert): Promise<void> {
  const before = await tx.revertsSince(key, 0)
  if (before.length >= MAX_REVERTS_KEPT) {
    await tx.clearReverts(key)
    for (const revert of before.slice(-FEWEST_REVERTS_KEPT)) await tx.addRevert({ ...revert, key })
  }
  await tx.addRevert({ key, observed, at })
}

interface UndoneHere {
  readonly undone: Undone | null
  readonly asked: boolean
  readonly opens: boolean
  readonly at: Instant
}

/** To the audit trail. To be called when the revert is counted. */
export async function auditRevert(
  tx: StoreWriter,
  target: AnyTarget,
  { undone, asked, opens, at }: UndoneHere,
): Promise<void> {
  if (undone === null) return
  // One that let in more is told however much else was undone before it.
  const trail = opens ? siegeOf(target.key) : target.key
  const reverts = await tx.revertsSince(trail, at - REVERTS_WITHIN_MS)
  if (reverts.length > MAX_REPORTED) return
  await auditUndone(tx, undone, { target, head: await tx.latestRelease(), at, asked })
}
