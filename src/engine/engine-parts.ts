/** What the engine is made of, and what a release is asked for with. */
import type { Instant } from '../kernel/clock.ts'
import type { Mode } from '../model/mode.ts'
import type { ReleaseDraft, StoreWriter } from '../ports/store.ts'
import type { ReleaseRow } from '../ports/records/trails.ts'
import type { Source } from './components.ts'
import type { PassParts } from './pass/pass-parts.ts'
import type { Protection } from './pass/release-guards.ts'

export type EngineParts = Omit<PassParts, 'editions' | 'memory' | 'looks' | 'refused_items'> & {
  /** In the order in which a deploy works on them: the lock is fitted before the door opens. */
  readonly targets: readonly Source[]
  readonly mode: Mode
  readonly protection: Protection
  /** Keeps what would be lost when these rows move; within the transaction of their release, before they do. */
  readonly carryOver: (tx: StoreWriter, rows: readonly ReleaseRow[], at: Instant) => Promise<void>
}

export type ReleaseRequest = Omit<ReleaseDraft, 'artifacts' | 'created_at'>
