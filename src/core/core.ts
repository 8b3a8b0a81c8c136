/** What every feature may build on. Each takes the members that it uses, and hands on to a verb what that verb uses. */
import type { Engine } from '../engine/engine.ts'
import type { Clock, Milliseconds } from '../kernel/clock.ts'
import type { Log } from '../kernel/log.ts'
import type { WorldStamp } from '../model/world-stamp.ts'
import type { Committed, Work } from './commit/change.ts'
import type { Caller } from './caller.ts'
import type { EventLog } from './events/event-log.ts'
import type { Store } from '../ports/store.ts'

export interface Core {
  readonly store: Store
  readonly clock: Clock
  readonly log: Log
  readonly events: Pick<EventLog, 'added' | 'hint'>
  readonly wrong_keys: TriedKeys
  /** To look at the world and bring it right; there once the engine is built. */
  readonly engine: () => Pick<Engine, 'beginObservation' | 'compare' | 'converge' | 'modeOf'>
  /** How far the database is, as what is written outside is stamped. */
  readonly stamp: () => Promise<WorldStamp | null>
  /** The one way in which intent changes: record, audit row and release in one transaction, or the plan of it. */
  readonly commit: <R>(caller: Caller, work: Work<R>) => Promise<Committed<R>>
  /** Throws `restored_from_backup` while nothing may go outside, because the world is newer than the database. */
  readonly assertNewest: () => Promise<void>
  /** Where the installation is reached: `https://plumbline.example.com`, without a slash at its end. */
  readonly baseUrl: () => string
}

/** Credentials that were tried: who guesses has to wait. */
export interface TriedKeys {
  /** How long no key of this client is compared; 0: it is. */
  shut(client: string): Milliseconds
  /** Counts a wrong key and says how long the client is to wait for being wrong again; 0: not at all. */
  wrong(client: string): Milliseconds
  right(client: string): void
}
