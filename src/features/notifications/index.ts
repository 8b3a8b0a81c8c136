/** The door of notifications: troubles, and who is told of them. */
import type { Manifest } from '../../feature/manifest.ts'

export const NOTIFICATIONS = {
  name: 'notifications',
  settings: async () => ({ notify: (await import('./settings.ts')).notify }),
  verbs: [
    {
      title: 'How it is',
      name: 'notifications',
      after: 'alerts',
      help: 'Lists what is wrong and who was notified of it.',
      load: async () => (await import('./command.ts')).notifications,
    },
  ],
} satisfies Manifest
