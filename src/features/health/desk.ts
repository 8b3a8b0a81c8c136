/** What the health page is answered from. */
import type { FreshLooking } from './fresh-looks.ts'
import type { InvariantWatch } from './invariant-watch.ts'
import type { Readiness } from './readiness.ts'
import type { HealthRounds } from './rounds.ts'

export interface HealthDesk {
  readonly rounds: HealthRounds
  readonly invariants: InvariantWatch
  readonly fresh: FreshLooking
  readonly readiness: Readiness
}
