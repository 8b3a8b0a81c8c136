/** What the health page is answered from. */
import type { Instant } from '../../kernel/clock.ts'
import type { Watched } from '../../core/check.ts'
import type { KeptWords } from '../../core/finding.ts'
import type { FreshLooking } from './rounds/fresh-looks.ts'
import type { InvariantWatch } from './rounds/invariant-watch.ts'
import type { Readiness } from './readiness.ts'
import type { HealthRounds } from './rounds/rounds.ts'

export interface HealthService {
  readonly rounds: HealthRounds
  readonly invariants: InvariantWatch
  readonly fresh: FreshLooking
  readonly readiness: Readiness
  /** What is watched, as it is by then. */
  readonly watched: (now: Instant) => readonly Watched[]
  /** What is kept true says itself, by component. */
  readonly words: () => Readonly<Record<string, KeptWords>>
}
