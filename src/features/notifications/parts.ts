/** What the watch over notifications is built of. */
import type { Engine } from '../../engine/engine.ts'
import type { Clock, Instant, Milliseconds } from '../../kernel/clock.ts'
import type { Log } from '../../kernel/log.ts'
import type { Metrics } from '../../kernel/metrics.ts'
import type { Watched } from '../../core/check.ts'
import type { FindingSource, KeptWords } from '../../core/finding.ts'
import type { Notifier } from './channels/notifier.ts'
import type { Store } from '../../ports/store.ts'

export interface NotificationParts {
  readonly store: Store
  readonly engine: Pick<Engine, 'conditions' | 'modeOf' | 'ignoredAt'>
  /** What is watched for the health page, as it is by then. */
  readonly watched: (now: Instant) => readonly Watched[]
  /** Of every feature; there once all are built. */
  readonly findings: () => readonly FindingSource[]
  readonly words: () => Readonly<Record<string, KeptWords>>
  readonly clock: Clock
  readonly log: Log
  readonly metrics: Metrics
  /** In [0, 1). */
  readonly random: () => number
  readonly notifiers: readonly Notifier[]
  readonly policy: NotificationPolicy
  /** Where the installation is reached, for whoever reads a message. */
  readonly source: () => string
}

export interface NotificationPolicy {
  readonly after_ms: Milliseconds
  /** Null: never. */
  readonly repeat_ms: Milliseconds | null
}
