/** The moment before an outside write, as one transaction: guards over the newest facts, then the journal's intent row. */
import { type Clock, isFromAhead } from '../../kernel/clock.ts'
import type { GuardHit } from '../../model/plan.ts'
import type { Store } from '../../ports/store.ts'
import { newestDigest } from '../editions/editions.ts'
import { changeLeft, fightOver, REVERTS_WITHIN_MS, siegeOf } from './fight.ts'
import { guardHit } from './guards.ts'
import type { AnyTarget, Difference } from '../target.ts'

export interface StepFacts {
  readonly target: AnyTarget
  readonly differences: readonly Difference<unknown>[]
  /** Digest of the release that the differences were computed for. */
  readonly computed_for: string
  /** Fingerprint of the world as it is. */
  readonly observed: string
  readonly written_before: boolean
  /** What is there lets in more than what was released. */
  readonly opens: boolean
  /** A caller asks for this pass. */
  readonly asked: boolean
}

/** The journal step's id, or the guard that refuses. A caller's word ends the count of a stranger's edits. */
export function beginStep(store: Store, clock: Clock, facts: StepFacts): Promise<number | GuardHit> {
  const { target, asked, observed, computed_for, differences } = facts
  return store.write(async (tx) => {
    const at = clock.now()
    const head = await tx.latestRelease()
    const reverts = await tx.revertsSince(target.key, 0)
    const fight = fightOver(reverts, observed, at)
    const hit = guardHit({
      ...facts,
      newest: newestDigest(head, target, computed_for),
      fight,
    })
    if (hit !== null) {
      const left = hit.rule === 'contested' ? changeLeft(reverts, { key: target.key, observed, at }) : null
      if (left !== null) await tx.addRevert(left)
      return hit
    }
    // What is older than the window counts no more, nor does what lies ahead of the clock, and neither must gather.
    const last = reverts.at(-1)?.at ?? -Infinity
    if (asked || last < at - REVERTS_WITHIN_MS || isFromAhead(last, at))
      for (const key of [target.key, siegeOf(target.key)]) await tx.clearReverts(key)
    return tx.beginStep({
      key: target.key,
      component: target.name,
      release: head!.number,
      differences: differences.map((difference) => `${difference.verb} ${difference.item}`),
      place: differences.some(({ item }) => item === target.place) ? target.place : null,
      before: observed,
      after: computed_for,
      at,
    })
  })
}
