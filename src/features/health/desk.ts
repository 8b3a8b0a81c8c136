/** What the health page is answered from. */
import type { FreshLooking } from './rounds/fresh-looks.ts'
import type { InvariantWatch } from './rounds/invariant-watch.ts'
import type { Readiness } from './readiness.ts'
import type { HealthRounds } from './rounds/rounds.ts'

export interface HealthDesk {
  readonly rounds: HealthRounds
  readonly invariants: InvariantWatch
  readonly fresh: FreshLooking
  readonly readiness: Readiness
}
