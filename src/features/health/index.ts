/** The door of health: one verdict over everything. */
import type { Manifest } from '../../core/manifest.ts'

export const HEALTH = {
  name: 'health',
  commands: {
    status: async () => (await import('./status-command.ts')).status,
    health: async () => (await import('./command.ts')).health,
  },
} satisfies Manifest
