/**
 * A row before and a row after every outside write. A step without its second row was cut short: the next start looks
 * at the world, notes what it finds, and the pass that follows finishes the released edition.
 */
import type { Clock } from '../../kernel/clock.ts'
import type { Log } from '../../kernel/log.ts'
import type { Applied, JournalStep, Store, StoreWriter } from '../../ports/store.ts'
import { observeWithin, START_LOOK_TIMEOUT_MS } from '../observation.ts'
import { type Editions, portionOf } from '../editions/editions.ts'
import { type Memory, VACANT } from '../memory.ts'
import { evaluate } from '../status/decide.ts'
import type { AnyTarget } from '../target.ts'

export interface RecoveryParts {
  readonly store: Store
  readonly editions: Editions
  readonly memory: Memory
  readonly clock: Clock
  readonly log: Log
}

/** Closes every step that a crash left open. Writes nothing outside the store. */
export async function recover(targets: readonly AnyTarget[], parts: RecoveryParts): Promise<void> {
  const { store, clock, log } = parts
  const steps = await store.openSteps()
  const findings = await Promise.all(
    steps.map(async (step) => {
      const target = targets.find((candidate) => candidate.key === step.key)
      return { step, target, finding: await whatWasFound(step, target, parts) }
    }),
  )
  for (const { step, target, finding } of findings) {
    const { found } = finding
    const applied = await store.write(async (tx) => {
      await tx.endStep(step.id, { kind: 'recovered', found }, clock.now())
      return rememberWrite(tx, step, { ...finding, target }, parts)
    })
    if (applied !== null) parts.memory.adoptApplied(applied)
    log.warn('journal step recovered', { step: step.id, target: step.key, release: step.release, found })
  }
}

interface Finding {
  readonly found: 'after' | 'before' | 'neither' | 'unknown'
  /** Digest of what is known to have been applied; where nothing is, what stood there before. */
  readonly digest: string
  /** Fingerprint of the world that goes with it. */
  readonly observed: string
}

/**
 * An open step whose write may have come means that the key was ours to write. Without this, a death between the first write and its record would
 * make our own file look like one that somebody else put there before us.
 */
async function rememberWrite(
  tx: StoreWriter,
  step: JournalStep,
  { target, found, digest, observed }: Finding & { readonly target: AnyTarget | undefined },
  { memory, clock }: RecoveryParts,
): Promise<Applied | null> {
  // A write that never came leaves nothing of ours, and a file that somebody puts there later is theirs.
  if (target === undefined || found === 'before') return null
  if (found !== 'after' && !isFirstWrite(step, target, memory)) return null
  const { key, release } = step
  const applied = { key, release, place: target.place, digest, observed, at: clock.now() }
  await tx.saveApplied(applied)
  return applied
}

/** The step was the first write of all, and to the very place where the target stands now. */
const isFirstWrite = (step: JournalStep, { place }: AnyTarget, memory: Memory): boolean =>
  !memory.wasEverWritten(step.key) && step.place === place

async function whatWasFound(
  step: JournalStep,
  target: AnyTarget | undefined,
  { editions, clock }: Pick<RecoveryParts, 'editions' | 'clock'>,
): Promise<Finding> {
  const unknown: Finding = { found: 'unknown', digest: step.before, observed: step.before }
  if (target === undefined) return unknown
  const observation = await observeWithin(
    target,
    { clock, max_ms: START_LOOK_TIMEOUT_MS },
    new AbortController().signal,
  )
  if (!observation.known) return unknown
  const { digest: observed } = observation
  const released = await editions.released(target)
  if (released !== null && evaluate(target, released, observation).differences.length === 0) {
    const is_vacant = target.isVacant?.(released.desired, observation.state) === true
    return {
      found: 'after',
      digest: portionOf(target, released),
      observed: is_vacant ? VACANT : observed,
    }
  }
  return {
    found: observed === step.before ? 'before' : 'neither',
    digest: step.before,
    observed: step.before,
  }
}
