/** A part of the house with a life of its own. What it does not need it leaves out. */
import type { HealthCheck } from './operations/health/check.ts'

export interface Room {
  /** Reads what must be known before the engine takes up its work. */
  prepare?(): Promise<void>
  /** The daemon listens and the engine works. */
  start?(address: string): void
  /** Ends what would still ask the engine for something: called before the engine stops. */
  stop?(): Promise<void>
  /** Lets go of what the engine works with: called after it has stopped. */
  close?(): Promise<void>
  /** What of it the health page looks at. */
  readonly checks?: readonly HealthCheck[]
}
