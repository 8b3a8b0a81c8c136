/** The door of alerting: the rules of the metrics server, and who is told by the alert router. */
import type { Core } from '../../core/core.ts'
import type { Manifest } from '../../feature/manifest.ts'
import type { AlertingSettings } from './rendering.ts'

export const ALERTING = {
  name: 'alerting',
  settings: async () => ({ alerting: (await import('./settings.ts')).alerting }),
  verbs: [
    {
      title: 'How it is',
      name: 'alerts',
      after: 'audit',
      help: 'What fires at the alert router, and who has taken it up.',
      load: async () => (await import('./command.ts')).alerts,
    },
  ],
  async build(core: Core, settings: AlertingSettings) {
    return (await import('./feature.ts')).alertingFeature(settings, core)
  },
} satisfies Manifest
