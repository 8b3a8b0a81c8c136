/** The door of the system: version, events, operations, modes and the audit trail. */
import type { Manifest } from '../../feature/manifest.ts'

export const SYSTEM = {
  name: 'system',
  verbs: [
    {
      title: 'Deploying',
      name: 'reconcile',
      help: 'Looks at the world now, and brings it to what was released.',
      load: async () => (await import('./mode-command.ts')).reconcile,
    },
    {
      title: 'Deploying',
      name: 'mode',
      help: 'How far the reconciler may go on its own.',
      load: async () => (await import('./mode-command.ts')).mode,
    },
    {
      title: 'How it is',
      name: 'watch',
      after: 'wait',
      help: 'Shows what happens, as it happens.',
      load: async () => (await import('./watch-command.ts')).watch,
    },
    {
      title: 'How it is',
      name: 'audit',
      help: 'Shows who changed what, when, and at whose request.',
      load: async () => (await import('./audit-command.ts')).audit,
    },
  ],
} satisfies Manifest
