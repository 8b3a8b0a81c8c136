/** Troubles and sightings for tests of what is decided from them. */
import type { Noticed } from '../../../src/features/notifications/records.ts'
import type { SightedTrouble, Sighting } from '../../../src/features/notifications/sighting.ts'

export const MINUTE_MS = 60_000
export const T0 = Date.UTC(2030, 0, 31, 12)

export const trouble = (fields: Partial<SightedTrouble> = {}): SightedTrouble => ({
  id: 'condition/routes/0',
  kind: 'drift_lasting',
  severity: 'notice',
  component: 'routes',
  key: 'routes',
  domains: [],
  since: T0,
  message: 'It differs.',
  remedy: 'Deploy.',
  ripe_at: (fields.since ?? T0) + 10 * MINUTE_MS,
  ...fields,
})

export const sighting = (...troubles: readonly SightedTrouble[]): Sighting => ({ troubles, unsure: [] })
export const UNSURE: Sighting = { troubles: [], unsure: ['condition/routes/'] }

export const noticed = (fields: Partial<Noticed> = {}): Noticed => {
  const { ripe_at: _ripe_at, ...plain } = trouble()
  return { trouble: plain, noticed_at: T0 + 10 * MINUTE_MS, gone_at: null, returns: 0, told: [], ...fields }
}
