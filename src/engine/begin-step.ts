/** The moment before an outside write, as one transaction: guards over the newest facts, then the journal's intent row. */
import type { Clock } from '../kernel/clock.ts'
import type { GuardHit } from '../model/plan.ts'
import type { Store } from '../ports/store.ts'
import { newestDigest } from './editions.ts'
import { guardHit, REVERTS_WITHIN_MS } from './guards.ts'
import type { AnyTarget, Difference } from './target.ts'

export interface StepFacts {
  readonly target: AnyTarget
  readonly differences: readonly Difference<unknown>[]
  /** Digest of the release that the differences were computed for. */
  readonly computed_for: string
  /** Fingerprint of the world as it is. */
  readonly observed: string
  readonly written_before: boolean
  /** The world is not as we left it, and no release of ours explains that. */
  readonly by_stranger: boolean
  /** A caller asks for this pass. */
  readonly asked: boolean
}

/** The journal step's id, or the guard that refuses. A stranger's edit is counted, a caller's word ends the count. */
export function beginStep(store: Store, clock: Clock, facts: StepFacts): Promise<number | GuardHit> {
  const { target, asked, observed, computed_for, differences } = facts
  return store.write(async (tx) => {
    const at = clock.now()
    const head = await tx.latestRelease()
    const reverts = await tx.revertsSince(target.key, at - REVERTS_WITHIN_MS)
    const hit = guardHit({
      ...facts,
      newest: newestDigest(head, target),
      reverts: reverts.filter((revert) => revert.observed === observed).length,
    })
    if (hit !== null) return hit
    if (asked && reverts.length > 0) await tx.clearReverts(target.key)
    // What is older than the window counts no more, and must not gather.
    if (reverts.length === 0) await tx.clearReverts(target.key)
    if (facts.by_stranger && !asked) await tx.addRevert({ key: target.key, observed, at })
    return tx.beginStep({
      key: target.key,
      component: target.name,
      release: head!.number,
      differences: differences.map((difference) => `${difference.verb} ${difference.item}`),
      before: observed,
      after: computed_for,
      at,
    })
  })
}
