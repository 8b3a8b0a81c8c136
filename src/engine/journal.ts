/**
 * A row before and a row after every outside write. A step without its second row was cut short: the next start looks
 * at the world, notes what it finds, and the pass that follows finishes the released edition.
 */
import type { Clock } from '../kernel/clock.ts'
import type { Log } from '../kernel/log.ts'
import type { JournalStep, Store } from '../ports/store.ts'
import type { Editions } from './editions.ts'
import type { AnyTarget } from './target.ts'

export interface RecoveryParts {
  readonly store: Store
  readonly editions: Editions
  readonly clock: Clock
  readonly log: Log
}

/** Closes every step that a crash left open. Writes nothing outside the store. */
export async function recover(
  targets: readonly AnyTarget[],
  { store, editions, clock, log }: RecoveryParts,
): Promise<void> {
  for (const step of await store.openSteps()) {
    const target = targets.find((candidate) => candidate.key === step.key)
    const found = target === undefined ? 'unknown' : await whatWasFound(step, target, editions)
    await store.write((tx) => tx.endStep(step.id, { kind: 'recovered', found }, clock.now()))
    log.warn('journal step recovered', { step: step.id, target: step.key, release: step.release, found })
  }
}

async function whatWasFound(
  step: JournalStep,
  target: AnyTarget,
  editions: Editions,
): Promise<'after' | 'before' | 'neither' | 'unknown'> {
  const observation = await target.observe(AbortSignal.timeout(target.deadline_ms))
  if (!observation.known) return 'unknown'
  const released = await editions.released(target)
  if (released !== null && target.diff(released.desired, observation.state).length === 0) return 'after'
  return observation.digest === step.before ? 'before' : 'neither'
}
