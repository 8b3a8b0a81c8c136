/** What a pass works with. */
import type { Clock } from '../../kernel/clock.ts'
import type { Log } from '../../kernel/log.ts'
import type { Metrics } from '../../kernel/metrics.ts'
import type { Store } from '../../ports/store.ts'
import type { Editions } from '../editions/editions.ts'
import type { IgnoredDifferences } from './ignored.ts'
import type { ObservationOrder } from '../observation.ts'
import type { Memory } from '../memory.ts'
import type { RefusedItems } from './refused-items.ts'
import type { WorldGuard } from '../world/guard.ts'

export interface PassParts {
  readonly store: Store
  readonly editions: Editions
  readonly memory: Memory
  readonly looks: ObservationOrder
  readonly refused_items: RefusedItems
  /** What a person has said may stay; left out: nothing. */
  readonly ignored?: IgnoredDifferences
  /** Stands before every outside write. */
  readonly world: WorldGuard
  readonly clock: Clock
  readonly log: Log
  readonly metrics: Metrics
  /** A number in [0, 1) for jitter. */
  readonly random: () => number
}
