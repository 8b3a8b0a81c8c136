/** Troubles and sightings for tests of what is decided from them. */
import type { Noticed } from '../../../src/features/notifications/records.ts'
import type { DueAlert, Observation } from '../../../src/features/notifications/observation.ts'

export const MINUTE_MS = 60_000
export const T0 = Date.UTC(2030, 0, 31, 12)

export const alert = (fields: Partial<DueAlert> = {}): DueAlert => ({
  id: 'condition/routes/0',
  kind: 'drift_lasting',
  severity: 'notice',
  component: 'routes',
  key: 'routes',
  domains: [],
  since: T0,
  message: 'It differs.',
  remedy: 'Deploy.',
  due_at: (fields.since ?? T0) + 10 * MINUTE_MS,
  ...fields,
})

export const observation = (...alerts: readonly DueAlert[]): Observation => ({
  alerts,
  indeterminate: [],
})
export const UNSURE: Observation = { alerts: [], indeterminate: ['condition/routes/'] }

export const noticed = (fields: Partial<Noticed> = {}): Noticed => {
  const { due_at: _due_at, ...plain } = alert()
  return { alert: plain, noticed_at: T0 + 10 * MINUTE_MS, gone_at: null, returns: 0, told: [], ...fields }
}
