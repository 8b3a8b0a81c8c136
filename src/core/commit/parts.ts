/** What the commit works with. */
import type { Engine } from '../../engine/engine.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Offer } from '../../model/domain/rules.ts'
import type { Store } from '../../ports/store.ts'
import type { WarningParts } from './warnings.ts'

export interface CommitParts extends WarningParts {
  readonly store: Store
  readonly engine: Pick<
    Engine,
    'world' | 'plan' | 'release' | 'onReleased' | 'suspectStore' | 'hindrances' | 'releaseGuards'
  >
  readonly clock: Clock
  /** What a record may refer to: entrypoints and middlewares. */
  readonly offer: Offer
}
