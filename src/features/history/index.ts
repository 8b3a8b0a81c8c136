/** The door of the history: how the looks at each domain came out over the last day. */
import type { Manifest } from '../../feature/manifest.ts'

export const HISTORY = {
  name: 'history',
  settings: async () => ({ history: (await import('./settings.ts')).history }),
  verbs: [
    {
      title: 'How it is',
      name: 'history',
      after: 'explain',
      help: 'Shows how the looks at a domain came out over the last day.',
      load: async () => (await import('./command.ts')).history,
    },
  ],
} satisfies Manifest
