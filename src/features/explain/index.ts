/** The door of explaining: why a record is as it is. */
import type { Manifest } from '../../feature/manifest.ts'

export const EXPLAIN = {
  name: 'explain',
  verbs: [
    {
      title: 'Domains',
      name: 'check',
      after: 'add',
      help: 'Says whether a new name and its backend would do.',
      load: async () => (await import('./check/command.ts')).check,
    },
    {
      title: 'How it is',
      name: 'wait',
      help: 'Waits until the world is what the database says.',
      load: async () => (await import('./wait-command.ts')).wait,
    },
    {
      title: 'How it is',
      name: 'explain',
      after: 'watch',
      help: 'Says why a domain is as it is.',
      load: async () => (await import('./command.ts')).explain,
    },
    {
      title: 'How it is',
      name: 'drift',
      after: 'history',
      help: 'Compares everything that is kept true with the database.',
      load: async () => (await import('./drift-command.ts')).drift,
    },
  ],
} satisfies Manifest
