/** One verdict over several: what is known to differ goes before what is not known, and unknown is not clean. */
import type { DriftState } from '../model/drift.ts'

export function driftOver(states: readonly DriftState[]): DriftState {
  if (states.includes(true)) return true
  return states.includes(null) ? null : false
}
