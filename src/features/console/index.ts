/** The door of the console: its page, and who may sign in to it. */
import type { Manifest } from '../../feature/manifest.ts'

export const CONSOLE = {
  name: 'console',
  settings: async () => ({ console: (await import('./settings.ts')).console }),
  verbs: [
    {
      title: 'Running it',
      name: 'console',
      after: 'quickstart',
      help: 'Prints a link that signs a browser on this host in to the web console.',
      load: async () => (await import('./command.ts')).console,
    },
  ],
} satisfies Manifest
