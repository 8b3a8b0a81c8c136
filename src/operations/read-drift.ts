/** Is everything what the database says? One verdict over all components, and under it what differs, whose it is, and why. */
import type { Look } from '../engine/look.ts'
import { isoTime } from '../kernel/clock.ts'
import type { DriftState } from '../model/drift.ts'
import type { PendingDomain } from './answers.ts'
import { pendingDomains } from './deploy/deployment.ts'
import type { Deps } from './deps.ts'

export interface DriftAnswer {
  /** True when anything differs; null when nothing does as far as could be seen, and not everything could be. */
  readonly drift: DriftState
  /** In the order of work. */
  readonly components: readonly ComponentDrift[]
  readonly pending: readonly PendingDomain[]
}

export type ComponentDrift = Pick<
  Look,
  'component' | 'key' | 'drift' | 'differences' | 'unified_diff' | 'note'
> & {
  /** Why it is unknown, else null. */
  readonly reason: string | null
  /** RFC 3339. */
  readonly observed_at: string
}

/** Compares the saved state with fresh looks. Changes nothing. */
export async function readDrift(deps: Deps, signal: AbortSignal): Promise<DriftAnswer> {
  const looks = await deps.engine.looks(signal)
  return {
    drift: verdictOf(looks.map(({ drift }) => drift)),
    components: looks.map(({ component, key, drift, differences, unified_diff, note, ...look }) => ({
      component,
      key,
      drift,
      reason: look.unknown_because,
      differences,
      unified_diff,
      note,
      observed_at: isoTime(look.observed_at),
    })),
    pending: await pendingDomains(deps),
  }
}

/** What is known to differ goes before what is not known; unknown is not clean. */
function verdictOf(states: readonly DriftState[]): DriftState {
  if (states.includes(true)) return true
  return states.includes(null) ? null : false
}
