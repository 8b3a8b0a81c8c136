/**
 * The database's invariants, looked at in a process of their own: reading every page of a large file takes seconds, which
 * the event loop does not have, and native code over a broken file, or ended in the middle, may take its process with it.
 * That process reads the file by its name, so that one that was moved away under the daemon is noticed, too; it sees one
 * snapshot and holds up no writer.
 */
import { resolve } from 'node:path'
import type { Clock, Instant, Milliseconds } from '../kernel/clock.ts'
import type { CheckInvariants, Invariant } from '../ports/invariants.ts'
import { INVARIANT_RULES } from './invariants/list.ts'
import type { Looked } from './invariants/rule.ts'
import { SharedLook } from './invariants/shared-look.ts'

/** While a heavy rule holds, its last answer stands for so long. */
const HEAVY_EVERY_MS: Milliseconds = 24 * 60 * 60 * 1000
/** Reading a gigabyte takes less. */
const MAX_MS: Milliseconds = 60_000

export interface InvariantsOptions {
  /** The data directory, which holds `plumbline.db`. */
  readonly directory: string
  readonly clock: Clock
}

/** One look at a time: whoever asks while a look is under way shares its answer. */
export function sqliteInvariants({ directory, clock }: InvariantsOptions): CheckInvariants {
  const kept = new Map<string, Invariant>()
  let under_way: SharedLook<readonly Invariant[]> | null = null
  const begin = () => {
    const now = clock.now()
    const options = { now, without: stillKnown(kept, now) }
    const order = { directory: resolve(directory), options }
    return (under_way = new SharedLook(order, {
      max_ms: MAX_MS,
      finish: (looked) => reported(looked, kept, now),
    }))
  }
  return (signal) => {
    if (signal.aborted) return Promise.reject(signal.reason as Error)
    return (under_way === null || under_way.is_over ? begin() : under_way).join(signal)
  }
}

/** Heavy rules that held a short while ago. A clock that was set back makes nothing older. */
const stillKnown = (kept: ReadonlyMap<string, Invariant>, now: Instant): readonly string[] =>
  [...kept.values()]
    .filter(({ checked_at }) => now >= checked_at && now - checked_at < HEAVY_EVERY_MS)
    .map(({ name }) => name)

/** In the order of the rules, those that were left out as they were last told. */
function reported(
  looked: readonly Looked[],
  kept: Map<string, Invariant>,
  now: Instant,
): readonly Invariant[] {
  const found = new Map(looked.map((one) => [one.name, one]))
  return INVARIANT_RULES.flatMap(({ name, promise, heavy }) => {
    const one = found.get(name)
    const invariant = one === undefined ? kept.get(name) : { ...one, promise, checked_at: now }
    if (heavy === true && invariant?.holds === true) kept.set(name, invariant)
    else kept.delete(name)
    return invariant ?? []
  })
}
