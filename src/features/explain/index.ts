/** The door of explaining: why a record is as it is. */
import type { Manifest } from '../../core/manifest.ts'

export const EXPLAIN = {
  name: 'explain',
  commands: {
    drift: async () => (await import('./drift-command.ts')).drift,
    explain: async () => (await import('./command.ts')).explain,
  },
} satisfies Manifest
