/** Whether what alerting needs of the settings is there. */
import type { Milliseconds } from '../../kernel/clock.ts'
import { type HealthCheck, healthy, impaired } from '../../core/check.ts'

/** Settings do not change while the daemon runs. */
const EVERY_MS: Milliseconds = 600_000

/** @param configured whether any file is to be written */
export const settingsCheck = (configured: boolean, missing: readonly string[]): HealthCheck => ({
  name: 'alerting-settings',
  kind: 'watch',
  configured,
  every_ms: EVERY_MS,
  look: () =>
    Promise.resolve(
      missing.length === 0 ? healthy('Nothing is missing.') : impaired('not_set', missing.join(' ')),
    ),
  advises: () => ({ remedy: 'Set it right, and start the daemon again.' }),
})
