/** The door of alerting: the rules of the metrics server, and who is told by the alert router. */
import type { Core } from '../../core/core.ts'
import type { Manifest } from '../../core/manifest.ts'
import type { AlertingSettings } from './rendering.ts'
import { alerting } from './settings.ts'

export const ALERTING = {
  name: 'alerting',
  settings: { alerting },
  async build(core: Core, settings: AlertingSettings) {
    return (await import('./feature.ts')).alertingFeature(settings, core)
  },
} satisfies Manifest
