/** What operations need to look at backends. */
import type { ProbeGate } from './probe-gate.ts'
import type { Vetting } from './vetted.ts'

export interface BackendService extends Vetting {
  readonly gate: ProbeGate
  /** Certificates of authorities as PEM, by the name that a record says. */
  readonly authorities: ReadonlyMap<string, string>
}
