/** What was told, as it is by now: nothing stays green that was not seen again in time. */
import type { ControlPlaneHealth, HealthComponent } from '../api/types.ts'
import { parseTimeOr } from './ages.ts'

export interface AgedHealth extends ControlPlaneHealth {
  /** How many were not seen again in time: they are unknown, whatever the sums of the answer say. */
  readonly aged?: number
}
type Row = Pick<HealthComponent, 'configured' | 'stale' | 'stale_after'>

const isPast = ({ configured, stale, stale_after }: Row, now: number): boolean => {
  const end = parseTimeOr(stale_after)
  return configured && !stale && end !== null && end <= now
}

/** How many have become stale since they were told. */
export const agedCount = (rows: readonly Row[], now: number): number =>
  rows.filter((row) => isPast(row, now)).length

/** Each that has is unknown, and the sentence on all of them is one of then. */
export function agedHealth(health: ControlPlaneHealth, now: number): AgedHealth {
  const aged = agedCount(health.components, now)
  if (aged === 0) return health
  return {
    ...health,
    aged,
    components: health.components.map((row) => (isPast(row, now) ? { ...row, stale: true } : row)),
    // The page is asked for anew before anything of it becomes stale, so it is not heard any more.
    invariants: health.invariants.map((rule) => ({ ...rule, holds: rule.holds && null })),
  }
}

/** When it should be asked for again at the latest, so that what is looked at goes on being seen; null: it never becomes stale. */
export function endOfSeen(rows: readonly Row[], now: number): number | null {
  const ends = rows
    .filter(({ configured, stale }) => configured && !stale)
    .flatMap(({ stale_after }) => parseTimeOr(stale_after) ?? [])
    .filter((end) => end > now)
  return ends.length === 0 ? null : Math.min(...ends)
}
