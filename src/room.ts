/** A part of the house with a life of its own that is no feature yet. */
import type { Lifecycle } from './core/feature.ts'
import type { HealthCheck } from './core/check.ts'

export interface Room extends Lifecycle {
  /** What of it the health page looks at. */
  readonly checks?: readonly HealthCheck[]
}
