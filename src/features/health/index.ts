/** The door of health: one verdict over everything. */
import type { Manifest } from '../../feature/manifest.ts'

export const HEALTH = {
  name: 'health',
  verbs: [
    {
      title: 'How it is',
      name: 'status',
      help: 'Shows whether all is well, what was deployed, and whether the proxy runs it.',
      load: async () => (await import('./status-command.ts')).status,
    },
    {
      title: 'How it is',
      name: 'health',
      after: 'external-check',
      help: 'Asks the running daemon whether it is alive.',
      load: async () => (await import('./command.ts')).health,
    },
  ],
} satisfies Manifest
