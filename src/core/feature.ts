/** What a feature brings to the house, which walks the list of features (`features.ts`). */
import type { Source } from '../engine/components.ts'
import type { Endpoint } from '../http/contract.ts'
import type { HealthCheck } from './check.ts'

/** What it does not need it leaves out. */
export interface Lifecycle {
  /** Reads what must be known before the engine takes up its work. */
  prepare?(): Promise<void>
  /** The daemon listens and the engine works. @param address where it listens */
  start?(address: string): void
  /** Ends what would still ask the engine for something: called before the engine stops. */
  stop?(): Promise<void>
  /** Lets go of what the engine works with: called after it has stopped. */
  close?(): Promise<void>
}

export interface Feature {
  readonly name: string
  /** What the engine keeps true; empty where it is not set up. */
  readonly targets: readonly Source[]
  readonly endpoints: readonly Endpoint[]
  /** What of it the status page looks at. */
  readonly checks: readonly HealthCheck[]
  readonly lifecycle: Lifecycle
}
