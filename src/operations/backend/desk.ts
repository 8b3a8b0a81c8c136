/** What operations need to look at backends. */
import type { ProbeGate } from './probe-gate.ts'
import type { Vetting } from './vetted.ts'

export interface BackendDesk extends Vetting {
  readonly gate: ProbeGate
}
