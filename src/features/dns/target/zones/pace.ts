/** How often the timer looks at a zone. Pure. */
import type { Milliseconds } from '../../../../kernel/clock.ts'
import type { DnsParts } from '../parts.ts'

/** Where a stamp tells that nothing changed. */
const STAMP_EVERY_MS: Milliseconds = 30_000
/** Where each look lists the zone. */
const LIST_EVERY_MS: Milliseconds = 5 * 60_000
/** The timer takes at most this share of the reads that a provider allows: callers need the rest. */
const SHARE_OF_LIMIT = 0.5

export function paceOf(
  zone: string,
  { zone_index, providers }: Pick<DnsParts, 'zone_index' | 'providers'>,
): Milliseconds {
  const account = zone_index.zoneNamed(zone)?.account
  const traits = providers.find((provider) => provider.account === account)?.traits
  if (traits?.has_stamp !== true) return LIST_EVERY_MS
  const { limit } = traits
  if (limit === null) return STAMP_EVERY_MS
  const zones = zone_index
    .ledgerZones()
    .filter((name) => zone_index.zoneNamed(name)?.account === account).length
  const allowed_ms = (zones * limit.within_ms) / (limit.requests * SHARE_OF_LIMIT)
  return Math.min(Math.max(STAMP_EVERY_MS, allowed_ms), LIST_EVERY_MS)
}
