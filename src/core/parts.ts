/** What verbs of every feature may be given of the core. Each feature adds what it has, and what it uses of others. */
import type { Engine } from '../engine/engine.ts'
import type { Background } from './background/background.ts'
import type { CommitParts } from './commit/parts.ts'
import type { Deploy } from './deploy.ts'
import type { EventLog } from './events/event-log.ts'
import type { Page } from './noted.ts'

export interface CoreParts extends CommitParts, Page {
  readonly engine: Engine
  readonly deploy: Deploy
  readonly events: EventLog
  readonly background: Background
}
