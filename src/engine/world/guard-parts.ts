/** What the guard over the world works with. */
import type { Log } from '../../kernel/log.ts'
import type { HeldContent, WorldHolder } from '../../ports/world-holder.ts'
import type { Trail } from './history.ts'

/** What the start does with a database that is older than the world. */
export type OlderDatabase = 'wait' | 'exit'

export interface WorldGuardParts {
  readonly store: Trail
  /** What is held beside the number. */
  readonly content: () => Promise<HeldContent>
  /** The first one also stands for every component without a file of its own. */
  readonly holders: readonly WorldHolder[]
  readonly older_database: OlderDatabase
  readonly log: Log
}
